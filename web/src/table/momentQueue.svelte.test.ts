import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Choice, Turn, VariantInfo, View } from '../protocol.ts';
import { MomentQueue } from './momentQueue.svelte.ts';
import type { TableSubscription } from './subscription.svelte.ts';

vi.mock('../i18n.svelte.ts', () => ({
  t: (id: string, values: object = {}) => [id, ...Object.values(values)].join(' '),
  n: (id: string, count: number, values: object = {}) => [id, count, ...Object.values(values)].join(' '),
  hasMessage: () => false,
  formatList: (names: string[]) => names.join('+'),
}));

const VARIANT = { rows: [], misthrow_cost: 5 } as unknown as VariantInfo;
const PASS: Choice = { option: '-', marks: [] };
const MISTHROW: Choice = { option: 'x', marks: [], misthrow: true };

/** Anna and Ben, after these decisions of Anna in her colour actions. */
const table = (decisions: (Choice | null)[], more: { state?: string; last_misthrow?: number[] } = {}): View => {
  const log = decisions.map((colour): Partial<Turn> => ({ active: 0, white: [PASS, PASS], ...(colour ? { colour } : {}) }));
  const { state = 'running', last_misthrow = [] } = more;
  const seats = ['Anna', 'Ben'].map((name) => ({ name, kind: 'person', bot: null }));
  return { table: 'T', state, seats, own: [{ seat: 1 }], log, position: { last_row: false, last_misthrow }, result: { winners: [0] } } as unknown as View;
};

let stop: () => void;
let view = $state.raw<View>(null!);
let phaseNumber = $state(1);
const subscription = { get phaseNumber() { return phaseNumber; } } as unknown as TableSubscription;

function queue(now: View, of: TableSubscription | null = subscription, before: View | null = null): MomentQueue {
  [view, phaseNumber] = [now, 1];
  let made!: MomentQueue;
  stop = $effect.root(() => {
    made = new MomentQueue(() => of, () => view, () => VARIANT, before);
  });
  flushSync();
  return made;
}
function show(now: View): void {
  [view, phaseNumber] = [now, phaseNumber + 1];
  flushSync();
}
const kinds = (one: MomentQueue): string[] => one.moments.map(({ kind }) => kind);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

test('what a view brings is shown one after another, and read out until the next phase', () => {
  const one = queue(table([null]));
  expect([kinds(one), one.news]).toEqual([[], '']);
  show(table([MISTHROW, null]));
  show(table([MISTHROW, MISTHROW, null]));
  expect([kinds(one), one.news]).toEqual([['misthrow', 'misthrow'], 'moment.misthrow Anna 5.']);
  one.next();
  expect(kinds(one)).toEqual(['misthrow']);
  show(table([MISTHROW, MISTHROW, PASS]));
  expect([kinds(one), one.news]).toEqual([['misthrow'], '']);
});

test('that the end is near is read out only', () => {
  const one = queue(table([null]));
  show(table([MISTHROW, null], { last_misthrow: [0] }));
  expect([kinds(one), one.news]).toEqual([['misthrow'], 'moment.misthrow Anna 5. moment.last-misthrow.']);
});

test('the last marks are seen for a while before the result', () => {
  const one = queue(table([null]));
  show(table([MISTHROW], { state: 'over' }));
  expect([kinds(one), one.lastLook, one.news]).toEqual([['misthrow', 'end'], true, 'moment.misthrow Anna 5.']);
  vi.advanceTimersByTime(1900);
  expect(one.lastLook).toBe(false);
});

test('at most one other moment precedes the end, and none without motion', () => {
  for (const [matches, expected] of [[false, ['misthrow', 'end']], [true, ['end']]] as const) {
    vi.stubGlobal('matchMedia', () => ({ matches }));
    const one = queue(table([null]));
    show(table([MISTHROW, null]));
    show(table([MISTHROW, MISTHROW, null]));
    show(table([MISTHROW, MISTHROW, MISTHROW], { state: 'over' }));
    expect(kinds(one)).toEqual(expected);
    if (!matches) stop();
  }
});

test('without motion the result comes at once, and so it does when the page of an old game is opened', () => {
  expect(queue(table([MISTHROW], { state: 'over' })).lastLook).toBe(false);
  stop();
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  const one = queue(table([null]));
  show(table([MISTHROW], { state: 'over' }));
  expect(one.lastLook).toBe(false);
});

test('the last view of the lobby says who has joined', () => {
  const lobby = { ...table([]), state: 'waiting', seats: [{ name: null }, { name: 'Ben' }], position: null } as unknown as View;
  expect(queue(table([null]), subscription, lobby).moments).toEqual([{ kind: 'start', seats: [0] }]);
});

test('a lesson brings nothing', () => {
  const one = queue(table([null]), null);
  show(table([MISTHROW], { state: 'over' }));
  expect([kinds(one), one.lastLook, one.news]).toEqual([[], false, '']);
});
