import { expect, test } from 'vitest';
import { diceOf } from '../local/notation.ts';
import type { Turn, VariantInfo } from '../protocol.ts';
import { rollsOf } from './rolls.ts';

const VARIANT = { dice: { white: 6, R: 6, Y: 6, G: 6, B: 8 } } as unknown as VariantInfo;
const log = (...rolls: string[]): Turn[] => rolls.map((roll) => ({ active: 0, dice: diceOf(roll) }));

test('every die is counted, and both white dice together', () => {
  const rolls = rollsOf(log('11-1234', '16-1238', '66-12.8'), VARIANT);
  expect(rolls.map(({ die, total }) => [die, total])).toEqual([['sum', 3], ['white', 6], ['R', 3], ['Y', 3], ['G', 2], ['B', 3]]);
  expect(rolls[0]!.numbers.filter(({ count }) => count).map(({ number }) => number)).toEqual([2, 7, 12]);
  expect(rolls[1]!.numbers.map(({ count }) => count)).toEqual([3, 0, 0, 0, 0, 3]);
  expect(rolls[5]!.numbers.map(({ count }) => count)).toEqual([0, 0, 0, 1, 0, 0, 0, 2]);
});

test('the probabilities are those of fair dice', () => {
  const [sum, white, , , , blue] = rollsOf(log('11-1234'), VARIANT);
  for (const { numbers } of [sum!, white!, blue!]) expect(numbers.reduce((total, one) => total + one.probability, 0)).toBeCloseTo(1);
  expect(sum!.numbers.find(({ number }) => number === 7)!.probability).toBeCloseTo(1 / 6);
  expect(blue!.numbers[0]!.probability).toBe(1 / 8);
});

test('a card game has no rolls', () => {
  expect(rollsOf([{ active: 0, taken: ['r5'] }], { dice: {} } as unknown as VariantInfo)).toEqual([]);
});
