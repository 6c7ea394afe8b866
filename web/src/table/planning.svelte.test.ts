import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Plan, VariantInfo, View } from '../protocol.ts';
import { Planning } from './planning.svelte.ts';
import type { TableSubscription } from './subscription.svelte.ts';

const { playableBot } = vi.hoisted(() => ({ playableBot: vi.fn() }));
vi.mock('../api.ts', () => ({ playableBot }));

const CLASSIC = { id: 'classic', sheets: [{ letter: null }] } as unknown as VariantInfo;
const LETTERS = { id: 'connected-a', sheets: [{ letter: 'A' }, { letter: 'B' }] } as unknown as VariantInfo;
const OPTIONS = { seconds: null, pause: 0, hints: false, dice: 'rolled' } as const;

const seat = (bot: string | null = null, sheet: string | null = null) => ({ bot, sheet });
const lobby = (seats: object[], more: object = {}): View => ({ seats, seconds: 30, pause: 2, hints: true, dice: 'rolled', ...more }) as unknown as View;

let stop: () => void;
let view = $state.raw<View>(null!);
let error = $state.raw<object | null>(null);
const sent: Omit<Plan, 'type' | 'id' | 'table'>[] = [];
const start = vi.fn();
const subscription = {
  start,
  plan: (plan: (typeof sent)[number]) => sent.push(plan),
  get error() {
    return error;
  },
} as unknown as TableSubscription;

function planning(now: View, variant = CLASSIC): Planning {
  view = now;
  let made!: Planning;
  stop = $effect.root(() => {
    made = new Planning(() => subscription, () => view, () => variant);
  });
  flushSync();
  return made;
}
const bots = (): (string | null | undefined)[][] => sent.map(({ seats }) => seats.map(({ bot }) => bot));
const settle = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => playableBot.mockImplementation((bot: string) => Promise.resolve(bot)));
afterEach(() => {
  stop();
  error = null;
  sent.length = 0;
  vi.resetAllMocks();
});

test('a change builds on the one before, which is not in a view yet', async () => {
  const one = planning(lobby([seat(), seat()]));
  one.changeSeat(1, { bot: 'greedy' });
  one.addSeat();
  one.removeSeat(0);
  await settle();
  expect(bots()).toEqual([[null, 'greedy'], [null, 'greedy', null], ['greedy', null]]);
  expect(sent[0]).toMatchObject({ variant: 'classic', seconds: 30, pause: 2, hints: true, dice: 'rolled' });
});

test('once a view shows the change, the next one builds on the view', async () => {
  const one = planning(lobby([seat(), seat()]));
  one.changeSeat(1, { bot: 'greedy' });
  view = lobby([seat(), seat('greedy')]);
  flushSync();
  view = lobby([seat(), seat('rush')]); // the host has changed it on another device
  flushSync();
  one.addSeat();
  await settle();
  expect(bots().at(-1)).toEqual([null, 'rush', null]);
});

test('after a refusal the next change builds on the view', async () => {
  const one = planning(lobby([seat(), seat()]));
  one.addSeat();
  error = { code: 'storage' };
  flushSync();
  one.changeSeat(0, { bot: 'eager' });
  await settle();
  expect(bots()).toEqual([[null, null, null], ['eager', null]]);
});

test('a start comes after the change that is on its way', async () => {
  let answer = (_: string): void => undefined;
  playableBot.mockImplementation(() => new Promise((resolve) => (answer = resolve)));
  const one = planning(lobby([seat(), seat()]));
  one.changeSeat(1, { bot: 'champion' });
  one.start();
  await settle();
  expect([sent, start.mock.calls.length]).toEqual([[], 0]);
  answer('scholar');
  await settle();
  expect([bots(), start.mock.calls.length]).toEqual([[[null, 'scholar']], 1]);
});

test('another game keeps the bots and letters that it has, and changes keep their order', async () => {
  playableBot.mockImplementation((bot: string) => (bot === 'rush' ? Promise.resolve(undefined) : Promise.reject(new Error('offline'))));
  const one = planning(lobby([seat(null, 'B'), seat('greedy', 'C'), seat('rush')]));
  one.changeTable(LETTERS, OPTIONS);
  one.changeTable(CLASSIC, { ...OPTIONS, dice: 'none' });
  await settle();
  expect(sent.map(({ variant, seats }) => [variant, seats])).toEqual([
    ['connected-a', [seat(null, 'B'), seat('greedy'), seat()]],
    ['classic', [seat(), seat(), seat()]],
  ]);
});

test('hints are for a person alone unless several people have asked for them', async () => {
  const one = planning(lobby([seat(), seat('greedy')]));
  one.addSeat();
  await settle();
  expect(sent[0]!.hints).toBe(false);
});
