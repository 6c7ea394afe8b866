import { expect, test } from 'vitest';
import { namesHere, playerNames } from './players.ts';

const table = { variant: 'classic', places: [], over: true, at: 0 };

test('the only person at this device is "You", whatever the record says', () => {
  expect(playerNames(['Player', 'greedy 2', 'Ben'], ['Player'])).toEqual(['seat.self', 'greedy 2', 'Ben']);
  expect(playerNames(['Anna', 'Ben'], ['Anna', 'Ben'])).toEqual(['Anna', 'Ben']);
  expect(playerNames(['Anna', 'Ben'], [])).toEqual(['Anna', 'Ben']);
});

test('whoever has given no name has one in the language of the reader', () => {
  expect(playerNames(['Player', 'Ben'], [])).toEqual(['seat.me', 'Ben']);
});

test('at a table of this device all people are here, at another those with its secrets', () => {
  expect(namesHere({ ...table, table: '@1', players: ['Anna', 'Ben', ''] })).toEqual(['Anna', 'Ben']);
  expect(namesHere({ ...table, table: 'ABCDEF', players: ['Anna', 'Ben'], places: [{ name: 'Ben', secret: '' }] })).toEqual(['Ben']);
});
