import { describe, expect, test } from 'vitest';
import type { Choice, Own, View } from '../protocol.ts';
import {
  afterDeciding,
  cardStateOf,
  cellsOf,
  chooseOption,
  chosenOf,
  colourJoker,
  lookAfter,
  NO_TAPS,
  openHand,
  putOf,
  situationOf,
  tapCardOf,
  tapCell,
  type Taps,
} from './choosing.ts';

const PASS: Choice = { option: '-', marks: [] };
const R5: Choice = { option: 'R5', marks: ['R5'] };
const Y5: Choice = { option: 'Y5', marks: ['Y5'] };
// Two ways to mark the same cell: they differ in what it sets off.
const G9_RED: Choice = { option: 'G9+R6', marks: ['G9', 'R6'] };
const G9_BLUE: Choice = { option: 'G9+B8', marks: ['G9', 'B8'] };
const OPTIONS = [PASS, R5, Y5, G9_RED, G9_BLUE];

const own = (seat: number, options: Choice[] = [], decision: Choice | null = null): Own => ({ seat, options, decision, hand: [] });

/** Three players; the first is active. */
function table(own: Own[], more: { phase?: string; turn?: number; state?: View['state'] } = {}): View {
  const { phase = 'white', turn = 3, state = 'running' } = more;
  const to_act = own.filter((one) => one.options.length).map((one) => one.seat);
  return { state, own, to_act, position: { turn, phase, active: 0 } } as unknown as View;
}

const NOTHING_SENT = new Map<number, Choice | null>();
const look = (view: View, taps: Taps = NO_TAPS, sent = NOTHING_SENT, moving = false) => situationOf(view, sent, taps, moving);
const stateOf = (...args: Parameters<typeof look>): string => look(...args).choosing.state;

describe('the state of a decision', () => {
  test('without a seat here is watching', () => {
    expect(look(table([]))).toMatchObject({ seat: null, shown: 0, choosing: { state: 'watching' } });
  });

  test('is waiting while others are to decide', () => {
    expect(stateOf(table([own(1)]))).toBe('waiting');
  });

  test('is rolling until the dice have come to rest, then choosing', () => {
    const view = table([own(1, OPTIONS)]);
    expect(stateOf(view, NO_TAPS, NOTHING_SENT, true)).toBe('rolling');
    expect(cellsOf(look(view, NO_TAPS, NOTHING_SENT, true).choosing).size).toBe(0);
    expect(stateOf(view)).toBe('choosing');
    expect([...cellsOf(look(view).choosing)]).toEqual(['R5', 'Y5', 'G9']);
  });

  test('is sent until the server has it, then decided', () => {
    expect(look(table([own(1, OPTIONS)]), NO_TAPS, new Map([[1, R5]])).choosing).toEqual({ state: 'sent', decision: R5 });
    expect(look(table([own(1, [], R5)])).choosing).toEqual({ state: 'decided', decision: R5 });
  });

  test('is withdrawing until the options are there again', () => {
    const sent = new Map([[1, null]]);
    expect(stateOf(table([own(1, [], R5)]), NO_TAPS, sent)).toBe('withdrawing');
    expect(stateOf(table([own(1, OPTIONS)]), NO_TAPS, sent)).toBe('choosing');
  });

  test('is over with the game', () => {
    expect(stateOf(table([own(0)], { state: 'over', phase: 'over' }))).toBe('over');
  });
});

describe('a cell', () => {
  const view = table([own(1, OPTIONS)]);

  test('that is tapped is chosen, tapped again it is not', () => {
    const once = tapCell(NO_TAPS, look(view), 'R5');
    expect(look(view, once).choosing).toMatchObject({ state: 'chosen', chosen: R5, alternatives: [R5] });
    expect(stateOf(view, tapCell(once, look(view, once), 'R5'))).toBe('choosing');
  });

  test('takes the place of another', () => {
    const once = tapCell(NO_TAPS, look(view), 'R5');
    expect(chosenOf(look(view, tapCell(once, look(view, once), 'Y5')).choosing)).toBe(Y5);
  });

  test('with several options offers them', () => {
    const once = tapCell(NO_TAPS, look(view), 'G9');
    expect(look(view, once).choosing).toMatchObject({ chosen: G9_RED, alternatives: [G9_RED, G9_BLUE] });
    expect(chosenOf(look(view, chooseOption(once, look(view, once), G9_BLUE)).choosing)).toBe(G9_BLUE);
  });

  test('without an option cannot be chosen, nor can any while dice roll', () => {
    expect(tapCell(NO_TAPS, look(view), 'B2')).toBe(NO_TAPS);
    expect(tapCell(NO_TAPS, look(view, NO_TAPS, NOTHING_SENT, true), 'R5')).toBe(NO_TAPS);
  });

  test('is not chosen any more in the next phase', () => {
    const once = tapCell(NO_TAPS, look(view), 'R5');
    expect(stateOf(table([own(1, OPTIONS)], { phase: 'colour' }), once)).toBe('choosing');
    expect(stateOf(table([own(1, OPTIONS)], { turn: 4 }), once)).toBe('choosing');
  });
});

