/**
 * A table on this device: its state follows from its events, which have the form of the server's.
 *
 * All people of the table are at this device. What only a server needs is missing: secrets, presence, votes, clocks.
 */
import type { AnyMessage, LocalVariant, Obstacle, Own, Roll, View, Why } from '../protocol.ts';
import { firstEvents, type Created, type Dealt, type Decided, type OfDecision, type Rolled, type TableEvent } from './events.ts';
import { LocalGame } from './game.ts';
import { firstMark, LocalSheets, rowSet } from './sheets.ts';
import type { Kernel } from './kernel.ts';
import { CHALLENGE } from './played.ts';
import { challengeOf, challengeSeed } from '../challenge.ts';
import { ApiError } from '../apiError.ts';
import { hasJokers } from '../setup.ts';
import { hasRealDice } from '../table/realDice.ts';

const MAX_WITHDRAWALS = 20;
const MAX_TAKEBACKS = 5;
const MAX_CORRECTIONS = 20;
const TAKEBACK_MS = 30_000;

interface Seat {
  bot: string | null;
  lucky: [number, number] | null;
  sheet: string | null;
  name: string | null;
  /** The number of the event with which the person took the seat; 0 for a bot. */
  joined: number;
}

/** What a player points at, to know why it cannot be marked. */
export type Question = Pick<Why, 'seat' | 'spot' | 'swap' | 'chosen'>;

/** Two random words of 32 bits. */
export type Seed = () => [number, number];

export class LocalTable {
  readonly code: string;
  readonly kernel: Kernel;
  readonly variant: LocalVariant;
  /** The day whose challenge this is: its dice follow from the date. */
  readonly challenge: string | null;
  seq = 0;
  game: LocalGame | null = null;
  /** At a table without dice; `game` is then theirs, and nobody is to decide in it. */
  sheets: LocalSheets | null = null;
  rematch: string | null = null;
  #created: Created | null = null;
  #createdAt = 0;
  #seats: Seat[] = [];
  #phaseBeganAt = 0;
  #pastPhases = new Set<string>();
  #withdrawals = new Map<number, number>();
  #final: number[] = [];
  #takebackRequests = new Map<number, number>();
  /** The choices of people in this turn, by seat and phase: then entered dice stand. */
  #choices: { seat: number; phase: string }[] = [];
  #corrections = 0;
  #takeback: { seat: number; turn: number; phase: string; until: number; agreed: number[] } | null = null;
  #rematchSeats: number[] | null = null;
  #rematchAnswers = new Map<number, boolean>();

  constructor(code: string, kernel: Kernel, variant: LocalVariant) {
    this.code = code;
    this.challenge = challengeOf(code);
    this.kernel = kernel;
    this.variant = variant;
  }

  // Events

