/**
 * The decision of a seat at this device, derived from the view, from what has been sent and from what was tapped.
 * Taps stay in the page until the player confirms them.
 */
import type { CardState } from '../cards/CardView.svelte';
import { addJoker, availableMarks, EMPTY_COMBINATION, findOption, fittingNames, nameInCombination, toggleCard, toggleMark, type Combination } from '../cards/combination.ts';
import { markNames, optionsByCell, passOption, tappableSpots } from '../marks.ts';
import type { Choice, View } from '../protocol.ts';
import type { Preferences } from '../storage.svelte.ts';

type DecisionState =
  | { state: 'over' }
  /** This device has no seat. */
  | { state: 'watching' }
  /** Other players have to decide, or the next turn has not begun. */
  | { state: 'waiting' }
  /** The decision was sent and is not acknowledged. */
  | { state: 'sent'; decision: Choice }
  /** The server has the decision; it can be withdrawn until all players have decided. */
  | { state: 'decided'; decision: Choice }
  /** The withdrawal was sent and is not acknowledged. */
  | { state: 'withdrawing' }
  /** The dice animation is running; options can be chosen when it ends. */
  | { state: 'rolling'; options: Choice[] }
  /** The device has to be handed to the player who decides. */
  | { state: 'handover'; options: Choice[] }
  /** Nothing is chosen yet, or only a swap field. */
  | { state: 'choosing'; options: Choice[]; swap: string | null }
  /** An option is chosen; its alternatives begin with the same cell. */
  | { state: 'chosen'; options: Choice[]; chosen: Choice; alternatives: Choice[] }
  /** Cards and marks are being combined; `chosen` is the option they make. */
  | { state: 'combining'; options: Choice[]; combination: Combination; chosen: Choice | null };

/** What was tapped. Taps are valid in one phase of one turn, their `moment`; selecting another seat hides the hand. */
export interface Taps {
  /** The seat whose player holds the device; null before the first decision, whose player has it already. */
  holder: number | null;
  selected: { moment: string; seat: number } | null;
  /** The seat whose hand was uncovered. */
  handShownFor: number | null;
  choice: { moment: string; seat: number; option?: string; swap?: string; combination?: Combination } | null;
  /** A misthrow that the player has to confirm. */
  misthrow: { moment: string; seat: number; option: string } | null;
}

export const NO_TAPS: Taps = { holder: null, selected: null, handShownFor: null, choice: null, misthrow: null };

export interface Situation {
  /** The turn, the phase and its number at this device. */
  moment: string;
  /** The seats of this device, and those of them that have to decide. */
  localSeats: number[];
  undecided: number[];
  /** The seat that decides here, null for a spectator. */
  seat: number | null;
  /** The seat whose sheet is shown; spectators see the active player's. */
  shownSeat: number;
  /** With several people at this device, a hand is hidden until its player asks to see it. */
  handHidden: boolean;
  decision: DecisionState;
  /** The misthrow that has to be confirmed. */
  misthrow: Choice | null;
  /** The pass that is made without a tap. */
  automatic: Choice | null;
}

/** By seat: decisions that were sent and are not in the view yet; null for a withdrawal. */
type Sent = ReadonlyMap<number, Choice | null>;

