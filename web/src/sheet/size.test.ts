import { expect, test } from 'vitest';
import type { VariantInfo } from '../protocol.ts';
import { isCrowded, isTall, sheetRows } from './size.ts';

const row = (cells = 11) => ({ name: 'R', numbers: [...Array(cells).keys()] });
const variant = (more: object = {}): VariantInfo => ({ rows: [row(), row(), row(), row()], second: false, fields: [], bar: null, pairs: [], swaps: [], cards: null, ...more }) as unknown as VariantInfo;

test('a plain sheet has the height of its rows', () => {
  expect(sheetRows(variant(), 0)).toBe(4);
  expect([isTall(variant(), 0), isCrowded(variant())]).toEqual([false, false]);
});

test.each([
  ['second boxes', { second: true }, 0, 5, false],
  ['a bonus bar', { bar: ['R'] }, 0, 4.7, false],
  ['swap fields', { swaps: ['8/5', '6/9'] }, 0, 4.8, false],
  ['steps', {}, 3, 4.4, false],
  ['bonus fields', { fields: [row(), row(), row()] }, 0, 6.4, true],
  ['pairs', { pairs: [{}, {}] }, 0, 5, true],
])('%s need height', (_, more, steps, height, crowded) => {
  expect(sheetRows(variant(more), steps)).toBeCloseTo(height);
  expect([isTall(variant(more), steps), isCrowded(variant(more))]).toEqual([true, crowded]);
});

test.each([
  ['long rows, which take two lines', { rows: [row(15), row(15), row(15), row(15)] }],
  ['a hand of cards', { cards: {} }],
])('%s leave no room for pictures', (_, more) => {
  expect([isTall(variant(more), 0), isCrowded(variant(more))]).toEqual([true, true]);
});