describe('of several seats at this device', () => {
  const both = table([own(0, OPTIONS), own(2, OPTIONS)]);

  test('the next that is to decide is looked after', () => {
    expect(look(both).seat).toBe(0);
    expect(look(both, NO_TAPS, new Map([[0, R5]]))).toMatchObject({ seat: 2, undecided: [2] });
    expect(look(table([own(0, [], R5), own(2, OPTIONS)])).seat).toBe(2);
    expect(look(table([own(0), own(2)])).seat).toBe(0);
  });

  test('the one that was picked is, until the phase is over', () => {
    const taps = lookAfter(NO_TAPS, look(both), 2);
    expect(look(both, taps).seat).toBe(2);
    expect(look(table([own(0, OPTIONS), own(2, OPTIONS)], { phase: 'colour' }), taps).seat).toBe(0);
  });

  test('what one has tapped is not chosen for the other', () => {
    const taps = tapCell(NO_TAPS, look(both), 'R5');
    expect(stateOf(both, lookAfter(taps, look(both, taps), 2))).toBe('choosing');
  });

  test('a hand is hidden until it is opened, and when another seat is looked after', () => {
    expect(look(table([own(0, OPTIONS)])).hidden).toBe(false);
    expect(look(both).hidden).toBe(true);
    const opened = openHand(NO_TAPS, look(both));
    expect(look(both, opened).hidden).toBe(false);
    expect(look(both, lookAfter(opened, look(both, opened), 2)).hidden).toBe(true);
    const decided = afterDeciding(opened, look(both, opened));
    expect(look(both, decided, new Map([[0, R5]])).hidden).toBe(true);
    expect(look(table([own(0, OPTIONS, null), own(2)]), decided).hidden).toBe(false);
  });
});

describe('cards', () => {
  const none: Choice = { option: 'r5:-', cards: ['r5'], marks: [] };
  const one: Choice = { option: 'r5:R5', cards: ['r5'], marks: ['R5'] };
  const joker = (colour: string): Choice => ({ option: `j7${colour}`, cards: [`j7${colour}`], marks: [] });
  const view = table([own(0, [none, one, joker('r'), joker('b')])], { phase: 'play' });

  test('and marks are put together until they are an option', () => {
    expect(look(view).choosing).toMatchObject({ state: 'combining', chosen: null });
    expect(['r5', 'g9'].map((card) => cardStateOf(look(view).choosing, card))).toEqual(['can', 'apart']);
    const card = tapCardOf(NO_TAPS, look(view), 'r5');
    expect(chosenOf(look(view, card).choosing)).toBe(none);
    expect(cardStateOf(look(view, card).choosing, 'r5')).toBe('chosen');
    expect([...cellsOf(look(view, card).choosing)]).toEqual(['R5']);
    expect(chosenOf(look(view, tapCell(card, look(view, card), 'R5')).choosing)).toBe(one);
  });

  test('a joker is asked for its colour', () => {
    const asked = tapCardOf(NO_TAPS, look(view), 'j7');
    expect(putOf(look(view, asked).choosing).asking).toBe('j7');
    const coloured = colourJoker(asked, look(view, asked), 'j7b');
    expect(chosenOf(look(view, coloured).choosing)?.option).toBe('j7b');
  });

  test('after a decision nothing is put together', () => {
    const card = tapCardOf(NO_TAPS, look(view), 'r5');
    expect(chosenOf(look(view, afterDeciding(card, look(view, card))).choosing)).toBe(null);
  });
});
