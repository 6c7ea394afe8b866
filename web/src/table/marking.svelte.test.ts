import { flushSync } from 'svelte';
import { afterEach, expect, test, vi } from 'vitest';
import type { Choice, View } from '../protocol.ts';
import { Marking } from './marking.svelte.ts';
import type { TableSubscription } from './subscription.svelte.ts';

vi.mock('./sound.ts', () => ({ play: vi.fn(), vibrate: vi.fn() }));
vi.mock('../i18n.svelte.ts', () => ({
  t: (id: string, values: object = {}) => [id, ...Object.values(values)].join(' '),
  n: (id: string) => id,
  hasMessage: () => true,
  capitalize: (text: string) => text,
  formatList: (names: string[]) => names.join(' and '),
}));

const MISTHROW: Choice = { option: 'x', marks: [], misthrow: true };
const R5: Choice = { option: 'R5', marks: ['R5'] };
const OPEN: Choice = { option: 'G11+R2', marks: ['G11', 'R2'] };
const CLOSED: Choice = { option: 'G11+Y2', marks: ['G11', 'Y2'], closed: ['R'] };
const SWAPPED: Choice = { option: '8>Y5', marks: ['Y5'], swap: '8/5', swapped: 8 };
const SWAPPED_RED: Choice = { option: '8>R5', marks: ['R5'], swap: '8/5', swapped: 8 };
const OPTIONS = [R5, OPEN, CLOSED, SWAPPED, SWAPPED_RED, MISTHROW];

interface Table {
  turn?: number;
  options?: Choice[];
  marks?: { seat: number; mark: Choice }[];
  locks?: Record<string, number[]>;
  ending?: boolean;
  own?: number[];
}
const table = ({ turn = 1, options = OPTIONS, marks = [], locks = {}, ending = false, own = [0, 1] }: Table = {}): View =>
  ({
    seats: ['Anna', 'Ben'].map((name) => ({ kind: 'person', name })),
    own: own.map((seat) => ({ seat, options })),
    position: { turn },
    since_roll: { marks, locks, ending },
  }) as unknown as View;

let stop: () => void;
let view = $state.raw<View>(null!);
let error = $state.raw<object | null>(null);
const sent = new Map<number, Choice | null>();
const commands = { mark: vi.fn(), undo: vi.fn(), newRoll: vi.fn(), ask: vi.fn(), clearObstacle: vi.fn() };
const subscription = {
  ...commands,
  sent,
  get error() {
    return error;
  },
  set error(now: object | null) {
    error = now;
  },
} as unknown as TableSubscription;

function marking(now = table()): Marking {
  view = now;
  let made!: Marking;
  stop = $effect.root(() => {
    made = new Marking(() => subscription, () => view);
  });
  flushSync();
  return made;
}
function show(now: View): void {
  view = now;
  flushSync();
}

afterEach(() => {
  stop();
  sent.clear();
  error = null;
  vi.clearAllMocks();
});

test('a tap marks once, however fast the second one comes', () => {
  const one = marking();
  one.pick('R5');
  sent.set(0, R5);
  one.pick('R5');
  expect(commands.mark.mock.calls).toEqual([[0, R5]]);
});

test('what cannot be marked is asked about', () => {
  marking().pick('Y7*');
  expect(commands.ask.mock.calls).toEqual([[{ seat: 0, spot: 'Y7' }]]);
});

test('a swap field waits for its cell; another tap on it forgets it', () => {
  const one = marking();
  one.pick('8/5');
  expect(one.now).toEqual({ state: 'swapping', swap: '8/5' });
  one.pick('8/5');
  expect(one.now.state).toBe('ready');
  one.pick('8/5');
  one.pick('Y5');
  expect([commands.mark.mock.calls, one.now.state]).toEqual([[[0, SWAPPED]], 'ready']);
});

test('which mark is meant follows from whether a row is closed already', () => {
  const one = marking(table({ locks: { R: [1] } }));
  one.pick('G11');
  expect([one.now.state, one.doubtfulRow]).toEqual(['asking', 'R']);
  one.answer(true);
  expect([commands.mark.mock.calls, one.now.state]).toEqual([[[0, CLOSED]], 'ready']);
});

test('a question ends with its options and with the roll', () => {
  const one = marking();
  one.pick('G11');
  show(table({ marks: [{ seat: 1, mark: R5 }] }));
  expect(one.now.state).toBe('asking'); // what others mark changes nothing
  show(table({ options: [OPEN, MISTHROW] }));
  expect(one.now.state).toBe('ready');
  one.pick('8/5');
  show(table());
  one.pick('8/5');
  show(table({ turn: 2 }));
  expect(one.now.state).toBe('ready');
});

test('a misthrow that this roll does not allow is one in a new roll', () => {
  const one = marking(table({ options: [R5] }));
  one.takeMisthrow();
  expect([one.now.state, one.canMisthrow, commands.mark.mock.calls]).toEqual(['confirming', true, []]);
  one.misthrowInNewRoll();
  expect(commands.newRoll).toHaveBeenCalledOnce();
  expect([commands.mark.mock.calls, one.now.state]).toEqual([[[0, MISTHROW]], 'ready']);
});

test('a mark of anybody takes the question back whether there was a new roll', () => {
  const one = marking(table({ options: [R5] }));
  one.takeMisthrow();
  show(table({ options: [R5], marks: [{ seat: 1, mark: R5 }] }));
  expect(one.now.state).toBe('ready');
});

test('there is no new roll where the game ends', () => {
  const one = marking(table({ options: [R5], ending: true }));
  one.takeMisthrow();
  expect([one.now.state, one.canMisthrow]).toEqual(['ready', false]);
});

test('the last mark of the player can be undone, also while it is on its way', () => {
  const one = marking(table({ marks: [{ seat: 0, mark: OPEN }, { seat: 1, mark: R5 }] }));
  expect(one.undoable).toEqual(OPEN);
  one.select(1);
  expect(one.undoable).toEqual(R5);
  sent.set(1, CLOSED);
  one.undo();
  expect(commands.undo.mock.calls).toEqual([[1, CLOSED]]);
});

test('a lock that was undone is told until the next change', () => {
  const one = marking(table({ locks: { R: [1] } }));
  show(table());
  expect(one.undone).toBe('scoring.reopened Ben colour.R');
  show(table({ marks: [{ seat: 0, mark: R5 }] }));
  expect(one.undone).toBe('');
});

test('why a mark was refused is asked when its roll is shown', () => {
  marking();
  error = { code: 'outdated', values: { turn: 2 }, mark: { seat: 1, option: 'R5+Y6' } };
  flushSync();
  expect(commands.ask).not.toHaveBeenCalled();
  show(table({ turn: 2 }));
  expect(commands.ask.mock.calls).toEqual([[{ seat: 1, spot: 'R5' }]]);
  expect(error).toEqual({ code: 'outdated', values: { turn: 2 } });
});

test('a spectator marks nothing', () => {
  const one = marking(table({ own: [] }));
  one.pick('R5');
  one.undo();
  expect([one.seat, one.undoable, commands.mark.mock.calls, commands.undo.mock.calls]).toEqual([null, null, [], []]);
});