export function situationOf(
  view: View,
  sent: Sent,
  taps: Taps,
  rolling: boolean,
  phaseNumber: number,
  { handover = false, autoPass = false }: Partial<Pick<Preferences, 'handover' | 'autoPass'>> = {},
): Situation {
  const position = view.position!;
  const moment = `${position.turn} ${position.phase} ${phaseNumber}`;
  const localSeats = view.own.map((one) => one.seat);
  const undecided = localSeats.filter((seat) => view.to_act.includes(seat) && !sent.get(seat));
  const selected = taps.selected?.moment === moment && localSeats.includes(taps.selected.seat) ? taps.selected.seat : undefined;
  const defaultSeat = undecided.find((one) => one === taps.holder) ?? undecided[0] ?? (localSeats.includes(position.active) ? position.active : localSeats[0]);
  const seat = selected ?? defaultSeat ?? null;
  const choice = taps.choice?.moment === moment && taps.choice.seat === seat ? taps.choice : null;
  const asked = decisionStateOf(view, sent, seat, choice, rolling);
  const automatic = autoPass ? freePass(asked) : null;
  const handed = !handover || localSeats.length < 2 || taps.holder === null || taps.holder === seat || automatic || asked.state === 'rolling' || !('options' in asked);
  const decision: DecisionState = handed ? asked : { state: 'handover', options: asked.options };
  const misthrowOption = taps.misthrow?.moment === moment && taps.misthrow.seat === seat ? taps.misthrow.option : null;
  return {
    moment,
    localSeats,
    undecided,
    seat,
    shownSeat: seat ?? position.active,
    handHidden: localSeats.length > 1 && taps.handShownFor !== seat,
    decision,
    misthrow: optionsOf(decision).find((one) => one.option === misthrowOption) ?? null,
    automatic,
  };
}

function decisionStateOf(view: View, sent: Sent, seat: number | null, choice: Taps['choice'], rolling: boolean): DecisionState {
  if (view.state === 'over') return { state: 'over' };
  const own = view.own.find((one) => one.seat === seat);
  if (seat === null || !own) return { state: 'watching' };
  if (view.seats[seat]?.bot) return { state: 'waiting' }; // the others let a bot play for this seat
  const unacknowledged = sent.get(seat); // null for a withdrawal
  if (unacknowledged) return { state: 'sent', decision: unacknowledged };
  if (unacknowledged === undefined && own.decision) return { state: 'decided', decision: own.decision };
  const { options } = own;
  if (!options.length) return { state: unacknowledged === null ? 'withdrawing' : 'waiting' };
  if (isCardPhase(view)) {
    const combination = choice?.combination ?? EMPTY_COMBINATION;
    return { state: 'combining', options, combination, chosen: findOption(options, combination) };
  }
  if (rolling) return { state: 'rolling', options };
  const chosen = options.find((one) => one.option === choice?.option);
  if (!chosen) return { state: 'choosing', options, swap: choice?.swap ?? null };
  return { state: 'chosen', options, chosen, alternatives: optionsByCell(options, chosen.swap).get(markNames(chosen)[0] ?? '') ?? [] };
}

/** The pass of a player who can mark nothing and loses nothing by it. */
function freePass(decision: DecisionState): Choice | null {
  const pass = decision.state === 'choosing' ? passOption(decision.options) : undefined;
  return pass && !pass.misthrow && optionsOf(decision).every((one) => !one.marks.length) ? pass : null;
}

/** Whether a misthrow has to be confirmed: only where something else is possible. */
export const isChosenMisthrow = ({ decision }: Situation, choice: Choice): boolean => choice.misthrow === true && optionsOf(decision).some((one) => !one.misthrow);

/** The only option that begins with this cell; null if there are several or none. */
export function onlyOption({ decision }: Situation, cell: string): Choice | null {
  if (decision.state !== 'choosing' && decision.state !== 'chosen') return null;
  const found = optionsByCell(decision.options, swapOf(decision)).get(cell) ?? [];
  return found.length === 1 ? found[0]! : null;
}

/** Whether cards are taken or played now. */
export const isCardPhase = ({ position }: View): boolean => position?.phase === 'take' || position?.phase === 'play';

// What is drawn, for every state

export const optionsOf = (state: DecisionState): Choice[] => ('options' in state ? state.options : []);
export const chosenOf = (state: DecisionState): Choice | null => ('chosen' in state ? state.chosen : null);
export const decisionOf = (state: DecisionState): Choice | null => ('decision' in state ? state.decision : null);
export const combinationOf = (state: DecisionState): Combination => ('combination' in state ? state.combination : EMPTY_COMBINATION);

