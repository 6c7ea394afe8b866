/** Sheets without dice on this device, like `rowlock.rules.score_sheets`: the kernel says what can be marked. */
import type { Choice, LocalVariant, Obstacle, Sheet, SinceRoll, VariantInfo } from '../protocol.ts';
import { ApiError } from '../apiError.ts';
import { beforeClosing } from '../marks.ts';
import { LocalGame, type GameSetup, type Moment } from './game.ts';
import type { Kernel } from './kernel.ts';
import * as at from './layout.ts';
import { bitSet, describedObstacle, describedOption, rowNames, spotOf, type Option } from './notation.ts';

interface Mark {
  seat: number;
  option: Option;
  /** The bit set of rows that others have locked since the last roll and that were closed already. */
  closed: number;
}

const MISTHROW = 'x';

/** The mark itself, without those that it sets off. */
export const firstMark = (option: string): string => option.split('+')[0]!;

export const rowSet = (names: string): number => [...names].reduce((rows, name) => rows | (1 << at.ROW_NAMES.indexOf(name)), 0);

export class LocalSheets {
  readonly game: LocalGame;
  /** The marks after each roll. */
  #rolls: Mark[][] = [[]];
  /** The state after the last roll. */
  #start: Moment;

  constructor(kernel: Kernel, variant: LocalVariant, setup: GameSetup) {
    this.game = new LocalGame(kernel, variant, setup);
    this.#start = this.game.now;
  }

