import { expect, test } from 'vitest';
import { namesHere, playerNames } from './players.ts';

const table = { variant: 'classic', places: [], over: true, at: 0 };

test('the only person at this device is "You", whatever the record says', () => {
  expect(playerNames(['Guest', 'greedy 2', 'Ben'], ['Guest'])).toEqual(['seat.self', 'greedy 2', 'Ben']);
  expect(playerNames(['Guest', 'Ben'], ['Guest', 'Ben'])).toEqual(['Guest', 'Ben']);
  expect(playerNames(['Anna', 'Ben'], [])).toEqual(['Anna', 'Ben']);
});

test('at a table of this device all people are here, at another those with its secrets', () => {
  expect(namesHere({ ...table, table: '@1', players: ['Guest', 'Ben', ''] })).toEqual(['Guest', 'Ben']);
  expect(namesHere({ ...table, table: 'ABCDEF', players: ['Anna', 'Ben'], places: [{ name: 'Ben', secret: '' }] })).toEqual(['Ben']);
});
