import { expect, test } from 'vitest';
import type { RowInfo } from '../protocol.ts';
import { linesOf, linkedCells } from './lines.ts';

const row = (name: string, numbers: number[]): RowInfo => ({ name, numbers, colours: name.repeat(numbers.length) }) as RowInfo;
const [RED, YELLOW, GREEN] = [row('R', [2, 3, 4]), row('Y', [2, 3, 4]), row('G', [4, 3, 2])];

test('bonus fields are between their rows', () => {
  const lines = linesOf({ rows: [RED, YELLOW], fields: [row('YG', [5]), row('RY', [7])] });
  expect(lines.map(({ row: { name }, field }) => [name, field])).toEqual([['R', false], ['RY', true], ['Y', false], ['YG', true]]);
});

test('a link is drawn between cells one above the other', () => {
  const lines = linesOf({ rows: [RED, YELLOW, GREEN], fields: [] });
  expect([...linkedCells(lines, { joined: [['Y3', 'R3'], ['Y4', 'G2'], ['R2', 'Y4']] })]).toEqual(['R3', 'Y4']);
});

test('rows in two lines, or of other lengths, have no links', () => {
  const long = [...Array(13).keys()];
  expect(linkedCells(linesOf({ rows: [row('R', long), row('Y', long)], fields: [] }), { joined: [['R2', 'Y2']] }).size).toBe(0);
  expect(linkedCells(linesOf({ rows: [RED, row('Y', [2, 3])], fields: [] }), { joined: [['R2', 'Y2']] }).size).toBe(0);
});
