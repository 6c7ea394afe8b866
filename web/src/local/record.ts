/** Reading the record of a game: the kernel says what is legal, so every text is compared with the options. */
import { ApiError } from '../apiError.ts';
import { duplicateName, isName } from '../names.ts';
import type { LocalVariant } from '../protocol.ts';
import { LocalGame } from './game.ts';
import type { Kernel } from './kernel.ts';
import { readCard } from './notation.ts';

const TAG = /^\[([A-Za-z0-9]+)[ \t]+"([^"]*)"\]$/;
const COMMENT = /(^|(?<=[ \t]));.*/; // a ; within a word begins no comment
const LUCKY = /^(0|[1-9][0-9]?)\/(0|[1-9][0-9]?)$/;
const CARD = /^[rygbj][1-9][0-9]?$/;
/** Tags that a game writes itself. */
const OWN_TAGS = ['Variant', 'Players', 'VariantHash', 'Sheets', 'Lucky', 'Jokers', 'Deck', 'Result'];

/** The data of a variant; an error with the code `variant` if there is none of that name. */
type Find = (id: string) => Promise<LocalVariant>;

/** The game of a record. An error has the line and a code of the record format; a mark that breaks a rule is `illegal`. */
export async function readRecord(text: string, kernel: Kernel, find: Find): Promise<LocalGame> {
  const reader = new RecordReader(kernel, find);
  for (const [index, line] of text.replace(/^\uFEFF/, '').split(/\r?\n/).entries()) {
    const stripped = line.replace(/^[ \t]+|[ \t]+$/g, '');
    if (stripped && !stripped.startsWith(';')) await reader.readLine(index + 1, stripped);
  }
  return reader.finish();
}

/** Reads a record line by line. */
class RecordReader {
  #kernel: Kernel;
  #find: Find;
  #line = 0;
  /** The line of the last turn. */
  #turnLine = 0;
  #variant: LocalVariant | null = null;
  #tags = new Map<string, { value: string; line: number }>();
  #game: LocalGame | null = null;

  constructor(kernel: Kernel, find: Find) {
    this.#kernel = kernel;
    this.#find = find;
  }

