import { flushSync } from 'svelte';
import { afterEach, expect, test, vi } from 'vitest';
import type { VariantInfo, View } from '../protocol.ts';
import { EnteredDice } from './enteredDice.svelte.ts';
import type { TableSubscription } from '../table/subscription.svelte.ts';

vi.mock('../i18n.svelte.ts', () => ({
  t: (id: string, values: object = {}) => [id, ...Object.values(values)].join(' '),
  hasMessage: () => false,
  capitalize: (text: string) => text,
}));
vi.mock('./EntryTray.svelte', () => ({ default: null }));
vi.mock('./EntryPad.svelte', () => ({ default: null }));

const VARIANT = { dice: { white: 6, R: 6, Y: 6 } } as unknown as VariantInfo;
const DICE = { roll: '41-32', white: [4, 1], coloured: { R: 3, Y: 2 } };

/** Turn 3 of Anna; Anna and Ben are at this device. */
const table = (entering: number[], dice: typeof DICE | null = null, own = [0, 1]): View =>
  ({
    dice: 'entered',
    entering,
    own: own.map((seat) => ({ seat })),
    seats: ['Anna', 'Ben'].map((name) => ({ name, kind: 'person', bot: null })),
    position: { turn: 3, phase: dice ? 'white' : 'roll', active: 0, dice, closed: [] },
  }) as unknown as View;

let stop: () => void;
let view = $state.raw<View>(null!);
const subscription = { error: null as object | null, enterDice: vi.fn() };

function entered(now: View): EnteredDice {
  view = now;
  let made!: EnteredDice;
  stop = $effect.root(() => {
    made = new EnteredDice(() => subscription as unknown as TableSubscription, () => view, () => VARIANT);
  });
  flushSync();
  return made;
}
const enter = (dice: EnteredDice, ...faces: number[]): void => faces.forEach((face) => dice.enter(face));

afterEach(() => {
  stop();
  subscription.error = null;
  vi.clearAllMocks();
});

test('the last face sends the roll once, and again after a refusal', () => {
  const dice = entered(table([0]));
  expect([dice.enters, dice.corrects, dice.message]).toEqual([true, false, 'enter.roll enter.white 1']);
  enter(dice, 4, 1, 3);
  expect(dice.message).toBe('enter.next colour.Y');
  expect(subscription.enterDice).not.toHaveBeenCalled();
  enter(dice, 2, 6);
  expect(subscription.enterDice.mock.calls).toEqual([[0, '41-32']]);
  subscription.error = { code: 'storage' };
  enter(dice, 5);
  expect(subscription.enterDice.mock.calls[1]).toEqual([0, '41-35']);
});

test('what was entered stays while views of the same roll come', () => {
  const dice = entered(table([0]));
  enter(dice, 4, 1);
  view = table([0]);
  expect(dice.entry?.roll).toBe('41-00');
  view = { ...view, position: { ...view.position!, turn: 4 } };
  expect(dice.entry?.roll).toBe('00-00');
});

test('who is not asked sees the dice and enters none', () => {
  const dice = entered(table([]));
  expect([dice.entry !== null, dice.enters, dice.message]).toEqual([true, false, '']);
  view = table([1]);
  expect(dice.message).toBe('enter.roll-for Anna enter.white 1');
});

test('dice on the table are corrected on request, and sent when they are saved', () => {
  const dice = entered(table([0], DICE));
  expect([dice.entry, dice.canCorrect]).toEqual([null, true]);
  dice.correct();
  expect([dice.corrects, dice.canCorrect, dice.message]).toEqual([true, false, 'enter.tap-wrong']);
  enter(dice, 6);
  expect(subscription.enterDice).not.toHaveBeenCalled();
  dice.save();
  expect(subscription.enterDice.mock.calls).toEqual([[0, '61-32']]);
  expect([dice.entry, dice.canCorrect]).toEqual([null, true]);
});

test('a correction ends with its turn, and when a decision stands', () => {
  const dice = entered(table([0], DICE));
  dice.correct();
  view = table([], DICE);
  expect(dice.entry).toBeNull();
  dice.correct();
  dice.cancel();
  view = table([0], DICE);
  expect(dice.entry).toBeNull();
});