  get #info(): VariantInfo {
    return this.game.variant.info;
  }

  get roll(): number {
    return this.#rolls.length;
  }

  get over(): boolean {
    return this.game.over;
  }

  get #marks(): Mark[] {
    return this.#rolls.at(-1)!;
  }

  // Marking

  /** What a player can mark if these rows are closed already, by its text. */
  #options(seat: number, closed: number): Map<string, Option> {
    const kernel = this.game.load();
    const found = kernel.freeOptions(seat, closed).map((action): Option => {
      if (action === at.PASS) return { action, option: MISTHROW, choice: { option: MISTHROW, marks: [], misthrow: true } };
      return describedOption(this.#info, action, kernel.describeFreeOption(seat, action), { coloured: [], seen: [] });
    });
    // Two lucky numbers give the same option twice.
    return new Map(found.map((one) => [one.option, one]));
  }

  /** The last mark of a player since the last roll, without those that it has set off. */
  lastMark(seat: number): string | null {
    const last = this.#marks.findLast((mark) => mark.seat === seat);
    return last ? firstMark(last.option.option) : null;
  }

  /** Every mark that a player can make, also those for which a row that others have locked was closed already. */
  choices(seat: number): Choice[] {
    const open = this.#options(seat, 0);
    const kernel = this.game.load();
    const locked = this.over ? 0 : kernel.lockedByOthers(seat);
    const found = [...open.values()].map(({ choice }) => choice);
    const asked = new Map<string, number>();
    for (const { option, action } of locked ? open.values() : []) asked.set(firstMark(option), (asked.get(firstMark(option)) ?? 0) | kernel.doubtfulRows(seat, action));
    for (const closed of subsets(locked)) {
      const doubtful = ({ option }: Option): boolean => (closed & ~(asked.get(firstMark(option)) ?? 0)) === 0;
      found.push(...[...this.#options(seat, closed).values()].filter(doubtful).map((one) => withClosed(one, closed)));
    }
    return found;
  }

  /** An option by its text, with a bit set of rows that were closed already; an error if the sheet does not allow it. */
  find(seat: number, text: string, closed: number): Option {
    const option = (closed & ~this.game.load().lockedByOthers(seat)) === 0 ? this.#options(seat, closed).get(text) : undefined;
    if (!option) throw new ApiError('illegal', { rule: 'order', options: [...this.#options(seat, 0).keys()].sort() });
    return option;
  }

  mark(seat: number, text: string, closed: number): void {
    const option = this.find(seat, text, closed);
    this.game.load().markFreely(seat, option.action, closed);
    this.game.replaceState();
    this.#marks.push({ seat, option, closed });
  }

  newRoll(): void {
    this.game.load().announceRoll();
    this.game.replaceState();
    this.#start = this.game.now;
    if (!this.over) this.#rolls.push([]);
  }

  /** End the game now; if it ends with the next roll anyway, for that reason. */
  end(): void {
    if (this.#ending()) return this.newRoll();
    this.game.load().endGame();
    this.game.replaceState();
  }

  /** Undo the last mark of a player since the last roll; the marks of others stand. An error if that is not possible; with `try` nothing changes. */
  undo(seat: number, { try: trying = false } = {}): void {
    const [before, marks] = [this.game.now, this.#marks];
    const place = marks.findLastIndex((mark) => mark.seat === seat);
    if (place < 0) throw new ApiError('no-takeback');
    const restore = (): void => {
      this.game.replaceState(before);
      this.#rolls[this.#rolls.length - 1] = marks;
    };
    this.game.replaceState(this.#start);
    this.#rolls[this.#rolls.length - 1] = [];
    try {
      for (const mark of marks.filter((_, index) => index !== place)) this.#makeAgain(mark);
    } catch (error) {
      restore();
      throw error;
    }
    if (trying) restore();
  }

  /** Make a mark after another one was undone: without a lock, bonuses may mark in its row. */
  #makeAgain({ seat, option, closed }: Mark): void {
    const still = closed & this.game.load().lockedByOthers(seat);
    const options = this.#options(seat, still);
    const again = options.get(option.option) ?? [...options.values()].find((one) => firstMark(one.option) === firstMark(option.option)) ?? option;
    this.mark(seat, again.option, still);
  }

  whyNot(seat: number, name: string): Pick<Obstacle, 'obstacle' | 'values'> {
    const spot = spotOf(this.#info, name);
    if (spot < 0) throw new ApiError('message');
    const { obstacle, values } = this.game.load().whyNoMark(seat, spot);
    return describedObstacle(this.#info, obstacle, values);
  }

  // Views

  sinceRoll(): SinceRoll {
    const players = this.game.setup.players.map((_, seat) => seat);
    const newLocks = players.map((seat) => this.game.locksAt(this.game.now, seat) & ~this.game.locksAt(this.#start, seat));
    const locks = [...at.ROW_NAMES].map((name, row) => [name, players.filter((seat) => (newLocks[seat]! >> row) & 1)] as const);
    return {
      marks: this.#marks.map(({ seat, option, closed }) => ({ seat, mark: withClosed(option, closed) })),
      locks: Object.fromEntries(locks.filter(([, seats]) => seats.length)),
      ending: this.#ending(),
    };
  }

  /** Whether the game is over with the next roll. */
  #ending(): boolean {
    const kernel = this.game.load();
    kernel.announceRoll();
    return kernel.describeState(false)[at.D_PHASE] === at.OVER;
  }

  /** The sheets in notation, like `rowlock.rules.score_notation.write`. */
  record(): string {
    const rolls = this.#rolls.map((marks, index) => [`${index + 1}.`, ...marks.map(({ seat, option, closed }) => `${seat + 1}:${option.option}${closed ? `/${rowNames(closed).join('')}` : ''}`)].join(' '));
    const final = this.game.position(false).sheets.map((sheet) => `= ${writeSheet(this.#info, sheet)}`);
    return [...this.game.tagLines('ScoreSheets'), '', ...rolls, ...final, ''].join('\n');
  }
}

/** The subsets of a bit set of rows, without the empty one: small ones first, then in the order of the rows. */
function subsets(rows: number): number[] {
  const all = Array.from({ length: 1 << at.ROW_NAMES.length }, (_, set) => set).filter((set) => set && !(set & ~rows));
  const key = (set: number): string => `${bitSet(set).length} ${bitSet(set).join('')}`;
  return all.sort((one, other) => (key(one) < key(other) ? -1 : 1));
}

const withClosed = ({ choice }: Option, closed: number): Choice => (closed ? { ...choice, closed: rowNames(closed) } : choice);

/** A sheet in notation. */
function writeSheet(variant: VariantInfo, sheet: Sheet): string {
  const { rows, fields, bar } = variant;
  const words = [...rows, ...fields].map((row) => {
    const { name, numbers } = row;
    const isRow = rows.includes(row);
    const marked = (isRow ? sheet.rows : sheet.fields)[name]!;
    const sign = (number: number): string => (isRow && numbers.indexOf(number) >= beforeClosing(variant, row) ? '#' : sheet.second[name]?.includes(number) ? '*' : '');
    return name + (marked.map((number) => number + sign(number)).join(',') || '-');
  });
  words.push(`x${sheet.misthrows}`);
  if (bar) words.push(`+${sheet.bar_used}`);
  if (sheet.lucky) words.push(`!${sheet.lucky.join('/')}`);
  if (sheet.letter) words.push(`@${sheet.letter}`);
  if (sheet.swaps.length) words.push(`>${sheet.swaps.join(',')}`);
  return words.join(' ');
}
