import { expect, test } from 'vitest';
import type { PlayedGame } from '../local/played.ts';
import { achievementsOf, distribution, goalsOf, linesOf, median, NOBODY, PEOPLE, playersOf, tallyOf } from './statistics.ts';

const LEVELS = { rush: 2, greedy: 3 };

let number = 0;
function game(players: string[], scores: number[], here = [0], more: Partial<PlayedGame> = {}): PlayedGame {
  const best = Math.max(...scores);
  return {
    id: String(++number),
    at: number,
    table: null,
    variant: 'classic',
    own: null,
    players: players.map((name) => ({ name, bot: name in LEVELS ? name : null })),
    here,
    scores,
    winners: scores.flatMap((score, seat) => (score === best ? [seat] : [])),
    locks: scores.map(() => 1),
    misthrows: scores.map((_, seat) => seat),
    record: '',
    challenge: null,
    ...more,
  };
}

test('a line counts games, wins, points, rows and misthrows of the own seats', () => {
  const [line] = linesOf([game(['Anna', 'rush'], [70, 60]), game(['rush', 'Anna'], [80, 40], [1])], null, LEVELS);
  expect(line).toMatchObject({ opponents: 'rush', games: 2, wins: 1, mean: 55, best: 70, locks: 2, misthrows: 1, scores: [70, 40], botScores: [60, 80] });
});

test('games are grouped by the strongest bot, with people and alone first', () => {
  const games = [game(['Anna', 'greedy', 'rush'], [9, 8, 7]), game(['Anna', 'rush'], [9, 8]), game(['Anna', 'Ben'], [9, 8]), game(['Anna'], [50])];
  expect(linesOf(games, null, LEVELS).map(({ opponents }) => opponents)).toEqual([NOBODY, PEOPLE, 'rush', 'greedy']);
});

test('alone nobody wins', () => {
  expect(linesOf([game(['Anna'], [50])], null, LEVELS)[0]).toMatchObject({ wins: 0, streak: 0, longest: 0 });
});

test('a streak is of wins in a row, in the order of time', () => {
  const won = (): PlayedGame => game(['Anna', 'rush'], [9, 8]);
  const lost = (): PlayedGame => game(['Anna', 'rush'], [8, 9]);
  const games = [won(), won(), won(), lost(), won()];
  expect(linesOf(games.reverse(), null, LEVELS)[0]).toMatchObject({ streak: 1, longest: 3 });
  expect(linesOf([...games, lost()], null, LEVELS)[0]).toMatchObject({ streak: 0, longest: 3 });
});

test('statistics of one of several players of this device', () => {
  const games = [game(['Anna', 'Ben'], [9, 8], [0, 1]), game(['Ben', 'rush'], [5, 6])];
  expect(playersOf(games)).toEqual(['Ben', 'Anna']);
  expect(linesOf(games, 'Anna', LEVELS).map(({ opponents, games: count, wins }) => [opponents, count, wins])).toEqual([[PEOPLE, 1, 1]]);
  expect(linesOf(games, null, LEVELS)[0]).toMatchObject({ games: 2, scores: [9, 8] });
});

test('games without a seat of this device count nowhere', () => {
  expect(linesOf([game(['Anna', 'rush'], [9, 8], [])], null, LEVELS)).toEqual([]);
});

test('a game alone neither adds to a streak of wins nor ends it', () => {
  const games = [game(['Anna', 'rush'], [9, 8]), game(['Anna'], [50]), game(['Anna', 'rush'], [9, 8])];
  expect(tallyOf(games, 'Anna')).toMatchObject({ games: 3, contests: 2, wins: 2, streak: 2, results: [true, null, true], best: 50, bestGame: games[1]!.id });
});

test('a game brings a best score, a streak, a bot that is beaten for the first time', () => {
  const games = [game(['Anna', 'rush'], [60, 50]), game(['Anna', 'greedy'], [70, 50]), game(['Anna', 'greedy'], [65, 50]), game(['Anna', 'greedy'], [40, 50])];
  expect(games.map((one) => achievementsOf(games, one, LEVELS))).toEqual([
    { before: null, score: 60, wins: 1, beaten: 'rush' },
    { before: 60, score: 70, wins: 2, beaten: 'greedy' },
    { before: 70, score: 65, wins: 3, beaten: null },
    { before: 70, score: 40, wins: 0, beaten: null },
  ]);
  expect(achievementsOf(games, game(['Anna', 'Ben'], [9, 8], [0, 1]), LEVELS)).toBeNull();
});

test('goals grow with what was reached', () => {
  const kinds = (goals: ReturnType<typeof goalsOf>): unknown[] => goals.map(({ kind, have, want, next }) => [kind, have, want, next]);
  expect(kinds(goalsOf([], null, LEVELS, ['classic', 'longo'], 0))).toEqual([
    ['levels', 0, 2, 'rush'],
    ['games', 0, 2, 'classic'],
    ['wins', 0, 2, undefined],
    ['clean', 0, 1, undefined],
    ['challenge', 0, 3, undefined],
  ]);
  const games = [game(['Anna', 'rush'], [75, 60]), game(['Anna', 'rush'], [62, 60]), game(['Anna', 'greedy'], [40, 60])];
  expect(kinds(goalsOf(games, 'Anna', LEVELS, ['classic', 'longo'], 3))).toEqual([
    ['levels', 1, 2, 'greedy'],
    ['games', 1, 2, 'longo'],
    ['score', 75, 100, 'classic'],
    ['wins', 2, 3, undefined],
    ['clean', 2, 3, undefined],
    ['challenge', 3, 7, undefined],
  ]);
});

test('a best score below zero is what it is, and the goal the first step', () => {
  const goals = goalsOf([game(['Anna', 'rush'], [-2, 60])], null, LEVELS, [], 0);
  expect(goals.find(({ kind }) => kind === 'score')).toEqual({ kind: 'score', have: -2, want: 25, next: 'classic' });
});

test('a goal that is reached has nothing next', () => {
  const [levels, tried] = goalsOf([game(['Anna', 'rush'], [9, 8]), game(['Anna', 'greedy'], [9, 8])], null, LEVELS, ['classic'], 5000);
  expect(levels).toEqual({ kind: 'levels', have: 2, want: 2 });
  expect(tried).toEqual({ kind: 'games', have: 1, want: 1 });
});

test('the distribution has every step between the lowest and the highest score', () => {
  expect(distribution([-3, 9, 21, 22], [30])).toEqual([
    { from: -10, own: 0.25, bots: 0 },
    { from: 0, own: 0.25, bots: 0 },
    { from: 10, own: 0, bots: 0 },
    { from: 20, own: 0.5, bots: 0 },
    { from: 30, own: 0, bots: 1 },
  ]);
  expect(median([1, 5, 3])).toBe(3);
  expect(median([1, 2])).toBe(1.5);
});