/** The swap field that was tapped. */
export function swapOf(state: DecisionState): string | null {
  return state.state === 'choosing' ? state.swap : (chosenOf(state)?.swap ?? null);
}

/** The cells, second boxes and swap fields that can be tapped. */
export function tappableCells(decision: DecisionState): Set<string> {
  if (decision.state === 'combining') return new Set(availableMarks(decision.options, decision.combination));
  if (decision.state !== 'choosing' && decision.state !== 'chosen') return new Set();
  return tappableSpots(decision.options, swapOf(decision));
}

export function cardStateOf(decision: DecisionState, card: string): CardState {
  if (decision.state !== 'combining') return 'plain';
  if (nameInCombination(decision.combination, card) !== undefined || decision.combination.jokerToColour === card) return 'chosen';
  return fittingNames(decision.options, decision.combination.cards, card).length ? 'selectable' : 'incompatible';
}

// What a player does: each function returns the new taps

type Update<Value> = (taps: Taps, situation: Situation, value: Value) => Taps;

const choose: Update<{ option: string } | { swap: string } | { combination: Combination }> = (taps, { moment, seat }, chosen) =>
  seat === null ? taps : { ...taps, choice: { moment, seat, ...chosen }, misthrow: null };

/** Choose the first option that begins with the cell, or a swap field; a second tap clears the choice. What cannot be tapped changes nothing. */
export const tapCell: Update<string> = (taps, situation, cell) => {
  const { decision } = situation;
  if (!tappableCells(decision).has(cell) && !combinationOf(decision).marks.includes(cell)) return taps;
  if (decision.state === 'combining') return choose(taps, situation, { combination: toggleMark(decision.options, decision.combination, cell) });
  const chosen = chosenOf(decision);
  const swap = swapOf(decision);
  if (cell === swap || (chosen && markNames(chosen)[0] === cell)) return { ...taps, choice: null, misthrow: null };
  const byCell = optionsByCell(optionsOf(decision), swap);
  if (byCell.has(cell)) return chooseOption(taps, situation, byCell.get(cell)![0]!);
  // A swap field: with one cell to mark, that is chosen, too.
  const swapped = optionsOf(decision).filter((one) => one.swap === cell);
  return swapped.length === 1 ? chooseOption(taps, situation, swapped[0]!) : choose(taps, situation, { swap: cell });
};

/** Choose one of several options that begin with the same cell. */
export const chooseOption: Update<Choice> = (taps, situation, { option }) => choose(taps, situation, { option });

export const tapCard: Update<string> = (taps, situation, card) =>
  choose(taps, situation, { combination: toggleCard(optionsOf(situation.decision), combinationOf(situation.decision), card) });

/** Choose a joker's colour by its name: `j7r`. */
export const chooseJokerColour: Update<string> = (taps, situation, name) =>
  choose(taps, situation, { combination: addJoker(optionsOf(situation.decision), combinationOf(situation.decision), name) });

/** Ask whether to take a misthrow; any other choice answers no. */
export const askMisthrow: Update<Choice> = (taps, { moment, seat }, { option }) => (seat === null ? taps : { ...taps, misthrow: { moment, seat, option } });

export const cancelMisthrow = (taps: Taps): Taps => ({ ...taps, misthrow: null });

export const selectSeat: Update<number> = (taps, { moment }, seat) => ({ ...taps, holder: seat, selected: { moment, seat }, handShownFor: null });

/** The player at the seat has the device now, and sees their hand. */
export const takeDevice = (taps: Taps, { seat }: Situation): Taps => ({ ...taps, holder: seat, handShownFor: seat });

/** Clear the choice; the hand stays uncovered only if it belongs to the player who has decided. */
export const afterDecision = (taps: Taps, { seat, automatic }: Situation): Taps => ({
  ...taps,
  holder: automatic ? taps.holder : seat,
  selected: null,
  handShownFor: taps.handShownFor === seat ? seat : null,
  choice: null,
  misthrow: null,
});