  apply(event: TableEvent, at: number): void {
    this.seq++;
    switch (event.kind) {
      case 'created':
        return this.#create(event, at);
      case 'seated':
        Object.assign(this.#seats[event.seat]!, { name: event.name, joined: this.seq, ...(event.sheet ? { sheet: event.sheet } : {}) });
        return;
      case 'started':
        return this.#start(event.order);
      case 'rolled':
        return this.#roll(event, at);
      case 'dealt':
        this.#startedGame.chance(event.cards ?? '');
        return this.#beginTurn(at);
      case 'decided':
        return this.#decide(event, at);
      case 'marked':
        return this.#runningSheets.mark(event.seat, event.option, rowSet(event.closed ?? ''));
      case 'undone':
        return this.#runningSheets.undo(event.seat);
      case 'newroll':
        return this.#runningSheets.newRoll();
      case 'finished':
        return this.#runningSheets.end();
      case 'withdrawn':
        this.#startedGame.takeBack(event.seat);
        this.#choices = this.#choices.filter(({ seat, phase }) => seat !== event.seat || phase !== event.phase);
        this.#withdrawals.set(event.seat, (this.#withdrawals.get(event.seat) ?? 0) + 1);
        return;
      case 'takebackasked':
        this.#takeback = { seat: event.seat, turn: event.turn, phase: event.phase, until: event.until, agreed: [] };
        this.#takebackRequests.set(event.seat, (this.#takebackRequests.get(event.seat) ?? 0) + 1);
        return;
      case 'takebackanswered':
        if (event.agree) this.#takeback?.agreed.push(event.seat);
        else this.#takeback = null;
        return;
      case 'takenback':
        return this.#takeBack(event, at);
      case 'rematchanswered':
        this.#rematchAnswers.set(event.seat, event.agree);
        return;
      case 'rematched':
        [this.rematch, this.#rematchSeats] = [event.table, event.seats];
        return;
      case 'ended':
        return;
    }
  }

  #create(event: Created, at: number): void {
    this.#created = event;
    this.#createdAt = at;
    const names: string[] = [];
    for (const { bot = null, lucky = null, sheet = null } of event.seats) {
      const name = bot && uniqueName(bot, names);
      if (name) names.push(name);
      this.#seats.push({ bot, lucky, sheet, name, joined: 0 });
    }
  }

  #start(order: number[]): void {
    this.#seats = order.map((number) => this.#seats[number]!);
    const setup = {
      players: this.#seats.map((seat) => seat.name ?? ''),
      jokers: this.#dice !== 'none' && hasJokers(this.#created!.variant),
      lucky: this.#seats.flatMap(({ lucky }) => (lucky ? [lucky] : [])),
      sheets: this.#seats.map(({ sheet }) => sheet),
    };
    if (this.#dice === 'none') this.sheets = new LocalSheets(this.kernel, this.variant, setup);
    this.game = this.sheets?.game ?? new LocalGame(this.kernel, this.variant, setup);
    this.game.tags['Date'] = new Date(this.#createdAt).toISOString().slice(0, 10);
    if (this.challenge) this.game.tags[CHALLENGE] = this.challenge;
    if (this.#seats.some(({ bot }) => bot)) this.game.tags['Bots'] = this.#seats.map(({ bot }) => bot ?? '').join('; ');
    if (this.#entersDice) this.game.tags['Dice'] = 'entered';
  }

  get #startedGame(): LocalGame {
    if (!this.game) throw new ApiError('not-started');
    return this.game;
  }

  get #runningSheets(): LocalSheets {
    if (this.#dice !== 'none') throw new ApiError('message');
    if (!this.sheets) throw new ApiError('not-started');
    if (this.sheets.over) throw new ApiError('past');
    return this.sheets;
  }

  #sheetsInRoll(turn: number): LocalSheets {
    const sheets = this.#runningSheets;
    if (turn !== sheets.roll) throw new ApiError(turn < sheets.roll ? 'past' : 'early', { turn: sheets.roll, phase: sheets.game.phase });
    return sheets;
  }

  #beginTurn(at: number): void {
    this.#phaseBeganAt = at;
    this.#takeback = null;
    this.#takebackRequests.clear();
    this.#choices = [];
    this.#corrections = 0;
  }

  #roll({ dice, seat }: Rolled, at: number): void {
    const game = this.#startedGame;
    const corrections = seat !== undefined && game.dice ? this.#corrections + 1 : 0;
    if (corrections) {
      game.takeBackRoll();
      this.#reveal(at);
      for (const phase of ['white', 'colour']) this.#pastPhases.delete(phaseKey(game.turn, phase));
    }
    game.chance(dice);
    this.#beginTurn(at);
    this.#corrections = corrections;
  }

  #decide(event: Decided, at: number): void {
    const game = this.#startedGame;
    const before = phaseKey(game.turn, game.phase);
    // Who can only pass has not chosen.
    if (this.#entersDice && event.by !== 'bot' && game.options(event.seat).size > 1) this.#choices.push(event);
    game.play(event.seat, event.option);
    if (phaseKey(game.turn, game.phase) !== before) {
      this.#pastPhases.add(before);
      this.#reveal(at);
    }
    if (game.over) this.#takeback = null;
  }

