/**
 * Choosing a decision: which seat of this device is looked after, and in which state its decision is. All of it follows
 * from the view, from what has been sent, and from what was tapped; a tap is sent to nobody before it is confirmed.
 */
import type { CardState } from '../cards/CardView.svelte';
import { markable, nameJoker, names, NOTHING, optionOf, putAs, tapCard, tapMark, type Put } from '../cards/combination.ts';
import { byCell } from '../marks.ts';
import type { Choice, View } from '../protocol.ts';

export type Choosing =
  | { state: 'over' }
  /** No seat is held here. */
  | { state: 'watching' }
  /** Others are to decide. */
  | { state: 'waiting' }
  /** The decision is under way to the server. */
  | { state: 'sent'; decision: Choice }
  /** The server has the decision; it can be taken back until all have decided. */
  | { state: 'decided'; decision: Choice }
  /** The decision is being taken back. */
  | { state: 'withdrawing' }
  /** There is something to decide as soon as the dice have come to rest. */
  | { state: 'rolling'; options: Choice[] }
  /** Nothing is tapped yet. */
  | { state: 'choosing'; options: Choice[] }
  /** An option is tapped; its alternatives begin with the same cell. */
  | { state: 'chosen'; options: Choice[]; chosen: Choice; alternatives: Choice[] }
  /** Cards, and the marks they make, are put together until they are an option. */
  | { state: 'combining'; options: Choice[]; put: Put; chosen: Choice | null };

/** What was tapped. It belongs to a moment of the game and goes with it; an open hand shuts when another seat is looked after. */
export interface Taps {
  picked: { moment: string; seat: number } | null;
  opened: number | null;
  tapped: { moment: string; seat: number; option?: string; put?: Put } | null;
}

export const NO_TAPS: Taps = { picked: null, opened: null, tapped: null };

export interface Situation {
  moment: string;
  /** The seats of this device, and those of them whose decision is open. */
  here: number[];
  undecided: number[];
  /** The seat that is looked after; watchers look at the active player's sheet. */
  seat: number | null;
  shown: number;
  /** With several people at this device a hand opens when somebody says that it is theirs. */
  hidden: boolean;
  choosing: Choosing;
}

type Sent = ReadonlyMap<number, Choice | null>;

export function situationOf(view: View, sent: Sent, taps: Taps, moving: boolean): Situation {
  const position = view.position!;
  const moment = `${position.turn} ${position.phase}`;
  const here = view.own.map((one) => one.seat);
  const undecided = here.filter((seat) => view.to_act.includes(seat) && !sent.get(seat));
  const picked = taps.picked?.moment === moment && here.includes(taps.picked.seat) ? taps.picked.seat : undefined;
  const next = undecided[0] ?? (here.includes(position.active) ? position.active : here[0]);
  const seat = picked ?? next ?? null;
  const tapped = taps.tapped?.moment === moment && taps.tapped.seat === seat ? taps.tapped : null;
  return {
    moment,
    here,
    undecided,
    seat,
    shown: seat ?? position.active,
    hidden: here.length > 1 && taps.opened !== seat,
    choosing: choosingOf(view, sent, seat, tapped, moving),
  };
}

function choosingOf(view: View, sent: Sent, seat: number | null, tapped: Taps['tapped'], moving: boolean): Choosing {
  if (view.state === 'over') return { state: 'over' };
  const own = view.own.find((one) => one.seat === seat);
  if (seat === null || !own) return { state: 'watching' };
  const underWay = sent.get(seat);
  if (underWay) return { state: 'sent', decision: underWay };
  if (underWay === undefined && own.decision) return { state: 'decided', decision: own.decision };
  const { options } = own;
  if (!options.length) return { state: underWay === null ? 'withdrawing' : 'waiting' };
  if (isCombined(view)) {
    const put = tapped?.put ?? NOTHING;
    return { state: 'combining', options, put, chosen: optionOf(options, put) };
  }
  if (moving) return { state: 'rolling', options };
  const chosen = options.find((one) => one.option === tapped?.option);
  if (!chosen) return { state: 'choosing', options };
  return { state: 'chosen', options, chosen, alternatives: byCell(options).get(chosen.marks[0] ?? '') ?? [] };
}

/** Whether cards are taken or played now. */
export const isCombined = ({ position }: View): boolean => position?.phase === 'take' || position?.phase === 'play';

// What can be drawn of it in every state

export const optionsOf = (one: Choosing): Choice[] => ('options' in one ? one.options : []);
export const chosenOf = (one: Choosing): Choice | null => ('chosen' in one ? one.chosen : null);
export const decisionOf = (one: Choosing): Choice | null => ('decision' in one ? one.decision : null);
export const putOf = (one: Choosing): Put => ('put' in one ? one.put : NOTHING);

/** The cells that can be tapped. */
export function cellsOf(one: Choosing): Set<string> {
  if (one.state === 'combining') return new Set(markable(one.options, one.put));
  return one.state === 'choosing' || one.state === 'chosen' ? new Set(byCell(one.options).keys()) : new Set();
}

/** How a card lies there: put with the others, able to be, or not. */
export function cardStateOf(one: Choosing, card: string): CardState {
  if (one.state !== 'combining') return 'plain';
  if (putAs(one.put, card) !== undefined || one.put.asking === card) return 'chosen';
  return names(one.options, one.put.cards, card).length ? 'can' : 'apart';
}

// What a player does

type Tap<Value> = (taps: Taps, situation: Situation, value: Value) => Taps;

const tapped: Tap<{ option: string } | { put: Put }> = (taps, { moment, seat }, what) =>
  seat === null ? taps : { ...taps, tapped: { moment, seat, ...what } };

/** Tap a cell: the first option that begins with it is chosen, or the choice is given up. */
export const tapCell: Tap<string> = (taps, situation, cell) => {
  const { choosing } = situation;
  if (choosing.state === 'combining') return tapped(taps, situation, { put: tapMark(choosing.options, choosing.put, cell) });
  if (!cellsOf(choosing).has(cell)) return taps;
  if (chosenOf(choosing)?.marks[0] === cell) return { ...taps, tapped: null };
  return chooseOption(taps, situation, byCell(optionsOf(choosing)).get(cell)![0]!);
};

/** Choose among options that begin with the same cell. */
export const chooseOption: Tap<Choice> = (taps, situation, { option }) => tapped(taps, situation, { option });

export const tapCardOf: Tap<string> = (taps, situation, card) =>
  tapped(taps, situation, { put: tapCard(optionsOf(situation.choosing), putOf(situation.choosing), card) });

/** Give the joker that is asked about its colour. */
export const colourJoker: Tap<string> = (taps, situation, name) =>
  tapped(taps, situation, { put: nameJoker(optionsOf(situation.choosing), putOf(situation.choosing), name) });

export const lookAfter: Tap<number> = (taps, { moment }, seat) => ({ ...taps, picked: { moment, seat }, opened: null });

export const openHand = (taps: Taps, { seat }: Situation): Taps => ({ ...taps, opened: seat });

/** After a decision nothing is tapped; the hand of whoever has decided stays open for them. */
export const afterDeciding = (taps: Taps, { seat }: Situation): Taps => ({
  ...taps,
  opened: taps.opened === seat ? seat : null,
  tapped: null,
});
