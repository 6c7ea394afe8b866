import { expect, test, vi } from 'vitest';
import type { RematchState, Seat, View } from '../protocol.ts';
import { awaitedForRematch, namesInRematch, ownAnswer, rematchMessage } from './rematch.ts';

vi.mock('../i18n.svelte.ts', () => ({
  t: (id: string, { names }: { names: string }) => `${id} ${names}`,
  hasMessage: () => false,
  formatList: (names: string[]) => names.join('+'),
}));

const person = (name: string, more: Partial<Seat> = {}): Seat => ({ name, kind: 'person', bot: null, connected: true, absent: false, trouble: null, sheet: null, shares: true, ...more });
const SEATS = [person('Anna'), person('Ben'), person('Chloe', { connected: false, absent: true }), person('Dora', { bot: 'greedy' }), person('greedy', { kind: 'bot', bot: 'greedy', connected: false }), person('Emil', { connected: false })];
const view = (rematch: Partial<RematchState>, ...own: number[]): View =>
  ({ seats: SEATS, own: own.map((seat) => ({ seat })), rematch: { agreed: [], declined: [], table: null, ...rematch } }) as unknown as View;

test('the rematch waits for people who are not absent and have not answered', () => {
  expect(awaitedForRematch(view({}))).toEqual([0, 1, 5]);
  expect(awaitedForRematch(view({ agreed: [0], declined: [1, 5] }))).toEqual([]);
});

test('everybody sees who has answered what', () => {
  expect(rematchMessage(view({}))).toBe('');
  expect(rematchMessage(view({ agreed: [0] }))).toBe('rematch.agreed Anna say.waiting Ben+Emil');
  expect(rematchMessage(view({ agreed: [0, 2], declined: [1, 5] }))).toBe('rematch.agreed Anna+Chloe rematch.declined Ben+Emil');
  expect(rematchMessage(view({ agreed: [0], table: 'DEF567' }))).toBe('');
});

test('the people at one device answer together; those who agreed play', () => {
  expect(ownAnswer(view({ declined: [0] }, 1))).toBe(null);
  expect(ownAnswer(view({ declined: [0, 1] }, 0, 1))).toBe(false);
  expect(ownAnswer(view({ agreed: [0], declined: [1] }, 0, 1))).toBe(true);
  expect(namesInRematch(view({ agreed: [0, 2] }, 0, 1))).toEqual(['Anna']);
  expect(namesInRematch(view({ agreed: [0] }))).toEqual([]);
});
