import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { VariantInfo, View } from '../protocol.ts';
import type { Situation } from './decision.ts';
import { UNDECIDED_MILLISECONDS } from './replacement.ts';
import { Requests } from './requests.svelte.ts';
import type { PlaySubscription } from './subscription.svelte.ts';

vi.mock('../i18n.svelte.ts', () => ({
  t: (id: string, values: object = {}) => [id, ...Object.values(values)].join(' ').trim(),
  hasMessage: () => false,
  formatList: (names: string[]) => names.join('+'),
}));

const seat = (name: string) => ({ name, kind: 'person', bot: null, connected: true, absent: false });
/** Anna is at this device; Ben has not decided. */
const table = (more: object = {}): View => ({ state: 'running', seats: [seat('Anna'), seat('Ben')], own: [{ seat: 0 }], awaited: [1], votes: null, takeback: null, log: [], ...more }) as unknown as View;
const WAITING = { moment: '3 white 1', decision: { state: 'waiting' } } as Situation;
const DECIDING = { moment: '3 white 1', decision: { state: 'choosing', options: [{ option: '-', marks: [] }], swap: null } } as unknown as Situation;

let stop: () => void;
let view = $state.raw<View>(null!);
let situation = $state.raw<Situation>(WAITING);

function requests(now: View, then = WAITING): Requests {
  [view, situation] = [now, then];
  let made!: Requests;
  stop = $effect.root(() => {
    made = new Requests(() => ({ now: () => Date.now() }) as PlaySubscription, () => view, () => situation);
  });
  flushSync();
  return made;
}

beforeEach(() => vi.useFakeTimers({ now: 1000 }));
afterEach(() => {
  stop();
  vi.useRealTimers();
});

test('a request to take back expires without a view', () => {
  const one = requests(table({ takeback: { seat: 1, turn: 1, phase: 'white', agreed: [], until: 6000 } }));
  expect(one.takeback).toMatchObject({ seat: 1 });
  expect(one.message({} as VariantInfo)).toBe('takeback.asks Ben');
  vi.advanceTimersByTime(5000);
  expect([one.takeback, one.message({} as VariantInfo)]).toEqual([null, '']);
});

test('a bot is offered when a moment has lasted long, to players who wait', () => {
  const one = requests(table());
  view = table();
  flushSync();
  vi.advanceTimersByTime(UNDECIDED_MILLISECONDS - 1);
  expect(one.offers).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(one.offers).toMatchObject([{ seat: 1, reason: 'undecided' }]);
  situation = DECIDING;
  expect(one.offers).toEqual([]);
});

test('another moment begins the time anew', () => {
  const one = requests(table());
  vi.advanceTimersByTime(UNDECIDED_MILLISECONDS - 1);
  situation = { ...WAITING, moment: '3 colour 2' };
  flushSync();
  vi.advanceTimersByTime(UNDECIDED_MILLISECONDS - 1);
  expect(one.offers).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(one.offers).toHaveLength(1);
  situation = { ...WAITING, moment: '4 white 3' };
  expect(one.offers).toEqual([]);
});
