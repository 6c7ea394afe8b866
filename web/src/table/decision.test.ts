import { describe, expect, test } from 'vitest';
import type { Choice, Own, View } from '../protocol.ts';
import {
  afterDecision,
  askMisthrow,
  cancelMisthrow,
  cardStateOf,
  tappableCells,
  chooseOption,
  chosenOf,
  chooseJokerColour,
  isChosenMisthrow,
  selectSeat,
  NO_TAPS,
  onlyOption,
  takeDevice,
  combinationOf,
  situationOf,
  swapOf,
  tapCard,
  tapCell,
  type Situation,
  type Taps,
} from './decision.ts';

const PASS: Choice = { option: '-', marks: [] };
const R5: Choice = { option: 'R5', marks: ['R5'] };
const Y5: Choice = { option: 'Y5', marks: ['Y5'] };
// Two ways to mark the same cell: they differ in the bonus mark.
const G9_RED: Choice = { option: 'G9+R6', marks: ['G9', 'R6'] };
const G9_BLUE: Choice = { option: 'G9+B8', marks: ['G9', 'B8'] };
const OPTIONS = [PASS, R5, Y5, G9_RED, G9_BLUE];

const own = (seat: number, options: Choice[] = [], decision: Choice | null = null): Own => ({ seat, options, decision, hand: [], takeback: [] });

/** Three players; the first is active. */
function table(own: Own[], more: { phase?: string; turn?: number; state?: View['state'] } = {}): View {
  const { phase = 'white', turn = 3, state = 'running' } = more;
  const to_act = own.filter((one) => one.options.length).map((one) => one.seat);
  return { state, own, to_act, seats: [{ bot: null }, { bot: null }, { bot: null }], position: { turn, phase, active: 0 } } as unknown as View;
}

const NOTHING_SENT = new Map<number, Choice | null>();
const situation = (view: View, taps: Taps = NO_TAPS, sent = NOTHING_SENT, rolling = false, phaseNumber = 1) => situationOf(view, sent, taps, rolling, phaseNumber);
const stateOf = (...args: Parameters<typeof situation>): string => situation(...args).decision.state;

test('a misthrow is asked about only where something else is possible', () => {
  const misthrow: Choice = { option: '-', marks: [], misthrow: true };
  const other: Choice = { option: 'r7', marks: [], cards: ['r7'], misthrow: true };
  expect(isChosenMisthrow(situation(table([own(0, [misthrow, R5])])), misthrow)).toBe(true);
  expect(isChosenMisthrow(situation(table([own(0, [misthrow])])), misthrow)).toBe(false);
  expect(isChosenMisthrow(situation(table([own(0, [misthrow, other])], { phase: 'play' })), other)).toBe(false);
  expect(isChosenMisthrow(situation(table([own(0, OPTIONS)])), PASS)).toBe(false);
});

