import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Pace } from '../storage.svelte.ts';
import { Session, type Services } from './session.ts';
import type { StoredTable } from './store.ts';
import type { LocalTable } from './table.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** How many decisions a bot has made after these milliseconds. */
async function decisionsAfter(pace: Pace, milliseconds: number): Promise<number> {
  let decisions = 0;
  const table = {
    code: 'here',
    seq: 1,
    rollAt: null,
    game: { turn: 1, phase: 'white' },
    botsToAct: [{ seat: 1, bot: 'greedy' }],
    view: () => ({}),
    chooseForBot: () => '-',
    decideByBot: () => (decisions++, []),
  } as unknown as LocalTable;
  const services = { pace: () => pace, store: { append: async () => undefined }, reportSaved: () => undefined, announce: () => undefined } as unknown as Services;
  const session = new Session(table, {} as StoredTable, [], services);
  session.subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(milliseconds);
  session.unsubscribe(() => undefined);
  return Math.min(decisions, 1); // it is asked again and again
}

test('bots decide at the pace that was chosen', async () => {
  expect(await decisionsAfter('quick', 151)).toBe(1);
  expect(await decisionsAfter('normal', 249)).toBe(0);
  expect(await decisionsAfter('normal', 751)).toBe(1);
  expect(await decisionsAfter('slow', 799)).toBe(0);
  expect(await decisionsAfter('slow', 2401)).toBe(1);
});