  async readLine(line: number, text: string): Promise<void> {
    this.#line = line;
    const tag = TAG.exec(text);
    if (tag) await this.#readTag(tag[1]!, tag[2]!);
    else if (!this.#variant || text.startsWith('[')) throw this.#wrong('syntax');
    else this.#readTurn((this.#game ??= this.#begin()), text.replace(COMMENT, '').split(/[ \t]+/).filter(Boolean));
  }

  /** Check the tag Result and return the game. */
  finish(): LocalGame {
    if (!this.#variant) throw this.#wrong('syntax', 0);
    const game = this.#game ?? this.#begin();
    const result = this.#tags.get('Result');
    if (result && result.value !== game.resultTag) throw this.#wrong('result', result.line);
    return game;
  }

  #wrong(error: string, line = this.#line): ApiError {
    return new ApiError('record', { line, error });
  }

  // Tags

  async #readTag(name: string, value: string): Promise<void> {
    if ((this.#variant === null) !== (name === 'Variant') || this.#tags.has(name) || this.#game) throw this.#wrong('tag');
    this.#tags.set(name, { value, line: this.#line });
    if (name === 'Variant') this.#variant = await this.#findVariant(value);
    else this.#checkTag(name, value, this.#variant!);
  }

  #findVariant(id: string): Promise<LocalVariant> {
    return this.#find(id).catch((error: unknown) => {
      throw error instanceof ApiError && error.code === 'variant' ? this.#wrong('variant') : error;
    });
  }

  #checkTag(name: string, value: string, { info, identity }: LocalVariant): void {
    const parts = value.split('; ');
    const unknown = { Lucky: !info.lucky.length, Sheets: !info.sheets.some(({ letter }) => letter), Jokers: !info.cards, Deck: !info.cards, VariantHash: !identity };
    if (unknown[name as keyof typeof unknown]) throw this.#wrong('tag');
    if (name === 'Players' && (parts.length > info.most_players || !parts.every(isName) || duplicateName(parts) !== undefined)) throw this.#wrong('players');
    if (name === 'Lucky' && (!parts.every((pair) => LUCKY.test(pair)) || duplicateName(parts) !== undefined)) throw this.#wrong('lucky');
    if (name === 'Sheets' && !parts.every((one) => info.sheets.some(({ letter }) => letter === one))) throw this.#wrong('sheets');
    if (name === 'Jokers' && value !== 'yes') throw this.#wrong('jokers');
    if (name === 'VariantHash' && value !== identity) throw this.#wrong('variant');
  }

  /** Start the game of the tags. */
  #begin(): LocalGame {
    const variant = this.#variant!;
    const list = (name: string): string[] => this.#tags.get(name)?.value.split('; ') ?? [];
    const [players, sheets] = [list('Players'), list('Sheets')];
    const lucky = list('Lucky').map((pair) => pair.split('/').map(Number) as [number, number]);
    const needed = ['Players', ...(variant.info.lucky.length ? ['Lucky'] : []), ...(variant.info.cards ? ['Deck'] : [])];
    if (needed.some((name) => !this.#tags.has(name))) throw this.#wrong('tag', this.#tags.get('Variant')!.line);
    for (const name of ['Lucky', 'Sheets']) {
      if (this.#tags.has(name) && list(name).length !== players.length) throw this.#wrong(name.toLowerCase(), this.#tags.get(name)!.line);
    }
    const game = new LocalGame(this.#kernel, variant, { players, jokers: this.#tags.has('Jokers'), lucky, sheets });
    if (variant.info.cards && !areDue(game, this.#deck)) throw this.#wrong('deck', this.#tags.get('Deck')!.line);
    for (const [name, { value }] of this.#tags) if (!OWN_TAGS.includes(name)) game.tags[name] = value;
    return game;
  }

  get #deck(): string {
    return this.#tags.get('Deck')?.value ?? '';
  }

  // Turns

  #readTurn(game: LocalGame, [number = '', ...words]: string[]): void {
    if (game.over) throw this.#wrong('over');
    if (game.toAct.length) throw this.#wrong('unfinished', this.#turnLine);
    this.#turnLine = this.#line;
    const cards = game.variant.info.cards !== null;
    if (!/^[0-9]+\.$/.test(number) || (!words.length && !cards)) throw this.#wrong('syntax');
    if (number !== `${game.turn}.`) throw this.#wrong('turn');
    const marks = cards ? this.#readTake(game, words) : this.#readDice(game, words);
    if (!marks.length) return;
    const slash = marks.indexOf('/');
    const white = slash < 0 ? marks : marks.slice(0, slash);
    if (white.length !== game.setup.players.length) throw this.#wrong('marks');
    for (const [player, option] of white.entries()) this.#play(game, player, option);
    if (slash < 0) return;
    if (game.over) throw this.#wrong('over');
    if (!cards && marks.length !== slash + 2) throw this.#wrong('marks');
    this.#play(game, game.active, marks.slice(slash + 1).join(' '));
  }

  /** Roll the dice; return the marks after them. */
  #readDice(game: LocalGame, [roll = '', ...marks]: string[]): string[] {
    if (!game.canShow(roll)) throw this.#wrong('dice');
    game.chance(roll);
    return marks;
  }

  /** Deal, take cards, and announce the number of the pile, which may be a new one; return the marks after it. */
  #readTake(game: LocalGame, words: string[]): string[] {
    game.chance(game.turn === 1 ? this.#deck : '');
    const [taken, ...rest] = words;
    if (taken === undefined) return [];
    if (taken.includes('?')) throw this.#wrong('syntax');
    this.#play(game, game.active, taken);
    const pile = rest[0]?.startsWith('~') ? rest.shift()!.slice(1).replaceAll(',', ' ') : null;
    if ((pile !== null) !== game.waitsForChance || (pile !== null && !areDue(game, pile))) throw this.#wrong('pile');
    if (pile !== null) game.chance(pile);
    const announced = rest.shift() ?? '';
    if (!/^[0-9]+:$/.test(announced)) throw this.#wrong('syntax');
    if (announced !== `${game.position(false).cards?.top}:`) throw this.#wrong('announced');
    return rest;
  }

  #play(game: LocalGame, player: number, text: string): void {
    if (!game.find(player, text)) throw this.#wrong('illegal');
    game.play(player, text);
  }
}

/** Whether these are the cards that are shuffled next. */
function areDue(game: LocalGame, text: string): boolean {
  const due = game.dueCards();
  const cards = text.split(' ').map((name) => (CARD.test(name) ? readCard(game.variant.info, name) : -1));
  return cards.length === due.length && due.every((card) => cards.includes(card));
}
