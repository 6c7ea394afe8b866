import { expect, test, vi } from 'vitest';
import type { Seat, View } from '../protocol.ts';
import { offerMessage, offersFor, replacedSeats } from './replacement.ts';

vi.mock('../i18n.svelte.ts', () => ({ t: (key: string) => key, hasMessage: () => true, formatList: (names: string[]) => names.join() }));

const person = (name: string, more: Partial<Seat> = {}): Seat => ({ name, kind: 'person', bot: null, connected: true, absent: false, trouble: null, sheet: null, shares: true, ...more });
const table = (own: number[], more: Partial<View> = {}): View =>
  ({ state: 'running', seats: [person('Anna'), person('Ben'), person('Chloe')], own: own.map((seat) => ({ seat })), awaited: [1], votes: null, ...more }) as unknown as View;

test('a bot is offered for a connected player only after a minute without a decision', () => {
  expect(offersFor(table([0]), false)).toEqual([]);
  expect(offersFor(table([0]), true)).toEqual([{ seat: 1, reason: 'undecided', bot: null, voters: [], missing: [0, 2], canVote: true }]);
  expect(offersFor(table([0], { awaited: [0] }), true)).toEqual([]);
});

test('a bot is offered for an absent player at once', () => {
  const seats = [person('Anna'), person('Ben', { connected: false, absent: true })];
  expect(offersFor(table([0], { seats, awaited: [] }), false)).toMatchObject([{ seat: 1, reason: 'absent', canVote: true }]);
});

test('a vote of others is shown, and joined for the same bot once', () => {
  const votes = { seat: 1, bot: 'greedy', voters: [2] };
  expect(offersFor(table([0], { votes }), false)).toMatchObject([{ bot: 'greedy', voters: [2], missing: [0], canVote: true }]);
  expect(offersFor(table([2], { votes }), false)).toMatchObject([{ missing: [0], canVote: false }]);
  expect(offersFor(table([], { votes }), false)).toMatchObject([{ canVote: false }]);
});

test('nobody votes on their own seat', () => {
  expect(offersFor(table([1]), true)).toEqual([]);
});

test('a seat of this device for which a bot plays is known while the game runs', () => {
  const seats = [person('Anna'), person('Ben', { bot: 'greedy' }), person('greedy', { kind: 'bot', bot: 'greedy' })];
  expect(replacedSeats(table([0, 1], { seats }))).toEqual([1]);
  expect(replacedSeats(table([1], { seats, state: 'over' }))).toEqual([]);
});

test('a vote for a bot can be repeated when nobody is missing any more', () => {
  const seats = [person('Anna', { connected: false }), person('Ben'), person('Chloe')];
  const view = table([2], { seats, votes: { seat: 1, bot: 'greedy', voters: [2] } });
  const [offer] = offersFor(view, false);
  expect(offer).toMatchObject({ missing: [], canVote: true });
  expect(offerMessage(view, offer!)).not.toContain('say.waiting');
});
