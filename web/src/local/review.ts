/**
 * Reviews of games, and hints: what rolls and decisions were worth. The same as `rowlock.analysis` in Python, which
 * says how the values are made.
 */
import type { Choice } from '../protocol.ts';
import type { LocalGame, Moment } from './game.ts';
import type { Consequence, Kernel } from './kernel.ts';
import * as at from './layout.ts';
import { bitSet } from './notation.ts';

/** How values are made: by the network alone, or with roll-outs of one round. */
export type Depth = 'network' | 'round';
const DEPTHS: Record<Depth, number> = { network: at.NETWORK, round: at.ROUND };
const DECIMALS = 1e6; // of all values, so that their sums are exact to the last digit

/** An option of a player, and its value for the player: the share of the win, in a solo game points. */
export interface OptionValue {
  option: string;
  value: number;
  /** The standard error of the difference to the best option; 0 if it was not rolled out. */
  error: number;
  choice: Choice;
}

interface ChanceEvent {
  kind: 'chance';
  turn: number;
  what: string;
  /** The values for all players after it. */
  value: number[];
  /** The number of the position in the replay of the game. */
  position: number;
}

export interface DecisionEvent {
  kind: 'decision';
  turn: number;
  phase: string;
  player: number;
  played: string;
  best: string;
  loss: number;
  /** The standard error of the loss. */
  error: number;
  grade: string;
  /** The best one first. */
  options: OptionValue[];
  /** What was played and what was better bring about, by option; only of decisions that cost something. */
  consequences: Record<string, Consequence[]>;
  value: number[];
  position: number;
}

type ReviewEvent = ChanceEvent | DecisionEvent;

/** What a player's game was made of: `start + luck + own + others` is the result. */
interface Summary {
  player: number;
  /** Those with a choice. */
  decisions: number;
  loss: number;
  grades: Record<string, number>;
  rating: string | null;
  start: number;
  luck: number;
  own: number;
  others: number;
  result: number;
}

export interface Review {
  variant: string;
  players: string[];
  scores: number[];
  winners: number[] | null;
  source: Depth;
  start: number[];
  events: ReviewEvent[];
  summary: Summary[];
}

/** An option with what it brings about. */
export interface Hint extends OptionValue {
  consequences: Consequence[];
}

/** The values of one game. The kernel is shared with other games, so every call loads the state first. */
class Values {
  readonly #game: LocalGame;
  readonly #depth: number;
  readonly #weights: Uint16Array;

  constructor(game: LocalGame, depth: Depth, weights: Uint16Array) {
    this.#game = game;
    this.#depth = DEPTHS[depth];
    this.#weights = weights;
  }

  get players(): number {
    return this.#game.setup.players.length;
  }

  ofNode(moment: Moment, decided: ReadonlyMap<number, number>): number[] {
    return this.#game.load(moment).nodeValue(decided, this.players, this.#depth, this.#weights).map(rounded);
  }

  /** The options of a player from what the player knows, the best one first; `played` is the action to be judged, which comes before its equals. */
  ofOptions(moment: Moment, player: number, played: number | null = null): (OptionValue & { action: number })[] {
    const options = this.#game.optionsAt(moment, player);
    const index = options.findIndex(({ action }) => action === played);
    const { values, errors } = this.#game.load(moment).optionValues(player, index, this.#depth, turnOf(moment), this.#weights);
    const found = options.map(({ action, choice }, number) => ({ option: choice.option, value: rounded(values[number]!), error: rounded(errors[number]!), choice, action }));
    const isPlayed = ({ action }: { action: number }): number => Number(action === played);
    return found.sort((one, other) => other.value - one.value || isPlayed(other) - isPlayed(one) || (one.option < other.option ? -1 : 1));
  }
}

const rounded = (value: number): number => Math.round(value * DECIMALS) / DECIMALS;

/** After so many milliseconds of a review other messages of the worker are answered. */
const YIELD_INTERVAL = 40;
const yieldToOthers = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Review a game as far as it has been played; `progress` receives the share of the work that is done, and may throw to stop it. */
export async function review(game: LocalGame, depth: Depth, weights: Uint16Array, progress: (done: number) => void = () => undefined): Promise<Review> {
  const values = new Values(game, depth, weights);
  const decides = ({ description }: Moment): boolean => description[at.D_TO_ACT] !== 0;
  const moments = game.moments.filter(decides);
  const past = game.toAct.length ? moments.slice(0, -1) : moments;
  const start = values.ofNode(game.moments[0]!, new Map());
  const events: ReviewEvent[] = [];
  let yielded = performance.now();
  for (const [position, moment] of past.entries()) {
    events.push(...chanceEvents(game, moment, position, values), ...decisionEvents(game, moment, position, values));
    if (performance.now() - yielded < YIELD_INTERVAL) continue;
    progress((position + 1) / past.length);
    await yieldToOthers();
    yielded = performance.now();
  }
  if (game.toAct.length) events.push(...chanceEvents(game, moments.at(-1)!, past.length, values));
  const { players } = game.setup;
  return {
    variant: game.name,
    players,
    scores: game.scores,
    winners: game.result()?.winners ?? null,
    source: depth,
    start,
    events,
    summary: players.map((_, player) => summaryOf(player, players.length, start, events)),
  };
}

