import { expect, test, vi } from 'vitest';
import type { Sheet, View } from '../protocol.ts';
import { marginMessage } from './decisive.ts';

vi.mock('../i18n.svelte.ts', () => ({
  t: (id: string, values: object = {}) => [id, ...Object.values(values)].join(' '),
  n: (id: string, count: number, { reason }: { reason: string }) => `${id} ${count}: ${reason}`,
}));

const sheet = (points: Record<string, number>, more: Partial<Sheet> = {}): Sheet =>
  ({ points, total: Object.values(points).reduce((sum, one) => sum + one, 0), misthrows: -(points['misthrows'] ?? 0) / 5, locks: [], ...more }) as unknown as Sheet;
const over = (sheets: Sheet[], winners: number[]): View => ({ position: { sheets }, result: { winners } }) as unknown as View;

const said = (sheets: Sheet[], winners = [0]): string => marginMessage(over(sheets, winners));

test('names the margin only where one of several has won alone', () => {
  const one = sheet({ R: 10, misthrows: 0 });
  expect(said([one])).toBe('');
  expect(said([one, sheet({ R: 10, misthrows: 0 })], [0, 1])).toBe('');
  expect(said([one, sheet({ R: 3, misthrows: 0 })])).toBe('result.by 7: result.row colour.R 10 3');
});

test('names what made the most of it, against the best of the others', () => {
  const last = sheet({ R: 0, Y: 0, misthrows: -20 });
  expect(said([sheet({ R: 36, Y: 1, misthrows: 0 }, { locks: ['R'] }), last, sheet({ R: 10, Y: 21, misthrows: 0 })])).toBe('result.by 6: result.locked-row colour.R 36 10');
  expect(said([sheet({ R: 10, Y: 6, misthrows: -5 }), sheet({ R: 15, Y: 6, misthrows: -20 })])).toBe('result.by 10: result.misthrows 1 4');
  expect(said([sheet({ R: 15, Y: 15, G: 15, misthrows: 0 }), sheet({ R: 6, Y: 6, G: 6, misthrows: 0 })])).toBe('result.by 27: result.several');
  expect(said([sheet({ R: 10, bonus: 12, misthrows: 0 }), sheet({ R: 15, bonus: 3, misthrows: 0 })])).toBe('result.by 4: result.bonus colour.bonus 12 3');
});
