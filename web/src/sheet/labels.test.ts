import { expect, test, vi } from 'vitest';
import { latestMarks } from '../marks.ts';
import type { Sheet, Turn, VariantInfo } from '../protocol.ts';
import { cellLabel, choiceText } from './labels.ts';

vi.mock('../i18n.svelte.ts', () => ({
  t: (id: string, values: object = {}) => (id === 'cell.plain' ? Object.values(values).join('') : [id, ...Object.values(values)].join(' ')),
  formatList: (names: string[]) => names.join(' and '),
}));

const rows = ['R', 'Y'].map((name) => ({ name, numbers: [5, 6, 7], colours: name.repeat(3) }));
const variant = { rows, fields: [], bar: '', pairs: [] } as unknown as VariantInfo;
const sheet = { steps: ['R5'], joined: [['R6', 'Y6']] } as unknown as Sheet;

test('a label names what is special about a cell', () => {
  expect(cellLabel(variant, sheet, 'R5', 'open')).toBe('colour.R5, cell.open, cell.step');
  expect(cellLabel(variant, sheet, 'Y6', 'marked')).toBe('colour.Y6, cell.marked, cell.joined colour.R6');
  expect(cellLabel(variant, sheet, 'R7', 'marked', 'selectable')).toBe('colour.R7, cell.marked, cell.second cell.selectable');
});

test('an option is described with its swap, its second box or its joined cell', () => {
  expect(choiceText(variant, { option: '8>R5', marks: ['R5'], swap: '8/5', swapped: 8 })).toBe('mark.swap colour.R5 8');
  expect(choiceText(variant, { option: 'R5*', marks: ['R5'], second: true })).toBe('mark.second colour.R5');
  expect(choiceText(variant, { option: 'R6+Y6', marks: ['R6', 'Y6'] })).toBe('mark.joined colour.R6 colour.Y6');
});

test('the locks of an option stand in one list with its marks', () => {
  expect(choiceText(variant, { option: '8>R7', marks: ['R7'], locks: ['R'], swap: '8/7', swapped: 8 })).toBe('mark.swap colour.R7 and mark.lock colour.R 8');
  expect(choiceText(variant, { option: 'R7', marks: ['R7'], locks: ['R', 'Y'] })).toBe('colour.R7 and mark.lock colour.R and mark.lock colour.Y');
  expect(choiceText(variant, { option: 'r6,r7', marks: ['R6', 'R7'], locks: ['R'], cards: ['r6', 'r7'] })).toBe('colour.R6 and colour.R7 and mark.lock colour.R');
});

test('the latest marks have second boxes and swap fields', () => {
  const white = [{ option: '8>R5', marks: ['R5'], swap: '8/5' }, { option: 'R5*', marks: ['R5'], second: true }];
  const [first, second] = latestMarks([{ active: 0, white } as Turn], 2);
  expect([...first!]).toEqual(['R5', '8/5']);
  expect(second!.has('R5*')).toBe(true);
  expect(second!.has('R5')).toBe(false);
});