const turnOf = (moment: Moment): number => moment.description[at.D_TURN]! + 1;

/** The roll or deal before a decision point, if there was one. */
function chanceEvents(game: LocalGame, moment: Moment, position: number, values: Values): ChanceEvent[] {
  const phase = moment.description[at.D_PHASE];
  if (phase === at.COLOUR) return [];
  const cards = game.variant.info.cards !== null;
  const announced = `${moment.description[at.D_NUMBER]}:`;
  const what = cards ? (phase === at.WHITE ? announced : game.displayNames(moment).filter(Boolean).join(' ')) : game.diceAt(moment);
  return [{ kind: 'chance', turn: turnOf(moment), what, value: values.ofNode(moment, new Map()), position }];
}

function decisionEvents(game: LocalGame, moment: Moment, position: number, values: Values): DecisionEvent[] {
  const decided = new Map<number, number>();
  const active = moment.description[at.D_ACTIVE]!;
  const inTurn = (player: number): number => (player - active + values.players) % values.players;
  const players = bitSet(moment.description[at.D_TO_ACT]!).sort((one, other) => inTurn(one) - inTurn(other));
  return players.map((player) => {
    const { action } = moment.decisions.get(player)!;
    decided.set(player, action);
    const options = values.ofOptions(moment, player, action);
    const played = options.find((one) => one.action === action)!;
    const best = options[0]!;
    const loss = rounded(best.value - played.value);
    const explained = loss ? [played, best] : [];
    const kernel = game.load(moment);
    return {
      kind: 'decision',
      turn: turnOf(moment),
      phase: game.phaseOf(moment),
      player,
      played: played.option,
      best: best.option,
      loss,
      error: played.error,
      grade: gradeOf(loss, played.error, values.players),
      options: options.map(({ action: _, ...one }) => one),
      consequences: Object.fromEntries(explained.map((one) => [one.option, kernel.consequences(player, one.action)])),
      value: values.ofNode(moment, decided),
      position,
    };
  });
}

/** What a decision cost at least, as far as its standard error tells. */
export const sureLoss = ({ loss, error }: { loss: number; error: number }): number => Math.max(0, rounded(loss - at.SURE * error));

/** The word for what a decision surely cost. */
function gradeOf(loss: number, error: number, players: number): string {
  const limits = players === 1 ? at.SOLO_LIMITS : at.LIMITS;
  const sure = sureLoss({ loss, error }) / at.STAKES[players]!;
  return at.GRADES[limits.findLastIndex((limit) => sure >= limit)]!;
}

function summaryOf(player: number, players: number, start: number[], events: ReviewEvent[]): Summary {
  const parts = { luck: 0, own: 0, others: 0 };
  let before = start[player]!;
  for (const event of events) {
    const part = event.kind === 'chance' ? 'luck' : event.player === player ? 'own' : 'others';
    parts[part] += event.value[player]! - before;
    before = event.value[player]!;
  }
  const own = events.filter((one) => one.kind === 'decision').filter((one) => one.player === player && one.options.length > 1);
  const loss = own.reduce((sum, one) => sum + one.loss, 0);
  const limits = players === 1 ? at.SOLO_RATING_LIMITS : at.RATING_LIMITS;
  return {
    player,
    decisions: own.length,
    loss: rounded(loss),
    grades: Object.fromEntries(at.GRADES.slice(1).map((name) => [name, own.filter((one) => one.grade === name).length])),
    rating: own.length ? at.RATINGS[limits.filter((limit) => loss / own.length / at.STAKES[players]! >= limit).length]! : null,
    start: start[player]!,
    luck: rounded(parts.luck),
    own: rounded(parts.own),
    others: rounded(parts.others),
    result: before,
  };
}

/** The best options of a player who is to act, with what each brings about; of those that take cards with the same numbers, one. */
export function hints(game: LocalGame, player: number, weights: Uint16Array, count: number): Hint[] {
  const moment = game.moments.at(-1)!;
  const names = new Set<string>(); // without the apostrophes that tell cards with the same number apart
  const isNew = ({ option }: OptionValue): boolean => names.size < names.add(option.replaceAll("'", '')).size;
  const found = new Values(game, 'round', weights).ofOptions(moment, player).filter(isNew).slice(0, count);
  const kernel: Kernel = game.load(moment);
  return found.map(({ action, ...one }) => ({ ...one, consequences: kernel.consequences(player, action) }));
}
