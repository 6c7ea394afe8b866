import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Pace } from '../storage.svelte.ts';
import { Session, type Services } from './session.ts';
import { Conflict, type StoredTable } from './store.ts';
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

test('a command is run again if another tab has stored events first', async () => {
  const table = (seq: number): LocalTable =>
    ({ code: 'here', seq, rollAt: null, game: null, botsToAct: [], view: () => ({ type: 'view', seq }), command: () => [{ kind: 'undone', seat: seq }], append: (events: unknown[]) => events }) as unknown as LocalTable;
  const tries: unknown[] = [];
  const append = (_code: string, first: number, events: unknown[]): Promise<void> => {
    tries.push([first, events]);
    return tries.length === 1 ? Promise.reject(new Conflict()) : Promise.resolve();
  };
  const store = { append, read: () => Promise.resolve({ table: {}, events: [{ at: 0, event: { kind: 'newroll' } }, { at: 0, event: { kind: 'newroll' } }] }) };
  const services = { store, rebuild: () => Promise.resolve(table(2)), reportSaved: () => undefined, announce: () => undefined } as unknown as Services;
  const session = new Session(table(1), {} as StoredTable, [{ at: 0, event: { kind: 'newroll', turn: 1 } }], services);
  const replies: { type: string; seq?: number }[] = [];
  session.command({ type: 'undo', table: 'here', seat: 0, turn: 1, option: 'R5', id: 'one' }, (reply) => replies.push(reply as never));
  await vi.advanceTimersByTimeAsync(0);
  expect(tries).toMatchObject([
    [2, [{ event: { seat: 1 } }]],
    [3, [{ event: { seat: 2 } }]],
  ]);
  expect(replies).toMatchObject([{ type: 'ack', id: 'one', seq: 3 }]);
});