  #reveal(at: number): void {
    this.#phaseBeganAt = at;
    this.#withdrawals.clear();
    this.#final = [];
  }

  #takeBack({ seat, turn, phase }: OfDecision<'takenback'>, at: number): void {
    this.#reveal(at);
    this.#startedGame.reopen(seat, phase);
    this.#final = [...this.#startedGame.pending.keys()];
    this.#takeback = null;
    for (const one of [phase, 'colour', 'play']) this.#pastPhases.delete(phaseKey(turn, one));
    this.#choices = this.#choices.filter((one) => one.phase === 'white' && (one.seat !== seat || one.phase !== phase));
  }

  /** Apply events and what follows from them: the roll, deal, take-back or end. Return all events. */
  append(events: TableEvent[], at: number, seed: Seed): TableEvent[] {
    const all = [...events];
    for (const event of events) this.apply(event, at);
    const { game } = this;
    const add = (event: TableEvent): void => {
      this.apply(event, at);
      all.push(event);
    };
    if (game && ['started', 'decided', 'newroll', 'finished'].includes(events.at(-1)?.kind ?? '')) {
      if (game.over) add({ kind: 'ended', scores: game.scores });
      else if (this.#dice === 'rolled' && !game.toAct.length && !((this.#pause || this.#takeback) && game.betweenTurns)) all.push(this.#drawChance(at, seed));
    }
    const request = this.#takeback;
    if (request && at <= request.until && this.people.every((seat) => seat === request.seat || request.agreed.includes(seat))) {
      add({ kind: 'takenback', seat: request.seat, turn: request.turn, phase: request.phase });
    }
    return all;
  }

  #drawChance(at: number, seed: Seed): Rolled | Dealt {
    const drawn = this.#startedGame.chance(null, this.challenge ? challengeSeed(this.challenge) : seed());
    this.seq++;
    this.#beginTurn(at);
    if (!this.variant.info.cards) return { kind: 'rolled', dice: drawn };
    return { kind: 'dealt', ...(drawn ? { cards: drawn } : {}) };
  }

  /** Roll or deal for the next turn once the pause is over; return the event, which is applied already. */
  beginTurn(at: number, seed: Seed): TableEvent[] {
    return this.rollAt !== null && at >= this.rollAt ? [this.#drawChance(at, seed)] : [];
  }

  // State

  get state(): View['state'] {
    return this.game ? (this.game.over ? 'over' : 'running') : 'waiting';
  }

  get #pause(): number {
    return this.#created?.pause ?? 0;
  }

  get #dice(): View['dice'] {
    return this.#created?.dice ?? 'rolled';
  }

  get #entersDice(): boolean {
    return hasRealDice({ dice: this.#dice });
  }

  /** The seats whose players may enter or correct the dice now; they stand once a person has chosen. */
  get entering(): number[] {
    const { game, people } = this;
    if (!this.#entersDice || !game || game.over || (game.dice && this.#choices.length)) return [];
    return this.#dice === 'entered' && people.includes(game.active) ? [game.active] : people;
  }

  /** The seats that the game waits for: they decide, or nobody else may enter the dice. */
  get #awaited(): number[] {
    const { game, entering } = this;
    if (game?.toAct.length) return game.toAct;
    return !game?.dice && entering.length === 1 ? entering : [];
  }

  /** When the next turn begins; null unless the table pauses between two turns. */
  get rollAt(): number | null {
    if (!this.game?.betweenTurns || this.#dice !== 'rolled') return null;
    return Math.max(this.#phaseBeganAt + 1000 * this.#pause, this.#takeback?.until ?? 0);
  }

  get people(): number[] {
    return this.#seats.flatMap(({ joined }, number) => (joined ? [number] : []));
  }

  /** The person who joined first. */
  get #host(): number | null {
    return this.people.sort((one, other) => this.#seats[one]!.joined - this.#seats[other]!.joined)[0] ?? null;
  }

  /** Go on after loading: the time since the last event does not count. */
  resume(lastEventAt: number, now: number): void {
    this.#phaseBeganAt = Math.min(this.#phaseBeganAt + now - lastEventAt, now);
    if (this.#takeback) this.#takeback.until = Math.min(this.#takeback.until + now - lastEventAt, now + TAKEBACK_MS);
  }

  /** The seats whose bots are to decide. */
  get botsToAct(): { seat: number; bot: string }[] {
    return (this.game?.toAct ?? []).flatMap((seat) => (this.#seats[seat]!.bot ? [{ seat, bot: this.#seats[seat]!.bot }] : []));
  }

  // Commands

  /** The events that a message of the client causes. */
  command(message: AnyMessage, at: number): TableEvent[] {
    switch (message.type) {
      case 'decide': {
        if (message.dice && message.turn === this.game?.turn && message.dice !== this.game.dice) throw new ApiError('dice-changed');
        const game = this.#gameInPhase(message.turn, message.phase);
        if (!game.toAct.includes(message.seat)) {
          if (game.pending.has(message.seat)) throw new ApiError('decided');
          throw new ApiError('not-to-act', { to_act: game.toAct });
        }
        const { seat, turn, phase, option } = message;
        if (!game.options(seat).has(option)) throw new ApiError('illegal', { rule: 'written', options: [...game.options(seat).keys()].sort() });
        return [{ kind: 'decided', seat, turn, phase, option }];
      }
      case 'roll':
        return this.#enter(message);
      case 'withdraw': {
        const { seat, turn, phase } = message;
        const game = this.#gameInPhase(turn, phase);
        if (!game.pending.has(seat)) throw new ApiError('not-decided');
        if (this.#final.includes(seat)) throw new ApiError('no-takeback');
        if ((this.#withdrawals.get(seat) ?? 0) >= MAX_WITHDRAWALS) throw new ApiError('limit', { most: MAX_WITHDRAWALS });
        return [{ kind: 'withdrawn', seat, turn, phase }];
      }
      case 'takeback':
        return this.#askTakeback(message.seat, message.turn, message.phase, at);
      case 'mark': {
        const { seat, turn, option, closed = '' } = message;
        this.#sheetsInRoll(turn).find(seat, option, rowSet(closed));
        return [{ kind: 'marked', seat, option, ...(closed ? { closed } : {}) }];
      }
      case 'undo': {
        const { seat, turn, option } = message;
        const sheets = this.#sheetsInRoll(turn);
        if (sheets.lastMark(seat) !== firstMark(option)) throw new ApiError('past', { turn: sheets.roll, phase: sheets.game.phase }); // another page has undone it
        sheets.undo(seat, { try: true });
        return [{ kind: 'undone', seat }];
      }
      case 'newroll':
        return [{ kind: 'newroll', turn: this.#sheetsInRoll(message.turn).roll }];
      case 'finish':
        this.#sheetsInRoll(message.turn);
        return [{ kind: 'finished' }];
      case 'rematch':
        if (!this.game?.over) throw new ApiError('not-over');
        return this.rematch === null ? [{ kind: 'rematchanswered', seat: message.seat, agree: message.agree }] : [];
      default:
        throw new ApiError('started'); // a local table has no lobby, no votes and no absent people
    }
  }

  /** The game, or the sheets of a table without dice, in notation. */
  record(): string {
    return (this.sheets ?? this.#startedGame).record();
  }

  whyNot(message: Question): Pick<Obstacle, 'obstacle' | 'values'> {
    if (this.sheets) return this.sheets.whyNot(message.seat, message.spot);
    return this.#startedGame.whyNot(message);
  }

  /** Enter the dice that a person has rolled, or correct them. */
  #enter({ seat, turn, dice, corrects = null }: Roll): TableEvent[] {
    const game = this.#startedGame;
    if (turn !== game.turn || game.over) throw new ApiError(turn > game.turn ? 'early' : 'past', { turn: game.turn, phase: game.phase });
    if (dice === game.dice) return [];
    if (game.dice !== corrects || (game.dice && this.#choices.length)) throw new ApiError('dice-stand');
    if (!this.entering.includes(seat)) throw new ApiError('not-to-roll', { seats: this.entering });
    if (game.dice && this.#corrections >= MAX_CORRECTIONS) throw new ApiError('limit', { most: MAX_CORRECTIONS });
    if (!game.canShow(dice)) throw new ApiError('dice');
    return [{ kind: 'rolled', dice, seat }];
  }

  #askTakeback(seat: number, turn: number, phase: string, at: number): TableEvent[] {
    const game = this.#startedGame;
    const lastTurn = game.turn - Number(game.betweenTurns);
    if (turn !== lastTurn || !this.people.includes(seat) || !game.reopenable(seat).includes(phase)) throw new ApiError('no-takeback');
    if ((this.#takebackRequests.get(seat) ?? 0) >= MAX_TAKEBACKS) throw new ApiError('limit', { most: MAX_TAKEBACKS });
    if (this.#takeback && at < this.#takeback.until) throw new ApiError('no-takeback');
    // People who share the device agree without being asked.
    const others = this.people.filter((number) => number !== seat);
    return [{ kind: 'takebackasked', seat, turn, phase, until: at + TAKEBACK_MS }, ...others.map((number) => ({ kind: 'takebackanswered', seat: number, agree: true }) as const)];
  }

  #gameInPhase(turn: number, phase: string): LocalGame {
    const game = this.#startedGame;
    if (turn !== game.turn || phase !== game.phase) {
      const past = game.over || turn < game.turn || this.#pastPhases.has(phaseKey(turn, phase));
      throw new ApiError(past ? 'past' : 'early', { turn: game.turn, phase: game.phase });
    }
    return game;
  }

  decideByBot(seat: number, option: string): TableEvent[] {
    const { turn, phase } = this.#startedGame;
    return [{ kind: 'decided', seat, turn, phase, option, by: 'bot' }];
  }

  /** The option that a bot chooses for a seat; `word` is 32 random bits. */
  chooseForBot(seat: number, bot: string, word: number, weights: Uint16Array | null): string {
    return this.#startedGame.chooseForBot(seat, bot, word, weights).choice.option;
  }

  /** Whether all people have answered and somebody plays the rematch. */
  get rematchDue(): boolean {
    return this.rematch === null && this.people.some((seat) => this.#rematchAnswers.get(seat)) && this.people.every((seat) => this.#rematchAnswers.has(seat));
  }

  /** The seats whose people play the rematch, and the first events of its table; `first` is the seat that begins. */
  rematchEvents(first: (seats: number) => number): { seats: number[]; events: TableEvent[] } {
    const seats = this.people.filter((seat) => this.#rematchAnswers.get(seat));
    const playing = this.#seats.filter((seat, number) => seat.bot || seats.includes(number));
    const plans = playing.map((seat) => ({ ...(seat.bot ? { bot: seat.bot } : {}), ...(seat.lucky ? { lucky: seat.lucky } : {}), ...(seat.sheet ? { sheet: seat.sheet } : {}) }));
    // In the order in which they joined this table, so that the host stays the same.
    const people = playing.flatMap(({ joined, name }, seat) => (joined ? [{ joined, seat, name: name! }] : [])).sort((one, other) => one.joined - other.joined);
    return { seats, events: firstEvents({ ...this.#created!, seats: plans, before: this.code }, people, this.sheets ? 0 : first(playing.length)) };
  }

  // Views

  view(now: number): View {
    const { game } = this;
    const people = this.people;
    const own = people.map((seat) => this.#own(seat));
    return {
      type: 'view',
      table: this.code,
      seq: this.seq,
      now,
      state: this.state,
      variant: this.#created!.variant,
      seconds: null,
      seats: this.#seats.map(({ name, joined, bot, sheet }) => ({ name, kind: bot ? 'bot' : 'person', bot, connected: joined > 0, absent: false, trouble: null, sheet, shares: false })),
      position: game?.position(game.over, undefined, undefined, !this.sheets) ?? null,
      log: game?.log() ?? [],
      to_act: game?.toAct ?? [],
      decided: [...(game?.pending.keys() ?? [])].sort((one, other) => one - other),
      final: [...this.#final].sort((one, other) => one - other),
      deadline: null,
      own,
      result: game?.result() ?? null,
      pause: this.#pause,
      roll_at: this.rollAt,
      host: this.#host,
      open: true,
      invite: null,
      hash: '',
      takeback: this.#takeback && now <= this.#takeback.until ? { ...this.#takeback, agreed: [...this.#takeback.agreed].sort((one, other) => one - other) } : null,
      votes: null,
      rematch: this.state === 'over' ? this.#rematchState() : null,
      variant_hash: this.#created!.variant_file ? this.variant.identity : null,
      hints: !this.challenge && (this.#created!.hints === true || this.#seats.filter(({ bot }) => !bot).length <= 1),
      dice: this.#dice,
      entering: this.entering,
      awaited: this.#awaited,
      since_roll: this.sheets?.sinceRoll() ?? null,
      start: null,
      voided: [],
    };
  }

  #own(seat: number): Own {
    const { game } = this;
    if (!game) return { seat, decision: null, options: [], hand: [], takeback: [] };
    const options = this.sheets?.choices(seat) ?? [...game.options(seat).values()].map(({ choice }) => choice);
    return { seat, decision: game.pending.get(seat)?.choice ?? null, options, hand: this.sheets ? [] : game.hand(seat), takeback: game.reopenable(seat) };
  }

  #rematchState(): View['rematch'] {
    const answers = [...this.#rematchAnswers];
    const agreed = this.#rematchSeats ?? answers.flatMap(([seat, agree]) => (agree ? [seat] : []));
    return { agreed, declined: answers.flatMap(([seat, agree]) => (agree ? [] : [seat])), table: this.rematch };
  }
}

const phaseKey = (turn: number, phase: string): string => `${turn} ${phase}`;

function uniqueName(name: string, others: string[]): string {
  let unique = name;
  for (let count = 2; others.includes(unique); count++) unique = `${name} ${count}`;
  return unique;
}
