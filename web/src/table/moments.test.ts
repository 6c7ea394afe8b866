import { expect, test } from 'vitest';
import type { Choice, Turn, VariantInfo, View } from '../protocol.ts';
import { endIsNear, momentsBetween } from './moments.ts';

const VARIANT = { rows: [{ name: 'R' }, { name: 'Y' }], rows_to_end: 2, misthrows_to_end: 4, cards: null } as unknown as VariantInfo;
const PASS: Choice = { option: '-', marks: [] };
const LOCK: Choice = { option: 'R12#', marks: ['R12'], locks: ['R'] };
const CHAIN: Choice = { option: 'Y3+R4+R5', marks: ['Y3', 'R4', 'R5'] };
const MISTHROW: Choice = { option: 'x', marks: [], misthrow: true };

/** Two players; `misthrows` are those of the first one. */
function table(log: Partial<Turn>[], { closed = [] as string[], misthrows = 0, state = 'running' as View['state'], winners = [] as number[] } = {}): View {
  const sheets = [misthrows, 0].map((count) => ({ misthrows: count, locks: [] }));
  return { table: 'T', state, own: [], log, position: { closed, sheets }, result: { winners } } as unknown as View;
}
const kinds = (...views: [View, View]): string[] => momentsBetween(...views, VARIANT).map(({ kind }) => kind);

const OPEN: Partial<Turn> = { active: 0 };

test('a lock is that of all who made it, and the next row may be the last', () => {
  const after = table([{ active: 0, white: [LOCK, LOCK] }], { closed: ['R'] });
  expect(momentsBetween(table([OPEN]), after, VARIANT)).toEqual([
    { kind: 'lock', seats: [0, 1], row: 'R' },
    { kind: 'last-row', seats: [] },
  ]);
});

test('a decision is shown once, when it is revealed', () => {
  const white = table([{ active: 0, white: [CHAIN, PASS] }]);
  expect(kinds(table([OPEN]), white)).toEqual(['chain']);
  expect(kinds(white, white)).toEqual([]);
  expect(kinds(white, table([{ active: 0, white: [CHAIN, PASS], colour: PASS }, { active: 1 }]))).toEqual([]);
});

test('a misthrow that brings the last but one says so', () => {
  const before = table([{ active: 0, white: [PASS, PASS] }], { misthrows: 1 });
  const log = [{ active: 0, white: [PASS, PASS], colour: MISTHROW }, { active: 1 }];
  expect(kinds(before, table(log, { misthrows: 2 }))).toEqual(['misthrow']);
  expect(kinds(before, table(log, { misthrows: 3 }))).toEqual(['misthrow', 'last-misthrow']);
});

test('what ends the game comes before the end, which comes once', () => {
  const over = table([{ active: 0, white: [PASS, LOCK] }], { closed: ['R', 'Y'], state: 'over', winners: [1] });
  expect(kinds(table([OPEN], { closed: ['Y'] }), over)).toEqual(['lock', 'end']);
  expect(kinds(over, over)).toEqual([]);
});

test('after an absence only the latest turn counts, and a take-back is no moment', () => {
  const turn = { active: 0, white: [CHAIN, PASS], colour: MISTHROW };
  expect(kinds(table([OPEN]), table([turn, turn, turn, { active: 1, white: [PASS, PASS] }]))).toEqual([]);
  expect(kinds(table([turn]), table([OPEN]))).toEqual([]);
});

test('a game begins with those who have just joined elsewhere', () => {
  const seat = (name: string | null): object => ({ kind: 'person', name });
  const lobby = { table: 'T', state: 'waiting', seats: [seat('Anna'), seat(null)], own: [], position: null } as unknown as View;
  const begun = { ...table([OPEN]), seats: [seat('Anna'), seat('Mia')], own: [{ seat: 0 }] } as unknown as View;
  expect(momentsBetween(lobby, begun, VARIANT)).toEqual([{ kind: 'start', seats: [1] }]);
  expect(momentsBetween(lobby, { ...begun, own: [{ seat: 1 }] } as unknown as View, VARIANT)).toEqual([{ kind: 'start', seats: [] }]);
});

test('the table says what would end the game', () => {
  expect(endIsNear(table([OPEN]), VARIANT)).toBe(null);
  expect(endIsNear(table([OPEN], { closed: ['R'] }), VARIANT)).toBe('moment.last-row');
  expect(endIsNear(table([OPEN], { misthrows: 3 }), VARIANT)).toBe('moment.last-misthrow');
  expect(endIsNear(table([OPEN], { closed: ['R'], misthrows: 3 }), VARIANT)).toBe('moment.last-both');
  expect(endIsNear(table([OPEN], { closed: ['R', 'Y'], state: 'over' }), VARIANT)).toBe(null);
});
