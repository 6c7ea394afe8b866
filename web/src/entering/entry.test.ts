import { expect, test } from 'vitest';
import type { Position, VariantInfo } from '../protocol.ts';
import { DiceEntry } from './entry.svelte.ts';

const variant = { dice: { white: 6, R: 6, Y: 6, G: 6, B: 6 } } as unknown as VariantInfo;
const position = (closed: string[], dice: Position['dice'] = null): Position => ({ closed, dice }) as Position;

const entered = (entry: DiceEntry, faces: number[]): DiceEntry => {
  for (const face of faces) entry.enter(face);
  return entry;
};

test('the white dice come first, then the coloured ones that are in the game', () => {
  expect(entered(new DiceEntry(variant, position([])), [4, 1, 3, 2, 5, 6]).roll).toBe('41-3256');
  const entry = entered(new DiceEntry(variant, position(['R', 'G'])), [4, 1, 2]);
  expect([entry.complete, entry.current, entry.dice.coloured]).toEqual([false, 5, { Y: 2, B: 0 }]);
  expect(entered(entry, [6]).roll).toBe('41-.2.6');
  expect(entry.complete).toBe(true);
});

test('a die shows its faces only', () => {
  const entry = new DiceEntry({ dice: { white: 8, R: 4 } } as unknown as VariantInfo, position([]));
  expect([entry.enter(0), entry.enter(9), entry.enter(8), entry.enter(7), entry.enter(5), entry.enter(4)]).toEqual([false, false, true, true, false, true]);
  expect(entry.roll).toBe('87-4');
});

test('one can go back to a die', () => {
  const entry = entered(new DiceEntry(variant, position(['R'])), [4, 1, 2]);
  entry.choose(0);
  entered(entry, [5]);
  expect([entry.dice.white, entry.current]).toEqual([[5, 1], 4]); // and then on with the first that is missing
  entry.back();
  expect([entry.current, entry.dice.coloured['Y']]).toEqual([3, 0]);
  for (let count = 0; count < 9; count++) entry.back();
  expect([entry.current, entry.begun]).toEqual([0, false]);
});

test('a correction begins with the dice on the table, also where a row has closed since', () => {
  const dice = { roll: '41-.256', white: [4, 1] as [number, number], coloured: { Y: 2, G: 5, B: 6 } };
  const entry = new DiceEntry(variant, position(['R', 'Y'], dice));
  expect([entry.roll, entry.complete]).toEqual(['41-.256', true]);
  entry.choose(5);
  entered(entry, [1]);
  expect([entry.roll, entry.current]).toEqual(['41-.251', 5]);
});
