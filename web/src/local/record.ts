/** Reading the record of a game: the kernel says what is legal, so every text is compared with the options. */
import type { LocalVariant } from '../protocol.ts';
import { LocalGame } from './game.ts';
import type { Kernel } from './kernel.ts';
import { readCard, writeDice, readDice } from './notation.ts';
import { RefusedError } from './refused.ts';

const TAG = /^\[([A-Za-z0-9]+)[ \t]+"([^"]*)"\]$/;
const COMMENT = /\{[^}]*\}|;.*$/g;

/** The game of a record; `find` has the data of its variant. */
export async function readRecord(text: string, kernel: Kernel, find: (id: string) => Promise<LocalVariant>): Promise<LocalGame> {
  const tags = new Map<string, string>();
  const tagLines = new Map<string, number>();
  const turns: { line: number; words: string[] }[] = [];
  for (const [index, raw] of text.replace(/^\uFEFF/, '').split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (!line || line.startsWith(';')) continue;
    const tag = TAG.exec(line);
    if (tag) {
      tags.set(tag[1]!, tag[2]!);
      tagLines.set(tag[1]!, index + 1);
    } else if (tags.size) turns.push({ line: index + 1, words: line.replace(COMMENT, '').split(/[ \t]+/).filter(Boolean) });
    else throw wrong(index + 1, 'syntax');
  }
  const game = begin(tags, kernel, await find(tags.get('Variant') ?? ''));
  for (const { line, words } of turns) {
    try {
      readTurn(game, words, tags.get('Deck') ?? '');
    } catch (error) {
      if (error instanceof WrongError) throw wrong(line, error.message);
      throw error;
    }
  }
  const result = tags.get('Result');
  const reached = game.over ? game.scores.join(' ') : '*';
  if (result !== undefined && result !== reached) throw wrong(tagLines.get('Result')!, 'result');
  return game;
}

/** An error in a record, with a code of the record format. */
class WrongError extends Error {}

const wrong = (line: number, error: string): RefusedError => new RefusedError('record', { line, error });

function begin(tags: Map<string, string>, kernel: Kernel, variant: LocalVariant): LocalGame {
  const list = (name: string): string[] => tags.get(name)?.split('; ') ?? [];
  const players = list('Players');
  const hash = tags.get('VariantHash');
  if (!players.length || players.length > variant.info.most_players) throw wrong(1, 'players');
  if (hash && hash !== variant.identity) throw wrong(1, 'variant');
  const letters = variant.info.sheets.flatMap(({ letter }) => letter ?? []);
  const sheets = list('Sheets');
  const dealt = letters.length ? players.map((_, player) => letters[player % letters.length]!) : [];
  const lucky = list('Lucky').map((pair) => pair.split('/').map(Number) as [number, number]);
  if ((sheets.length && (sheets.length !== players.length || sheets.some((letter) => !letters.includes(letter)))) || lucky.length !== (variant.info.lucky.length ? players.length : 0)) {
    throw wrong(1, lucky.length ? 'lucky' : 'sheets');
  }
  const game = new LocalGame(kernel, variant, { players, jokers: tags.get('Jokers') === 'yes', lucky, sheets: sheets.length ? sheets : dealt });
  for (const [name, value] of tags) if (!['Variant', 'Players', 'VariantHash', 'Sheets', 'Lucky', 'Jokers', 'Deck', 'Result'].includes(name)) game.tags[name] = value;
  return game;
}

function readTurn(game: LocalGame, [number, ...words]: string[], deck: string): void {
  if (game.over) throw new WrongError('over');
  if (game.toAct.length) throw new WrongError('unfinished');
  if (number !== `${game.turn}.`) throw new WrongError('turn');
  const { info } = game.variant;
  let marks = words;
  if (info.cards) {
    game.chance(game.turn === 1 ? checkedCards(game, deck) : '');
    if (!words.length) return;
    play(game, game.active, words[0]!);
    marks = words.slice(1);
    if (marks[0]?.startsWith('~')) game.chance(checkedCards(game, marks.shift()!.slice(1).replaceAll(',', ' ')));
    const announced = `${game.position(false).cards?.top}:`;
    if (marks.shift() !== announced) throw new WrongError('announced');
  } else {
    if (!words[0] || writeDice(readDice(words[0])) !== words[0]) throw new WrongError('dice');
    game.chance(words[0]);
    if (game.position(false).dice?.roll !== words[0]) throw new WrongError('dice');
    marks = words.slice(1);
  }
  if (!marks.length) return;
  const slash = marks.indexOf('/');
  const white = slash < 0 ? marks : marks.slice(0, slash);
  if (white.length !== game.setup.players.length) throw new WrongError('marks');
  for (const [player, option] of white.entries()) play(game, player, option);
  if (slash >= 0) play(game, game.active, marks.slice(slash + 1).join(' '));
}

function play(game: LocalGame, player: number, text: string): void {
  if (!game.find(player, text)) throw new WrongError('illegal');
  game.play(player, text);
}

/** The cards of a deck or pile, if they are the ones that are due. */
function checkedCards(game: LocalGame, text: string): string {
  const due = game.dueCards();
  const cards = text.split(' ').map((name) => (/^[rygbj][1-9][0-9]?$/.test(name) ? readCard(game.variant.info, name) : -1));
  if (cards.length !== due.length || due.some((card) => !cards.includes(card))) throw new WrongError('deck');
  return text;
}
