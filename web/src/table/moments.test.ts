import { expect, test } from 'vitest';
import type { Choice, Position, Turn, VariantInfo, View } from '../protocol.ts';
import { endIsNear, momentsBetween, momentText } from './moments.ts';

const VARIANT = { rows: [{ name: 'R' }, { name: 'Y' }], } as unknown as VariantInfo;
const PASS: Choice = { option: '-', marks: [] };
const LOCK: Choice = { option: 'R12#', marks: ['R12'], locks: ['R'] };
const CHAIN: Choice = { option: 'Y3+R4+R5', marks: ['Y3', 'R4', 'R5'] };
const MISTHROW: Choice = { option: 'x', marks: [], misthrow: true };

function table(log: Partial<Turn>[], { last_row = false, last_misthrow = [] as number[], state = 'running' as View['state'], winners = [] as number[] } = {}): View {
  return { table: 'T', state, own: [], log, position: { last_row, last_misthrow }, result: { winners } } as unknown as View;
}
const kinds = (...views: [View, View]): string[] => momentsBetween(...views, VARIANT).map(({ kind }) => kind);

const OPEN: Partial<Turn> = { active: 0 };

test('a lock is that of all who made it, and the next row may be the last', () => {
  const after = table([{ active: 0, white: [LOCK, LOCK] }], { last_row: true });
  expect(momentsBetween(table([OPEN]), after, VARIANT)).toEqual([
    { kind: 'lock', seats: [0, 1], row: 'R' },
    { kind: 'last-row', seats: [] },
  ]);
  expect(kinds(after, after)).toEqual([]);
});

test('a decision is shown once, when it is revealed', () => {
  const white = table([{ active: 0, white: [CHAIN, PASS] }]);
  expect(kinds(table([OPEN]), white)).toEqual(['chain']);
  expect(kinds(white, white)).toEqual([]);
  expect(kinds(white, table([{ active: 0, white: [CHAIN, PASS], colour: PASS }, { active: 1 }]))).toEqual([]);
});

test('a misthrow that brings the last but one says so', () => {
  const before = table([{ active: 0, white: [PASS, PASS] }], { last_misthrow: [1] });
  const log = [{ active: 0, white: [PASS, PASS], colour: MISTHROW }, { active: 1 }];
  expect(kinds(before, table(log, { last_misthrow: [1] }))).toEqual(['misthrow']);
  expect(kinds(before, table(log, { last_misthrow: [0, 1] }))).toEqual(['misthrow', 'last-misthrow']);
});

test('what ends the game comes before the end, which comes once', () => {
  const over = table([{ active: 0, white: [PASS, LOCK] }], { state: 'over', winners: [1] });
  expect(kinds(table([OPEN], { last_row: true }), over)).toEqual(['lock', 'end']);
  expect(kinds(over, over)).toEqual([]);
});

test('"You win" is for the only person at a device, of several the winner is named', () => {
  const seats = ['Anna', 'Ben'].map((name) => ({ name, kind: 'person', bot: null }));
  const said = (own: number[], winners: number[]): string => momentText({ kind: 'end', seats: winners }, { seats, own: own.map((seat) => ({ seat })) } as unknown as View, VARIANT);
  expect([said([0], [0]), said([0, 1], [0]), said([0, 1], [0, 1]), said([0], [1])]).toEqual(['moment.win', 'result.wins', 'play.over', 'play.over']);
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
  const near = (last_row: boolean, last_misthrow: number[]): string | null => endIsNear({ last_row, last_misthrow } as Position);
  expect(near(false, [])).toBe(null);
  expect(near(true, [])).toBe('moment.last-row');
  expect(near(false, [1])).toBe('moment.last-misthrow');
  expect(near(true, [0])).toBe('moment.last-both');
});
