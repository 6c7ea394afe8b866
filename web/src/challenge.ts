/** Today's challenge: a game for one whose dice follow from the date, the same for everybody. docs/explanation/challenge.md says how; none of it ever changes. */
import { localCode } from './pages.ts';

/** The games in turn. A later game is never added: it would change the games of past days. */
export const GAMES = ['classic', 'mixx-a', 'big-points', 'connected-a', 'bonus-a', 'longo', 'double-a', 'mixx-b', 'x-change', 'bonus-b', 'connected-b'] as const;

export const DAY = 86_400_000; // milliseconds
const PREFIX = localCode('challenge-');

/** The date of this device: `2026-11-18`. */
export function today(now = new Date()): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** The days since 1970-01-01. */
const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY;

export const challengeGame = (date: string): string => GAMES[dayNumber(date) % GAMES.length]!;

/** The seed of the dice, as two words: the date as a number. */
export const challengeSeed = (date: string): [number, number] => [0, Number(date.replaceAll('-', ''))];

/** The code of the table of a day. There is one on each device, so that there is one try. */
export const challengeTable = (date: string): string => PREFIX + date;

/** The day of a challenge's table; null for other tables. */
export const challengeOf = (table: string): string | null => (table.startsWith(PREFIX) ? table.slice(PREFIX.length) : null);

/** So many days up to a date, which comes last. */
export const lastDays = (date: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => new Date((dayNumber(date) - count + 1 + index) * DAY).toISOString().slice(0, 10));

/** On how many days in a row, up to today or yesterday, a challenge was finished. */
export function streak(dates: string[], now: string): number {
  const days = new Set(dates.map(dayNumber));
  const last = dayNumber(now) - Number(!days.has(dayNumber(now)));
  let length = 0;
  while (days.has(last - length)) length++;
  return length;
}

/** The days in a row up to today or yesterday, of the last challenge that was finished. */
export const challengeDays = (last: { date: string; streak: number } | null, now = today()): number => (last && streak([last.date], now) ? last.streak : 0);

/** How long it is until midnight, when the next challenge comes: in hours, in the last one in minutes. */
export function untilNext(now = new Date()): [number, 'hour' | 'minute'] {
  const minutes = Math.ceil((new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).getTime() - now.getTime()) / 60_000);
  return minutes <= 60 ? [minutes, 'minute'] : [Math.round(minutes / 60), 'hour'];
}
