/** A game on this device: the kernel's states, the decisions between them, and what a record writes of them. */
import type { Cards, LocalVariant, Obstacle, Position, Replay, Result, Sheet, Turn, VariantInfo, Why } from '../protocol.ts';
import { ApiError } from '../apiError.ts';
import { beforeClosing } from '../marks.ts';
import { hasJokers, variantOf, withJokers } from '../setup.ts';
import type { Kernel, Snapshot } from './kernel.ts';
import * as at from './layout.ts';
import { bitSet, cardName, describedObstacle, describedOption, diceOf, displayNames, readCard, readDice, rowNames, sortOption, spotOf, writeDice, writeTurn, type Option, type WrittenTurn } from './notation.ts';

export interface GameSetup {
  players: string[];
  jokers: boolean;
  lucky: [number, number][];
  /** The letters of the sheets that were chosen; the kernel deals the others. */
  sheets: (string | null)[];
}

/** A state, and what its players have decided there. */
export interface Moment {
  readonly snapshot: Snapshot;
  readonly description: number[];
  readonly decisions: Map<number, Option>;
}

const ROLL = /^[0-9]{2}-[0-9.]{4}$/;
const DICE_PHASES = ['roll', 'white', 'colour', 'over'];
const CARD_PHASES = ['deal', 'white', 'play', 'over', 'take', 'deal'];

export class LocalGame {
  readonly kernel: Kernel;
  readonly variant: LocalVariant;
  readonly setup: GameSetup;
  readonly tags: Record<string, string> = {};
  #history: Moment[] = [];
  #now: Moment;
  #options = new Map<number, Map<string, Option>>();

  constructor(kernel: Kernel, variant: LocalVariant, setup: GameSetup) {
    this.kernel = kernel;
    this.variant = variant;
    this.setup = setup;
    kernel.setTables(variant.tables);
    kernel.start(setup.players.length, setup.jokers);
    for (const [player, [low, high]] of setup.lucky.entries()) kernel.setLucky(player, low, high);
    for (const [player, letter] of setup.sheets.entries()) {
      if (letter) kernel.setSheet(player, variant.info.sheets.findIndex((sheet) => sheet.letter === letter));
    }
    this.#now = this.#moment();
  }

  /** A card game as a player at a table of a server sees it (`Own.state`): without its past and without what is hidden. */
  static seen(kernel: Kernel, variant: LocalVariant, state: string): LocalGame {
    const [layout, ...ints] = state.split(' ');
    if (layout !== at.LAYOUT) throw new ApiError('version');
    const players = Array.from({ length: Number(ints[at.PLAYERS]) }, (_, player) => String(player + 1));
    const game = new LocalGame(kernel, variant, { players, jokers: hasJokers(variant.info.id), lucky: [], sheets: [] });
    const { snapshot } = kernel;
    snapshot.set(ints.map(BigInt));
    kernel.snapshot = snapshot;
    game.#now = game.#moment();
    return game;
  }

