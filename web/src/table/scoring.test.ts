import { expect, test, vi } from 'vitest';
import type { Choice, VariantInfo, View } from '../protocol.ts';
import { tappableSpots } from '../marks.ts';
import { answerRow, doubtfulRow, lockMessages, marksChanged, reopened, tapSpot } from './scoring.ts';

vi.mock('../i18n.svelte.ts', () => ({
  t: (id: string, values: object = {}) => [id, ...Object.values(values)].join(' '),
  n: (id: string, count: number, values: object = {}) => [id, count, ...Object.values(values)].join(' '),
  hasMessage: () => true,
  capitalize: (text: string) => text,
  formatList: (names: string[]) => names.join(' and '),
}));

const choice = (option: string, marks: string[], more: Partial<Choice> = {}): Choice => ({ option, marks, ...more });
const R5 = choice('R5', ['R5']);
const LUCKY = choice('!R5', ['R5'], { lucky: true });
const OPEN = choice('G11+R2', ['G11', 'R2']);
const CLOSED = choice('G11+Y2', ['G11', 'Y2'], { closed: ['R'] });
const SWAPS = [choice('8>R5', ['R5'], { swap: '8/5', swapped: 8 }), choice('8>Y5', ['Y5'], { swap: '8/5', swapped: 8 })];

test('one tap marks, also where a lucky number would mark the same', () => {
  expect(tapSpot([R5, LUCKY], null, 'R5')).toEqual({ mark: R5 });
  expect(tapSpot([R5], null, 'R4')).toBeNull();
});

test('what depends on a row that others have locked is asked', () => {
  expect(tapSpot([R5, OPEN, CLOSED], null, 'G11')).toEqual({ ask: [OPEN, CLOSED] });
  expect(doubtfulRow([OPEN, CLOSED])).toBe('R');
  expect(answerRow([OPEN, CLOSED], 'R', true)).toEqual([CLOSED]);
  expect(answerRow([OPEN, CLOSED], 'R', false)).toEqual([OPEN]);
  expect(doubtfulRow([CLOSED])).toBeNull();
});

test('a swap field waits for its cell; a second tap gives it up', () => {
  expect(tapSpot([R5, ...SWAPS], null, '8/5')).toEqual({ swap: '8/5' });
  expect(tapSpot([R5, ...SWAPS], '8/5', 'Y5')).toEqual({ mark: SWAPS[1] });
  expect(tapSpot([R5, ...SWAPS], '8/5', '8/5')).toEqual({ swap: null });
  expect([...tappableSpots([R5, ...SWAPS], '8/5')].sort()).toEqual(['8/5', 'R5', 'Y5']);
});

const LOCK = choice('R12', ['R12'], { locks: ['R'] });
const tableOf = (locks: Record<string, number[]>, own: Record<number, Choice[]> = { 0: [], 1: [] }): View =>
  ({
    seats: ['Anna', 'Ben'].map((name) => ({ kind: 'person', name })),
    own: Object.entries(own).map(([seat, options]) => ({ seat: Number(seat), options })),
    position: { turn: 1 },
    since_roll: { locks, marks: [], ending: false },
  }) as unknown as View;

test('a row is open again only if nobody else has locked it', () => {
  expect(reopened(tableOf({ R: [0, 1] }), tableOf({ R: [1] }))).toBe('');
  expect(reopened(tableOf({ R: [0] }), tableOf({}))).toContain('Anna');
  expect(marksChanged(tableOf({}), tableOf({ R: [0] }))).toBe(true);
  expect(marksChanged(tableOf({}), tableOf({}))).toBe(false);
});

const DICE = { cards: null };
const CARDS = { cards: {} as VariantInfo['cards'] };

test('one device names those who can join a lock, a phone addresses its person', () => {
  expect(lockMessages(tableOf({ R: [0] }, { 0: [], 1: [R5, LOCK] }), DICE)).toEqual(['scoring.locked 1 Anna colour.R scoring.join-of Ben']);
  expect(lockMessages(tableOf({ R: [0] }, { 1: [LOCK] }), DICE)).toEqual(['scoring.locked 1 Anna colour.R scoring.join']);
  expect(lockMessages(tableOf({ R: [0] }, { 0: [] }), DICE)).toEqual(['scoring.locked-own colour.R']);
  expect(lockMessages(tableOf({ R: [0] }, { 0: [], 1: [R5] }), DICE)).toEqual(['scoring.locked 1 Anna colour.R']);
  expect(lockMessages(tableOf({ R: [0] }, { 1: [LOCK] }), CARDS)).toEqual(['scoring.locked 1 Anna colour.R']);
});
