import { expect, test, vi } from 'vitest';
import type { TakebackRequest, Turn, VariantInfo, View } from '../protocol.ts';
import { reopenable, requestMessage, seatsToAnswer, wasDeclined, withEndedTurn } from './takeback.ts';

vi.mock('../i18n.svelte.ts', () => ({
  t: (id: string, values: object = {}) => [id, ...Object.values(values)].join(' '),
  hasMessage: () => false,
  formatList: (names: string[]) => names.join('+'),
}));

const VARIANT = { rows: [], fields: [] } as unknown as VariantInfo;
const dice = { roll: '41-3256', white: [4, 1], coloured: {} };
const ENDED: Turn = { active: 1, dice: dice as never, white: [{ option: '-', marks: [] }, { option: 'R5', marks: ['R5'] }, { option: '-', marks: [] }], colour: { option: 'x', marks: [], misthrow: true } };
const seats = ['Anna', 'Ben', 'Chloe'].map((name) => ({ name, kind: 'person', bot: null }));
const request = (seat: number, more: Partial<TakebackRequest> = {}): TakebackRequest => ({ seat, turn: 1, phase: 'white', agreed: [], until: 9, ...more });

/** Turn 1 of Ben has ended, the next roll has not come. */
const paused = (own: number[], more: Partial<View> = {}): View =>
  ({
    seats,
    own: own.map((seat) => ({ seat, takeback: seat === 1 ? ['colour', 'white'] : ['white'] })),
    log: [ENDED],
    roll_at: 1000,
    takeback: null,
    position: { turn: 2, phase: 'roll', active: 2, dice: null },
    ...more,
  }) as unknown as View;

test('during the pause the turn that has ended stays on the table', () => {
  expect(withEndedTurn(paused([0])).position).toMatchObject({ turn: 1, active: 1, dice, phase: 'roll' });
  const rolled = paused([0], { roll_at: null });
  expect(withEndedTurn(rolled)).toBe(rolled);
  const first = paused([0], { log: [] });
  expect(withEndedTurn(first)).toBe(first);
});

test('the latest decision of a seat can be asked back, in the pause and in the next phase', () => {
  expect(reopenable(paused([0]), 0, null)).toEqual({ seat: 0, turn: 1, phase: 'white' });
  expect(reopenable(withEndedTurn(paused([1])), 1, null)).toEqual({ seat: 1, turn: 1, phase: 'colour' });
  expect(reopenable(paused([0], { roll_at: null, position: { turn: 1, phase: 'colour' } as never }), 0, null)).toEqual({ seat: 0, turn: 1, phase: 'white' });
});

test('there is one request at a time, and none for spectators', () => {
  expect(reopenable(paused([0]), 0, request(1))).toBe(null);
  expect(reopenable(paused([]), null, null)).toBe(null);
});

test('all other people have to agree; bots always do', () => {
  expect(seatsToAnswer(paused([0, 2]), request(1))).toEqual([0, 2]);
  expect(seatsToAnswer(paused([0, 2]), request(1, { agreed: [2] }))).toEqual([0]);
  expect(seatsToAnswer(paused([0]), request(0))).toEqual([]);
  expect(seatsToAnswer(paused([0], { seats: [{ ...seats[0], bot: 'greedy' }, seats[1]] as never }), request(1))).toEqual([]);
});

test('the others read who asks for what, the player who asks reads who has to answer', () => {
  expect(requestMessage(paused([0]), VARIANT, request(1))).toBe('takeback.asks Ben cell.plain colour.R 5');
  expect(requestMessage(paused([1]), VARIANT, request(1, { agreed: [0] }))).toBe('takeback.asked Ben cell.plain colour.R 5 say.waiting Chloe');
  expect(requestMessage(paused([0]), VARIANT, request(1, { phase: 'colour' }))).toBe('takeback.asks Ben mark.misthrow');
  expect(requestMessage(paused([0]), VARIANT, null)).toBe('');
});

test('a request that ends without opening the decision was declined', () => {
  const asked = paused([0], { takeback: request(0) });
  expect(wasDeclined(asked, paused([0]))).toBe(true);
  expect(wasDeclined(asked, asked)).toBe(false);
  expect(wasDeclined(asked, paused([0], { position: { turn: 1, phase: 'white' } as never }))).toBe(false);
  expect(wasDeclined(paused([1], { takeback: request(0) }), paused([1]))).toBe(false);
});
