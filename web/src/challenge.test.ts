import { expect, test } from 'vitest';
import { challengeDays, challengeGame, challengeOf, challengeSeed, challengeTable, GAMES, lastDays, streak, today, untilNext } from './challenge.ts';

// The same days are in tests/test_challenge.py. These values never change.
const DAYS: [string, string, number][] = [
  ['2026-11-18', 'mixx-b', 20261118],
  ['2026-11-19', 'x-change', 20261119],
  ['2026-12-31', 'double-a', 20261231],
  ['2027-01-01', 'mixx-b', 20270101],
  ['2028-02-29', 'big-points', 20280229],
  ['2099-12-31', 'longo', 20991231],
];

test.each(DAYS)('the challenge of %s', (date, game, seed) => {
  expect(challengeGame(date)).toBe(game);
  expect(challengeSeed(date)).toEqual([0, seed]);
});

test('every game comes once in eleven days', () => {
  const dates = Array.from({ length: 11 }, (_, day) => `2027-02-${String(day + 10)}`);
  expect(new Set(dates.map(challengeGame))).toEqual(new Set(GAMES));
});

test('today is the date of this device, not that of Greenwich', () => {
  expect(today(new Date(2027, 0, 5, 0, 30))).toBe('2027-01-05');
  expect(today(new Date(2027, 0, 5, 23, 30))).toBe('2027-01-05');
});

test('the next challenge comes at midnight', () => {
  expect(untilNext(new Date(2027, 0, 5, 0, 0))).toEqual([24, 'hour']);
  expect(untilNext(new Date(2027, 0, 5, 18, 40))).toEqual([5, 'hour']);
  expect(untilNext(new Date(2027, 0, 5, 23, 0, 1))).toEqual([60, 'minute']);
  expect(untilNext(new Date(2027, 0, 5, 23, 59, 59))).toEqual([1, 'minute']);
});

test('the code of a table names the day', () => {
  expect(challengeOf(challengeTable('2026-11-18'))).toBe('2026-11-18');
  expect(challengeOf('@abcdefghjk')).toBeNull();
  expect(challengeOf('ABC234')).toBeNull();
});

test('the last days, over the end of a month', () => {
  expect(lastDays('2028-03-01', 3)).toEqual(['2028-02-28', '2028-02-29', '2028-03-01']);
});

test('a streak ends today or yesterday', () => {
  const dates = ['2026-12-31', '2027-01-01', '2027-01-02'];
  expect(streak(dates, '2027-01-02')).toBe(3);
  expect(streak(dates, '2027-01-03')).toBe(3);
  expect(streak(dates, '2027-01-04')).toBe(0);
  expect(streak(['2026-12-30', ...dates.slice(1)], '2027-01-02')).toBe(2);
  expect(streak([], '2027-01-02')).toBe(0);
});

test('a streak is over when a day was left out', () => {
  const last = { date: '2027-01-01', streak: 4 };
  expect(challengeDays(last, '2027-01-01')).toBe(4);
  expect(challengeDays(last, '2027-01-02')).toBe(4);
  expect(challengeDays(last, '2027-01-03')).toBe(0);
  expect(challengeDays(null, '2027-01-03')).toBe(0);
});
