import { expect, test } from 'vitest';
import { ApiError } from './apiError.ts';
import { checkIsGame, splitGames } from './record.ts';

const GAME = '[Variant "classic"]\n[Players "Anna"]\n\n1. 41-3256\n';
const SHEETS = ' [ScoreSheets "classic"]\n[Players "Anna"]\n\n1. 1:R5\n= R5 Y- G- B- x0\n';

test('games and sheets without dice in one file do not spoil each other', () => {
  for (const parts of [[GAME, SHEETS, GAME], [SHEETS, GAME, SHEETS], [SHEETS], [GAME]]) expect(splitGames(parts.join(''))).toEqual(parts);
  expect(splitGames(`; Sunday\n${SHEETS}${GAME}`)).toEqual([`; Sunday\n${SHEETS}`, GAME]);
});

test('sheets without dice are no game', () => {
  expect(() => checkIsGame(GAME)).not.toThrow();
  for (const [before, line] of [['', 1], ['\n; Sunday\n', 3]] as const) {
    expect(() => checkIsGame(before + SHEETS)).toThrow(new ApiError('record', { line, error: 'no-dice' }));
  }
});
