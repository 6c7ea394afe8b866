import { expect, test } from 'vitest';
import type { View } from '../protocol.ts';
import { shownLines } from './shown.ts';

const seats = [{ name: 'Anna' }, { name: 'Ben' }];
const viewOf = (changes: object): View => ({ dice: 'rolled', seats, log: [], own: [], ...changes }) as unknown as View;

test('dice of all turns, with the order of the players', () => {
  const dice = (roll: string) => ({ dice: { roll } });
  expect(shownLines(viewOf({ position: { turn: 2, phase: 'colour', ...dice('41-3256'), cards: null }, log: [dice('11-1111'), dice('41-3256')] }))).toEqual(['players Anna; Ben', '1 11-1111', '2 41-3256', '2 41-3256']);
  expect(shownLines(viewOf({ position: { turn: 3, phase: 'roll', dice: null, cards: null }, log: [dice('11-1111')] }))).toEqual(['players Anna; Ben', '1 11-1111']);
});

test('cards as this device sees them, while nobody can take them back', () => {
  const cards = { display: ['?5', "?5'", '?12'], top: 3 };
  const own = [{ seat: 1, hand: ['r5', 'j7'] }];
  const shown = (phase: string) => shownLines(viewOf({ position: { turn: 4, phase, dice: null, cards }, own }));
  expect(shown('take')).toEqual(['players Anna; Ben', '4 take display 5,5,12 3', '4 take 1 r5,j7']);
  expect(shown('white')).toEqual(['players Anna; Ben', '4 white display 5,5,12 3', '4 white 1 r5,j7']);
  for (const phase of ['deal', 'play', 'over']) expect(shown(phase)).toEqual(['players Anna; Ben']);
});

test('nothing where people roll, or before the game', () => {
  expect(shownLines(viewOf({ dice: 'entered', position: { turn: 1, phase: 'white', dice: { roll: '11-1111' }, cards: null } }))).toEqual([]);
  expect(shownLines(viewOf({ position: null }))).toEqual([]);
});