  #moment(): Moment {
    return { snapshot: this.kernel.snapshot, description: this.kernel.describeState(false), decisions: new Map() };
  }

  /** Put the current state, or another one, into the kernel. */
  load(moment = this.#now): Kernel {
    this.kernel.setTables(this.variant.tables);
    this.kernel.snapshot = moment.snapshot;
    return this.kernel;
  }

  /** The current state. */
  get now(): Moment {
    return this.#now;
  }

  /** Let the state in the kernel, or another one, be the current one; the one before is forgotten. */
  replaceState(moment = this.#moment()): void {
    this.#now = moment;
  }

  #push(): void {
    this.#history.push(this.#now);
    this.#now = this.#moment();
    this.#options.clear();
  }

  get #info(): VariantInfo {
    return this.variant.info;
  }

  /** The name of the variant, with `+jokers` if they are used. */
  get name(): string {
    return this.setup.jokers ? withJokers(variantOf(this.#info.id)) : this.#info.id;
  }

  phaseOf = (moment: Moment): string => (this.#info.cards ? CARD_PHASES : DICE_PHASES)[moment.description[at.D_PHASE]!]!;

  get phase(): string {
    return this.phaseOf(this.#now);
  }

  get over(): boolean {
    return this.#now.description[at.D_PHASE] === at.OVER;
  }

  get turnsCompleted(): number {
    return this.#now.description[at.D_TURN]!;
  }

  get turn(): number {
    return this.turnsCompleted + (this.over ? 0 : 1);
  }

  get active(): number {
    return this.#now.description[at.D_ACTIVE]!;
  }

  get betweenTurns(): boolean {
    return this.#now.description[at.D_PHASE] === at.ROLL && this.#history.length > 0;
  }

  get toAct(): number[] {
    return bitSet(this.#now.description[at.D_TO_ACT]!).filter((player) => !this.#now.decisions.has(player));
  }

  get waitsForChance(): boolean {
    return this.#now.description[at.D_WAITS_FOR_CHANCE] === 1;
  }

  get scores(): number[] {
    return this.#ofSheets(at.S_TOTAL);
  }

  /** The bit set of rows that a player has locked. */
  locksAt = ({ description }: Moment, player: number): number => description[at.D_SHEETS + player * at.SHEET_DESCRIPTION + at.S_LOCKS]!;

  /** An entry of the description of each player's sheet. */
  #ofSheets(offset: number): number[] {
    return this.setup.players.map((_, player) => this.#now.description[at.D_SHEETS + player * at.SHEET_DESCRIPTION + offset]!);
  }

  // Decisions

  /** The decisions that are not revealed yet, by player. */
  get pending(): ReadonlyMap<number, Option> {
    return this.#now.decisions;
  }

  /** The options of a player by the text that the player sees, in the kernel's order. */
  options(player: number): Map<string, Option> {
    if (!this.toAct.includes(player)) return new Map();
    const known = this.#options.get(player);
    if (known) return known;
    const options = new Map(this.optionsAt(this.#now, player).map((one) => [one.choice.option, one]));
    this.#options.set(player, options);
    return options;
  }

  /** The options of a player at a moment, in the kernel's order. */
  optionsAt(moment: Moment, player: number): Option[] {
    const kernel = this.load(moment);
    const display = { seen: this.displayNames(moment), coloured: this.#displayNames(kernel.describeState(true)) };
    return kernel.options(player).map((action) => describedOption(this.#info, action, kernel.describeOption(player, action), display));
  }

  /** All states passed through, the current one last. */
  get moments(): readonly Moment[] {
    return [...this.#history, this.#now];
  }

  /** The display at a moment, as all players see it. */
  displayNames = (moment: Moment): string[] => this.#displayNames(moment.description);

  #displayNames(description: number[]): string[] {
    return displayNames(this.#info, description.slice(at.D_DISPLAY, at.D_DISCARDS));
  }

  /** An option by one of its spellings. */
  find(player: number, text: string): Option | undefined {
    const options = this.options(player);
    const normalized = this.#info.cards && this.#now.description[at.D_PHASE] !== at.WHITE ? sortOption(text) : text;
    return options.get(normalized) ?? [...options.values()].find((one) => one.option === normalized);
  }

  play(player: number, text: string): void {
    const option = this.find(player, text);
    if (!option) throw new ApiError('illegal', { options: [...this.options(player).keys()].sort() });
    this.#now.decisions.set(player, option);
    if (this.toAct.length) return;
    const kernel = this.load();
    kernel.act(this.setup.players.map((_, seat) => this.#now.decisions.get(seat)?.action ?? at.PASS));
    this.#push();
  }

  /** The option that a bot chooses; `word` is 32 random bits. */
  chooseForBot(player: number, bot: string, word: number, weights: Uint16Array | null): Option {
    const options = [...this.options(player).values()];
    const kernel = this.load();
    const action = kernel.options(player)[kernel.choose(bot, player, word, weights)]!;
    return options.find((option) => option.action === action) ?? options[0]!;
  }

  /** Why a player cannot mark a spot now, with the swap field or the play of cards chosen so far. */
  whyNot({ seat, spot, swap, chosen }: Pick<Why, 'seat' | 'spot' | 'swap' | 'chosen'>): Pick<Obstacle, 'obstacle' | 'values'> {
    const field = swap ? spotOf(this.#info, swap) - at.SWAP_SPOT : -1;
    const action = (chosen && this.options(seat).get(chosen)?.action) || at.PASS;
    const code = spotOf(this.#info, spot);
    if (code < 0 || (swap && field < 0)) throw new ApiError('message');
    const { obstacle, values } = this.load().whyNot(seat, code, field, action, this.#now.decisions.has(seat));
    return describedObstacle(this.#info, obstacle, values);
  }

  /** Withdraw a decision that has not been revealed. */
  takeBack(player: number): void {
    this.#now.decisions.delete(player);
  }

  /** The phases of this turn whose revealed decision of a player can be taken back, the latest first. */
  reopenable(player: number): string[] {
    return this.#reopenable(player).map((index) => this.phaseOf(this.#history[index]!));
  }

  #reopenable(player: number): number[] {
    const found: number[] = [];
    if (this.over) return found;
    for (let index = this.#history.length - 1; index >= 0; index--) {
      const { description, decisions } = this.#history[index]!;
      if (description[at.D_WAITS_FOR_CHANCE] === 1 || description[at.D_PHASE] === at.TAKE) break;
      if (decisions.has(player)) found.push(index);
    }
    return found;
  }

  /** Take back a revealed decision; the others' decisions in this phase stand, later ones are lost. */
  reopen(player: number, phase: string): void {
    const index = this.#reopenable(player).find((one) => this.phaseOf(this.#history[one]!) === phase);
    if (index === undefined) throw new ApiError('no-takeback');
    const { snapshot, description, decisions } = this.#history[index]!;
    this.#history.length = index;
    this.#now = { snapshot, description, decisions: new Map([...decisions].filter(([other]) => other !== player)) };
    this.#options.clear();
  }

  // Chance

  /** Roll the dice or deal the cards: those of a text, else with a seed of two random words. Return them as a text. */
  chance(drawn: string | null, seed: [number, number] = [0, 0]): string {
    const kernel = this.load();
    const cards = this.#info.cards;
    const numbers = drawn === null ? kernel.drawChance(...seed) : cards ? drawn.split(' ').filter(Boolean).map((name) => readCard(this.#info, name)) : readDice(drawn);
    this.load(); // the words of a shuffle are drawn where the pile is kept
    kernel.letChanceAct(numbers);
    this.#push();
    return cards ? numbers.map((card) => cardName(this.#info, card)).join(' ') : this.diceAt(this.#now);
  }

  /** The dice of this turn; null before the roll and in a card game. */
  get dice(): string | null {
    return this.#info.cards || this.#now.description[at.D_PHASE] === at.ROLL ? null : this.#rolled(this.#now, this.#history);
  }

  /** Whether the dice can show this now: all that are in the game, and none of those that have left it. */
  canShow(roll: string): boolean {
    const highest = Object.values(this.#info.dice);
    const closed = this.#now.description[at.D_CLOSED]!;
    const shows = (face: number, die: number): boolean => (die >= 2 && (closed >> (die - 2)) & 1 ? face === 0 : face >= 1 && face <= highest[Math.max(0, die - 1)]!); // one entry for both white dice
    return ROLL.test(roll) && readDice(roll).every(shows);
  }

  /** Take back the dice of this turn, with all decisions that were made on them. */
  takeBackRoll(): void {
    while (this.#now.description[at.D_PHASE] !== at.ROLL) this.#now = this.#history.pop()!;
    this.#options.clear();
  }

  /** The cards that are shuffled next. */
  dueCards(): number[] {
    return this.load().drawChance(0, 0);
  }

  diceAt(moment: Moment): string {
    return writeDice(moment.description.slice(at.D_DICE, at.D_PILE));
  }

  // Views

  /** The position; without dice and cards if none are `rolled` or dealt. */
  position(reveal: boolean, moment = this.#now, history = this.#history, rolled = true): Position {
    const { description } = moment;
    const isCards = this.#info.cards !== null && rolled;
    const described = reveal && isCards ? this.load(moment).describeState(true) : description;
    const sheets = this.setup.players.map((_, player) => this.#sheet(description, at.D_SHEETS + player * at.SHEET_DESCRIPTION));
    const over = description[at.D_PHASE] === at.OVER;
    return {
      turn: description[at.D_TURN]! + (over ? 0 : 1),
      phase: this.phaseOf(moment),
      active: description[at.D_ACTIVE]!,
      dice: isCards || !rolled || description[at.D_PHASE] === at.ROLL ? null : diceOf(this.#rolled(moment, history)),
      closed: rowNames(description[at.D_CLOSED]!),
      sheets,
      scores: sheets.map((sheet) => sheet.total),
      cards: isCards ? this.#cards(described, reveal) : null,
      last_row: description[at.D_LAST_ROW] === 1,
      last_misthrow: bitSet(description[at.D_LAST_MISTHROW]!),
    };
  }

  /** The dice as they were rolled: after the white action those of closed rows have left. */
  #rolled(moment: Moment, history: Moment[]): string {
    const moments = [moment, ...history.slice(-2).reverse()];
    return this.diceAt(moments.find((one) => one.description[at.D_PHASE] === at.WHITE) ?? moment);
  }

  #cards(described: number[], reveal: boolean): Cards {
    const list = (begin: number): string[] => described.slice(begin + 1, begin + 1 + described[begin]!).map((card) => cardName(this.#info, card));
    const places = described.slice(at.D_DISPLAY, at.D_DISCARDS);
    return {
      hands: this.setup.players.map((_, player) => list(at.D_HANDS + player * at.HAND_DESCRIPTION)),
      display: reveal ? places.filter((card) => card !== at.D_EMPTY).map((card) => cardName(this.#info, card)) : displayNames(this.#info, places).filter(Boolean),
      top: described[at.D_NUMBER]! || null,
      pile: described[at.D_PILE]!,
      discards: list(at.D_DISCARDS),
    };
  }

  hand(player: number): string[] {
    if (!this.#info.cards) return [];
    return this.#cards(this.load().describeState(true), true).hands[player]!;
  }

  #sheet(description: number[], begin: number): Sheet {
    const { rows, fields, bar, pairs, sheets, swaps, second } = this.#info;
    const value = (offset: number): number => description[begin + offset]!;
    const states = <T>(offset: number, length: number, names: readonly T[]): T[] => Array.from({ length }, (_, index) => names[value(offset + index)]!);
    const marked = (row: { numbers: number[] }, code: number, offset: number): number[] =>
      row.numbers.filter((_, cell) => value(offset + code + cell) === at.CELL_STATES.indexOf('marked'));
    const byName = <T>(list: { name: string; numbers: number[] }[], first: number, of: (row: { numbers: number[] }, code: number) => T): Record<string, T> =>
      Object.fromEntries(list.map((row, index) => [row.name, of(row, (first + index) * at.MAX_CELLS)]));
    const kind = sheets[value(at.S_KIND)];
    const swapStates = states(at.S_SWAPS, swaps.length, at.SWAP_STATES);
    const points = [...at.ROW_NAMES, 'bonus', 'misthrows'].map((name, index) => [name, value(at.S_POINTS + index)] as const);
    return {
      rows: byName(rows, 0, (row, code) => marked(row, code, at.S_CELLS)),
      fields: byName(fields, at.ROWS, (row, code) => marked(row, code, at.S_CELLS)),
      cells: byName([...rows, ...fields], 0, ({ numbers }, code) => states(at.S_CELLS + code, numbers.length, at.CELL_STATES)),
      closed: rowNames(value(at.S_CLOSED)),
      locks: rowNames(value(at.S_LOCKS)),
      to_lock: Object.fromEntries([...at.ROW_NAMES].map((name, row) => [name, value(at.S_TO_LOCK + row)])),
      misthrows: value(at.S_MISTHROWS),
      points: Object.fromEntries(points),
      total: value(at.S_TOTAL),
      lucky: value(at.S_LUCKY) ? [value(at.S_LUCKY), value(at.S_LUCKY + 1)] : null,
      bar_used: value(at.S_BAR_USED),
      bar: states(at.S_BAR, bar.length, at.BOX_STATES),
      pairs: pairs.filter(({ gives }) => (value(at.S_PAIRS) >> at.PAIR_BONUSES[gives]!) & 1).map(({ name }) => name),
      pair_boxes: pairs.map(({ gives }) => value(at.S_PAIR_BOXES + at.PAIR_BONUSES[gives]!)),
      letter: kind?.letter ?? null,
      steps: kind?.steps ?? [],
      joined: kind?.joined ?? [],
      swaps: swaps.map((pair) => pair.join('/')).filter((_, index) => swapStates[index] === 'used'),
      swap_states: swapStates,
      second: second ? byName(rows, 0, (row, code) => marked(row, code, at.S_SECOND)) : {},
      second_states: second ? byName(rows, 0, (row, code) => states(at.S_SECOND + code, beforeClosing(this.#info, row), at.CELL_STATES)) : {},
    };
  }

  result(): Result | null {
    const { description } = this.#now;
    if (!this.over) return null;
    const ended_by = this.#ofSheets(at.S_ENDS_GAME).flatMap((ends, player) => (ends ? [player] : []));
    return { reason: at.REASONS[description[at.D_REASON]!]!, scores: this.scores, winners: bitSet(description[at.D_WINNERS]!), ended_by };
  }

  // Turns

  /** The turns so far; before the end the colours of cards that were taken are hidden. */
  log(): Turn[] {
    return this.#turns().map(({ taken, renewed, ...turn }) => ({
      ...turn,
      ...(taken ? { taken: this.over ? taken.split(',') : hideTaken(taken) } : {}),
      ...(renewed ? { renewed: true } : {}),
    }));
  }

  #turns(): WrittenTurn[] {
    const turns: WrittenTurn[] = [];
    let before = at.ROLL;
    for (const moment of [...this.#history, this.#now]) {
      const { description, decisions } = moment;
      const phase = description[at.D_PHASE]!;
      const choices = moment === this.#now ? [] : [...decisions.keys()].sort((one, other) => one - other).map((player) => decisions.get(player)!);
      const last = turns.at(-1);
      if (phase === at.TAKE) turns.push({ active: description[at.D_ACTIVE]!, ...(choices[0] ? { taken: choices[0].option } : {}) });
      else if (phase === at.WHITE) {
        const turn = this.#info.cards ? last! : { active: description[at.D_ACTIVE]! };
        if (choices.length) turn.white = choices.map((one) => one.choice);
        if (!this.#info.cards) turns.push(Object.assign(turn, { dice: diceOf(this.diceAt(moment)) }));
        else {
          turn.number = description[at.D_NUMBER]!;
          if (before === at.DRAW) turn.renewed = this.#pile(moment);
        }
      } else if (phase === at.COLOUR && choices[0]) last![this.#info.cards ? 'played' : 'colour'] = choices[0].choice;
      before = phase;
    }
    return turns;
  }

  /** All cards of the pile since it was shuffled, the top one first. */
  #pile({ snapshot, description }: Moment): string {
    const begin = at.DRAWN - at.STATE;
    const cards = snapshot.subarray(begin, begin + description[at.D_DRAWN]! + description[at.D_PILE]!);
    return Array.from(cards, (card) => cardName(this.#info, Number(card))).join(',');
  }

  /** The scores as the tag Result has them. */
  get resultTag(): string {
    return this.over ? this.scores.join(' ') : '*';
  }

  /** The lines of the tags; `first` is the name of that with the variant, `more` are others about the game. */
  tagLines(first: string, more: Record<string, string> = {}): string[] {
    const { players, lucky } = this.setup;
    const sheets = this.#ofSheets(at.S_KIND).flatMap((kind) => this.#info.sheets[kind]?.letter ?? []);
    const tags: Record<string, string> = { [first]: variantOf(this.#info.id), Players: players.join('; ') };
    if (this.variant.identity) tags['VariantHash'] = this.variant.identity;
    if (sheets.length) tags['Sheets'] = sheets.join('; ');
    if (lucky.length) tags['Lucky'] = lucky.map((pair) => pair.join('/')).join('; ');
    Object.assign(tags, more, this.tags, { Result: this.resultTag });
    return Object.entries(tags).map(([name, value]) => `[${name} "${value}"]`);
  }

  /** The game in notation, like `rowlock.rules.notation.write`. */
  record(): string {
    const dealt = this.#history[1] ?? this.#now;
    const deck: Record<string, string> = this.#info.cards ? { Deck: this.#pile(dealt).replaceAll(',', ' ') } : {};
    const lines = this.tagLines('Variant', { ...(this.setup.jokers ? { Jokers: 'yes' } : {}), ...deck });
    const turns = this.#turns().map((turn, index) => `${index + 1}. ${writeTurn(turn)}`.trimEnd());
    return [...lines, '', ...turns, ''].join('\n');
  }

  /** The positions at every decision and now. */
  replay(table: string | null): Replay {
    const moments = [...this.#history, this.#now];
    const shown = moments.flatMap((moment, index) => {
      const decides = moment.description[at.D_TO_ACT] !== 0;
      const last = index === moments.length - 1;
      return decides || (last && !this.toAct.length) ? [this.position(true, moment, moments.slice(0, index))] : [];
    });
    return { table, variant: this.name, players: this.setup.players, positions: shown, log: this.log(), result: this.result(), variant_hash: this.variant.identity };
  }
}

const hideTaken = (taken: string): string[] =>
  taken
    .split(',')
    .map((name) => Number(name.slice(1)))
    .sort((one, other) => one - other)
    .map((number) => `?${number}`);
