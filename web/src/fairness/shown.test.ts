import { expect, test } from 'vitest';
import type { View } from '../protocol.ts';
import { shownIn } from './shown.ts';

const seats = [{ name: 'Anna' }, { name: 'Ben' }];
const shownBy = (changes: object): unknown[] => shownIn({ seats, log: [], own: [], ...changes } as unknown as View).map((one) => JSON.parse(one) as unknown);
const names = ['Anna', 'Ben'];

test('the dice of a turn are kept with the order of the players', () => {
  expect(shownBy({ position: { turn: 2, phase: 'colour', dice: { roll: '41-3256' }, cards: null } })).toEqual([names, [2, '41-3256']]);
});

test('the dice of earlier turns are kept, since this device may have been away', () => {
  const log = [{ dice: { roll: '11-1111' } }, { dice: { roll: '41-3256' } }];
  expect(shownBy({ position: { turn: 2, phase: 'colour', dice: { roll: '41-3256' }, cards: null }, log })).toEqual([names, [1, '11-1111'], [2, '41-3256'], [2, '41-3256']]);
});

test('cards are kept as this device sees them', () => {
  const cards = { display: ['?5', "?5'", '?12'], top: 3, discards: ['b2'] };
  const own = [{ seat: 1, hand: ['r5', 'j7'] }];
  expect(shownBy({ position: { turn: 4, phase: 'take', dice: null, cards }, own })).toEqual([names, [4, ['take', cards.display, 3, [[1, ['r5', 'j7']]], ['b2']]]]);
});

test('nothing is kept before the game', () => {
  expect(shownBy({ position: null })).toEqual([]);
});