describe('the state of a decision', () => {
  test('without a seat is watching', () => {
    expect(situation(table([]))).toMatchObject({ seat: null, shownSeat: 0, decision: { state: 'watching' } });
  });

  test('is waiting while others have to decide', () => {
    expect(stateOf(table([own(1)]))).toBe('waiting');
  });

  test('is rolling during the dice animation, then choosing', () => {
    const view = table([own(1, OPTIONS)]);
    expect(stateOf(view, NO_TAPS, NOTHING_SENT, true)).toBe('rolling');
    expect(tappableCells(situation(view, NO_TAPS, NOTHING_SENT, true).decision).size).toBe(0);
    expect(stateOf(view)).toBe('choosing');
    expect([...tappableCells(situation(view).decision)]).toEqual(['R5', 'Y5', 'G9']);
  });

  test('is sent until the server has it, then decided', () => {
    expect(situation(table([own(1, OPTIONS)]), NO_TAPS, new Map([[1, R5]])).decision).toEqual({ state: 'sent', decision: R5 });
    expect(situation(table([own(1, [], R5)])).decision).toEqual({ state: 'decided', decision: R5 });
  });

  test('is withdrawing until the view has options again', () => {
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

  test('is chosen by a tap and cleared by a second one', () => {
    const once = tapCell(NO_TAPS, situation(view), 'R5');
    expect(situation(view, once).decision).toMatchObject({ state: 'chosen', chosen: R5, alternatives: [R5] });
    expect(stateOf(view, tapCell(once, situation(view, once), 'R5'))).toBe('choosing');
  });

  test('replaces another choice', () => {
    const once = tapCell(NO_TAPS, situation(view), 'R5');
    expect(chosenOf(situation(view, tapCell(once, situation(view, once), 'Y5')).decision)).toBe(Y5);
  });

  test('with several options offers all of them', () => {
    const once = tapCell(NO_TAPS, situation(view), 'G9');
    expect(situation(view, once).decision).toMatchObject({ chosen: G9_RED, alternatives: [G9_RED, G9_BLUE] });
    expect(chosenOf(situation(view, chooseOption(once, situation(view, once), G9_BLUE)).decision)).toBe(G9_BLUE);
  });

  test('without an option cannot be chosen, and none can during the dice animation', () => {
    expect(tapCell(NO_TAPS, situation(view), 'B2')).toBe(NO_TAPS);
    expect(tapCell(NO_TAPS, situation(view, NO_TAPS, NOTHING_SENT, true), 'R5')).toBe(NO_TAPS);
  });

  test('is no longer chosen in the next phase', () => {
    const once = tapCell(NO_TAPS, situation(view), 'R5');
    expect(stateOf(table([own(1, OPTIONS)], { phase: 'colour' }), once)).toBe('choosing');
    expect(stateOf(table([own(1, OPTIONS)], { turn: 4 }), once)).toBe('choosing');
  });
});

describe('a swap field', () => {
  const swap = (option: string, mark: string, field: string): Choice => ({ option, marks: [mark], swap: field, swapped: 8 });
  const R8: Choice = { option: 'R8', marks: ['R8'] };
  const R5_SWAPPED = swap('8>R5', 'R5', '8/5');
  const Y5_SWAPPED = swap('8>Y5', 'Y5', '8/5');
  const G6_SWAPPED = swap('8>G6', 'G6', '8/6');
  const view = table([own(1, [PASS, R8, R5_SWAPPED, Y5_SWAPPED, G6_SWAPPED])]);
  const tappable = (taps: Taps): string[] => [...tappableCells(situation(view, taps).decision)];

  test('is tapped before the cell', () => {
    expect(tappable(NO_TAPS)).toEqual(['R8', '8/5', '8/6']);
    const tapped = tapCell(NO_TAPS, situation(view), '8/5');
    expect(situation(view, tapped).decision).toMatchObject({ state: 'choosing', swap: '8/5' });
    expect(tappable(tapped)).toEqual(['R5', 'Y5', '8/5', '8/6']);
    const chosen = tapCell(tapped, situation(view, tapped), 'Y5');
    expect(situation(view, chosen).decision).toMatchObject({ chosen: Y5_SWAPPED, alternatives: [Y5_SWAPPED] });
    expect(swapOf(situation(view, chosen).decision)).toBe('8/5');
  });

  test('with one cell to mark chooses that cell', () => {
    expect(chosenOf(situation(view, tapCell(NO_TAPS, situation(view), '8/6')).decision)).toBe(G6_SWAPPED);
  });

  test('is cleared by a second tap, and replaced by another field', () => {
    const tapped = tapCell(NO_TAPS, situation(view), '8/5');
    expect(tapCell(tapped, situation(view, tapped), '8/5')).toEqual(NO_TAPS);
    expect(chosenOf(situation(view, tapCell(tapped, situation(view, tapped), '8/6')).decision)).toBe(G6_SWAPPED);
  });
});

describe('a second box', () => {
  const BOX: Choice = { option: 'R5*', marks: ['R5'], second: true };
  const view = table([own(1, [PASS, BOX, Y5])]);

  test('is chosen by its own name, which is not that of the cell', () => {
    expect([...tappableCells(situation(view).decision)]).toEqual(['R5*', 'Y5']);
    const once = tapCell(NO_TAPS, situation(view), 'R5*');
    expect(chosenOf(situation(view, once).decision)).toBe(BOX);
    expect(tapCell(once, situation(view, once), 'R5*')).toEqual(NO_TAPS);
    expect(tapCell(NO_TAPS, situation(view), 'R5')).toBe(NO_TAPS);
  });
});

describe('a misthrow', () => {
  const MISTHROW: Choice = { option: 'x', marks: [], misthrow: true };
  const view = table([own(1, [MISTHROW, R5]), own(2, [MISTHROW])], { phase: 'colour' });
  const asked = askMisthrow(NO_TAPS, situation(view), MISTHROW);

  test('has to be confirmed', () => {
    expect(situation(view).misthrow).toBe(null);
    expect(situation(view, asked).misthrow).toBe(MISTHROW);
    expect(situation(view, cancelMisthrow(asked)).misthrow).toBe(null);
    expect(situation(view, afterDecision(asked, situation(view, asked))).misthrow).toBe(null);
  });

  test('is not asked for any more once a cell is chosen', () => {
    expect(situation(view, tapCell(asked, situation(view, asked), 'R5'))).toMatchObject({ misthrow: null, decision: { chosen: R5 } });
  });

  test('is asked for in one phase and at one seat', () => {
    expect(situation(table([own(1, [MISTHROW])], { phase: 'colour', turn: 4 }), asked).misthrow).toBe(null);
    expect(situation(view, asked, NOTHING_SENT, false, 2).misthrow).toBe(null); // the same phase after a take-back
    expect(situation(view, selectSeat(asked, situation(view, asked), 2)).misthrow).toBe(null);
  });
});

describe('an automatic pass', () => {
  const passing = (options: Choice[], phase = 'white', rolling = false): Choice | null =>
    situationOf(table([own(1, options)], { phase }), NOTHING_SENT, NO_TAPS, rolling, 1, { autoPass: true }).automatic;

  test('is made where nothing can be marked', () => {
    expect(passing([PASS])).toBe(PASS);
    expect(passing([PASS], 'colour')).toBe(PASS);
    expect(situation(table([own(1, [PASS])])).automatic).toBe(null); // not switched on
  });

  test('is never a misthrow', () => {
    expect(passing([{ option: 'x', marks: [], misthrow: true }], 'colour')).toBe(null);
  });

  test('is not made where something can be marked, while dice roll, or with cards to play', () => {
    expect(passing([PASS, R5])).toBe(null);
    expect(passing([PASS], 'white', true)).toBe(null);
    expect(passing([{ option: 'r5:-', cards: ['r5'], marks: [] }], 'play')).toBe(null);
  });

  test('needs no handing over', () => {
    const view = table([own(0, [PASS]), own(2, OPTIONS)]);
    expect(situationOf(view, NOTHING_SENT, NO_TAPS, false, 1, { autoPass: true, handover: true })).toMatchObject({ seat: 0, automatic: PASS, decision: { state: 'choosing' } });
  });
});

describe('one tap', () => {
  const view = table([own(1, OPTIONS)]);

  test('decides where one option begins with the cell', () => {
    expect(onlyOption(situation(view), 'R5')).toBe(R5);
    expect(onlyOption(situation(view), 'G9')).toBe(null); // two ways to mark it
    expect(onlyOption(situation(view), 'B2')).toBe(null);
    expect(onlyOption(situation(view, NO_TAPS, NOTHING_SENT, true), 'R5')).toBe(null); // the dice roll
    expect(onlyOption(situation(table([own(1, [], R5)])), 'R5')).toBe(null); // decided already
  });
});

describe('of several seats at this device', () => {
  const both = table([own(0, OPTIONS), own(2, OPTIONS)]);

  test('the next one that has to decide is selected', () => {
    expect(situation(both).seat).toBe(0);
    expect(situation(both, NO_TAPS, new Map([[0, R5]]))).toMatchObject({ seat: 2, undecided: [2] });
    expect(situation(table([own(0, [], R5), own(2, OPTIONS)])).seat).toBe(2);
    expect(situation(table([own(0), own(2)])).seat).toBe(0);
  });

  test('a seat for which the others let a bot play does not decide', () => {
    const replaced = { ...table([own(0, OPTIONS)]), seats: [{ bot: 'greedy', kind: 'person' }] } as View;
    expect(stateOf(replaced)).toBe('waiting');
  });

  test('a seat that was tapped stays selected, and decides first in the next phase', () => {
    const taps = selectSeat(NO_TAPS, situation(both), 2);
    expect(situation(both, taps).seat).toBe(2);
    expect(situation(table([own(0, OPTIONS), own(2, OPTIONS)], { phase: 'colour' }), taps).seat).toBe(2);
    expect(situation(table([own(0, OPTIONS), own(2)], { phase: 'colour' }), taps).seat).toBe(0);
  });

  test('the device is handed over to the one who decides, if that is another player', () => {
    const given = (view: View, taps: Taps, sent = NOTHING_SENT): Situation => situationOf(view, sent, taps, false, 1, { handover: true });
    const sent = new Map([[0, R5]]);
    expect(given(both, NO_TAPS)).toMatchObject({ seat: 0, decision: { state: 'choosing' } }); // who begins has the device
    const decided = afterDecision(NO_TAPS, given(both, NO_TAPS));
    expect(given(both, decided, sent)).toMatchObject({ seat: 2, decision: { state: 'handover', options: OPTIONS } });
    expect(tappableCells(given(both, decided, sent).decision).size).toBe(0);
    expect(given(both, takeDevice(decided, given(both, decided, sent)), sent).decision.state).toBe('choosing');
    expect(given(both, selectSeat(decided, given(both, decided), 2)).decision.state).toBe('choosing');
    expect(given(table([own(0, OPTIONS)]), NO_TAPS).decision.state).toBe('choosing'); // one person at this device
    expect(given(table([own(0), own(2)]), NO_TAPS).decision.state).toBe('waiting');
  });

  test('a pass without a tap does not move the device', () => {
    const passing = table([own(0, [PASS]), own(2, OPTIONS)]);
    const situated = situationOf(passing, NOTHING_SENT, NO_TAPS, false, 1, { autoPass: true, handover: true });
    expect(situated.automatic).toEqual(PASS);
    expect(afterDecision(NO_TAPS, situated).holder).toBe(null);
  });

  test('a choice of one seat is not made for the other', () => {
    const taps = tapCell(NO_TAPS, situation(both), 'R5');
    expect(stateOf(both, selectSeat(taps, situation(both, taps), 2))).toBe('choosing');
  });

  test('a hand is hidden until it is shown, and when another seat is selected', () => {
    expect(situation(table([own(0, OPTIONS)])).handHidden).toBe(false);
    expect(situation(both).handHidden).toBe(true);
    const shown = takeDevice(NO_TAPS, situation(both));
    expect(situation(both, shown).handHidden).toBe(false);
    expect(situation(both, selectSeat(shown, situation(both, shown), 2)).handHidden).toBe(true);
    const decided = afterDecision(shown, situation(both, shown));
    expect(situation(both, decided, new Map([[0, R5]])).handHidden).toBe(true);
    expect(situation(table([own(0, OPTIONS, null), own(2)]), decided).handHidden).toBe(false);
  });
});

describe('cards', () => {
  const none: Choice = { option: 'r5:-', cards: ['r5'], marks: [] };
  const one: Choice = { option: 'r5:R5', cards: ['r5'], marks: ['R5'] };
  const joker = (colour: string): Choice => ({ option: `j7${colour}`, cards: [`j7${colour}`], marks: [] });
  const view = table([own(0, [none, one, joker('r'), joker('b')])], { phase: 'play' });

  test('and marks are combined until they make an option', () => {
    expect(situation(view).decision).toMatchObject({ state: 'combining', chosen: null });
    expect(['r5', 'g9'].map((card) => cardStateOf(situation(view).decision, card))).toEqual(['selectable', 'incompatible']);
    const card = tapCard(NO_TAPS, situation(view), 'r5');
    expect(chosenOf(situation(view, card).decision)).toBe(none);
    expect(cardStateOf(situation(view, card).decision, 'r5')).toBe('chosen');
    expect([...tappableCells(situation(view, card).decision)]).toEqual(['R5']);
    expect(chosenOf(situation(view, tapCell(card, situation(view, card), 'R5')).decision)).toBe(one);
  });

  test('a joker needs a colour', () => {
    const tapped = tapCard(NO_TAPS, situation(view), 'j7');
    expect(combinationOf(situation(view, tapped).decision).jokerToColour).toBe('j7');
    const coloured = chooseJokerColour(tapped, situation(view, tapped), 'j7b');
    expect(chosenOf(situation(view, coloured).decision)?.option).toBe('j7b');
  });

  test('a decision clears the combination', () => {
    const card = tapCard(NO_TAPS, situation(view), 'r5');
    expect(chosenOf(situation(view, afterDecision(card, situation(view, card))).decision)).toBe(null);
  });
});
