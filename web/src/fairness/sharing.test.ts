import { beforeEach, expect, test, vi } from 'vitest';
import type { StartState, View } from '../protocol.ts';

const NAMES = ['Anna', 'Ben'];
const OTHERS = 'b'.repeat(64); // a commitment of Ben's device

const startOf = (commitment: string, promises: (string | null)[] = [null, null], given = [false, false]): StartState => ({
  commitment,
  seats: promises.map((one, seat) => ({ seat, shares: true, commitment: one, shared: given[seat]! })),
  until: 0,
});
const viewOf = (start: StartState, own = [0], names = NAMES): View => ({ start, table: 'ABC234', seats: names.map((name) => ({ name })), own: own.map((seat) => ({ seat })) }) as unknown as View;

/** The client's code as a page has it that was just opened; without IndexedDB what it keeps is lost with the page. */
async function openPage() {
  const [{ shareCommands }, { readStarts }, { commitmentOf }] = await Promise.all([import('./sharing.ts'), import('./starts.ts'), import('./chance.ts')]);
  return { shareCommands, readStarts, commitmentOf };
}

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal('addEventListener', vi.fn());
});

test('a share is given when all have committed, and each step is sent once', async () => {
  const { shareCommands, readStarts, commitmentOf } = await openPage();
  const [commit, ...none] = await shareCommands(viewOf(startOf('seed')));
  expect(none).toEqual([]);
  expect(await shareCommands(viewOf(startOf('seed')))).toEqual([]);
  const { commitment } = commit as { commitment: string };
  expect(await shareCommands(viewOf(startOf('seed', [commitment, null])))).toEqual([]);
  expect((await readStarts('ABC234'))[0]!.promised).toBe(null);
  const committed = startOf('seed', [commitment, OTHERS]);
  const [given] = await shareCommands(viewOf(committed));
  const { share } = given as { share: string };
  expect(commitmentOf(share)).toBe(commitment);
  expect(await shareCommands(viewOf(committed))).toEqual([]);
  expect(await readStarts('ABC234')).toEqual([{ commitment: 'seed', shares: { Anna: share }, promised: [{ name: 'Anna', commitment }, { name: 'Ben', commitment: OTHERS }] }]);
});

test('the name of another may be that of a property that every object has', async () => {
  const { shareCommands } = await openPage();
  const [commit, ...none] = await shareCommands(viewOf(startOf('seed'), [0], ['Anna', 'constructor']));
  expect([commit!.type, none]).toEqual(['commit', []]);
  const { commitment } = commit as { commitment: string };
  expect(await shareCommands(viewOf(startOf('seed', [commitment, OTHERS]), [0], ['Anna', 'constructor']))).toHaveLength(1);
});

test('a start that comes again changes nothing that was promised', async () => {
  // Who has seen the share could choose another one for Ben that gives the dice they want.
  const { shareCommands, readStarts } = await openPage();
  const [commit] = await shareCommands(viewOf(startOf('seed')));
  const { commitment } = commit as { commitment: string };
  await shareCommands(viewOf(startOf('seed', [commitment, OTHERS])));
  const before = await readStarts('ABC234');
  expect(await shareCommands(viewOf(startOf('seed', [commitment, 'c'.repeat(64)])))).toEqual([]);
  expect(await readStarts('ABC234')).toEqual(before);
});

test('every start has a new share, also if an earlier one comes between', async () => {
  const { shareCommands, readStarts } = await openPage();
  for (const seed of ['one', 'two', 'one', 'three']) await shareCommands(viewOf(startOf(seed)));
  const starts = await readStarts('ABC234');
  expect(starts.map(({ commitment }) => commitment)).toEqual(['one', 'two', 'three']);
  expect(new Set(starts.map(({ shares }) => shares['Anna'])).size).toBe(3);
});

test('two people at a device have a share each, and spectators none', async () => {
  const { shareCommands, readStarts } = await openPage();
  expect(await shareCommands(viewOf(startOf('seed'), []))).toEqual([]);
  expect(await readStarts('ABC234')).toEqual([]);
  expect((await shareCommands(viewOf(startOf('seed'), [0, 1]))).map((one) => [one.type, one.seat])).toEqual([['commit', 0], ['commit', 1]]);
  const { shares } = (await readStarts('ABC234'))[0]!;
  expect(Object.keys(shares)).toEqual(NAMES);
  expect(shares['Anna']).not.toBe(shares['Ben']);
});
