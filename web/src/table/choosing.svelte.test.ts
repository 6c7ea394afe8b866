import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Choice, View } from '../protocol.ts';
import { Choosing } from './choosing.svelte.ts';
import type { PlaySubscription } from './subscription.svelte.ts';

vi.mock('./sound.ts', () => ({ play: vi.fn(), vibrate: vi.fn() }));

const PASS: Choice = { option: '-', marks: [] };
const MISTHROW: Choice = { option: 'x', marks: [], misthrow: true };
const R5: Choice = { option: 'R5', marks: ['R5'] };
const G9_RED: Choice = { option: 'G9+R6', marks: ['G9', 'R6'] };
const G9_BLUE: Choice = { option: 'G9+B8', marks: ['G9', 'B8'] };

let stop: () => void;
let view = $state.raw<View>(null!);
const subscription = { sent: new Map(), phaseNumber: 1, decide: vi.fn(), withdraw: vi.fn(), ask: vi.fn(), clearObstacle: vi.fn() };

/** A white action in which each of these seats is at this device and has these options. */
const table = (...options: Choice[][]): View =>
  ({
    state: 'running',
    seats: options.map(() => ({ bot: null })),
    own: options.map((own, seat) => ({ seat, options: own, decision: null, hand: [], takeback: [] })),
    to_act: options.map((_, seat) => seat),
    position: { turn: 3, phase: 'white', active: 0 },
  }) as unknown as View;

function choosing(now: View, preferences: { oneTap?: boolean; autoPass?: boolean; handover?: boolean } = {}): Choosing {
  view = now;
  let made!: Choosing;
  stop = $effect.root(() => {
    made = new Choosing(() => subscription as unknown as PlaySubscription, () => view, () => preferences);
  });
  flushSync();
  return made;
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  stop();
  vi.clearAllMocks();
  vi.useRealTimers();
});

test('a tap chooses, and the decision that is sent clears the choice', () => {
  const one = choosing(table([PASS, R5]));
  expect(one.situation.decision.state).toBe('choosing');
  one.pick('R5');
  expect(one.situation.decision).toMatchObject({ state: 'chosen', chosen: R5 });
  expect(subscription.clearObstacle).toHaveBeenCalledOnce();
  one.decide(R5);
  expect(subscription.decide).toHaveBeenCalledWith(0, R5);
  expect(one.situation.decision.state).toBe('choosing');
});

test('for a cell that cannot be marked the reason is asked', () => {
  const one = choosing(table([PASS, R5]));
  one.pick('Y7*');
  expect(subscription.ask).toHaveBeenCalledWith({ seat: 0, spot: 'Y7', swap: null, chosen: null });
  expect(one.situation.decision.state).toBe('choosing');
});

test('nothing can be chosen before the dice lie still', () => {
  const one = choosing(table([PASS, R5]));
  one.roll = 'ready';
  expect(one.situation.decision.state).toBe('rolling');
  one.roll = 'still';
  expect(one.situation.decision.state).toBe('choosing');
});

test('with one tap the only option of a cell is a decision, and a double tap is one tap', () => {
  const one = choosing(table([PASS, R5, G9_RED, G9_BLUE]), { oneTap: true });
  one.pick('G9'); // two ways to mark it
  expect(one.situation.decision).toMatchObject({ state: 'chosen', alternatives: [G9_RED, G9_BLUE] });
  one.pick('R5');
  one.pick('R5');
  expect(subscription.decide.mock.calls).toEqual([[0, R5]]);
  vi.advanceTimersByTime(400);
  one.pick('R5');
  expect(subscription.decide).toHaveBeenCalledTimes(2);
});

test('a misthrow is sent when it is confirmed, unless nothing else is possible', () => {
  const one = choosing(table([MISTHROW, R5]));
  one.decide(MISTHROW);
  expect([one.situation.misthrow, subscription.decide.mock.calls]).toEqual([MISTHROW, []]);
  one.cancelMisthrow();
  expect(one.situation.misthrow).toBeNull();
  one.decide(MISTHROW);
  one.decide(MISTHROW);
  expect(subscription.decide.mock.calls).toEqual([[0, MISTHROW]]);
  view = table([MISTHROW]);
  one.decide(MISTHROW);
  expect(subscription.decide).toHaveBeenCalledTimes(2);
});

test('where nothing can be marked the pass comes by itself after a pause, whatever views come meanwhile', () => {
  choosing(table([PASS]), { autoPass: true });
  vi.advanceTimersByTime(1000);
  view = table([{ ...PASS }]);
  flushSync();
  vi.advanceTimersByTime(199);
  expect(subscription.decide).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(subscription.decide.mock.calls).toEqual([[0, PASS]]);
});

test('a pass does not come by itself if there is something to mark after all', () => {
  choosing(table([PASS]), { autoPass: true });
  vi.advanceTimersByTime(1000);
  view = table([PASS, R5]);
  flushSync();
  vi.advanceTimersByTime(5000);
  expect(subscription.decide).not.toHaveBeenCalled();
});

test('after a decision the device is handed over', () => {
  const one = choosing(table([PASS, R5], [PASS]), { handover: true });
  one.decide(R5);
  view = { ...table([], [PASS]), to_act: [1] };
  expect([one.situation.seat, one.situation.decision.state]).toEqual([1, 'handover']);
  one.takeDevice();
  expect(one.situation.decision.state).toBe('choosing');
});

test('a decision is withdrawn for the seat that is asked', () => {
  const one = choosing(table([PASS], [PASS]));
  one.selectSeat(1);
  one.withdraw();
  expect(subscription.withdraw.mock.calls).toEqual([[1]]);
});
