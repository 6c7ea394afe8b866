/** Integers of the kernel as texts of the record format. */
import type { Choice, Dice, Turn, VariantInfo } from '../protocol.ts';
import { parseMark } from '../marks.ts';
import * as at from './layout.ts';

export const bitSet = (bits: number): number[] => Array.from({ length: 32 }, (_, bit) => bit).filter((bit) => (bits >>> bit) & 1);

export const rowNames = (bits: number): string[] => bitSet(bits).map((row) => at.ROW_NAMES[row]!);

/** The name of a cell or bonus field: `R5`, `RY7`. */
export function cellName({ rows, fields }: VariantInfo, code: number): string {
  const row = [...rows, ...fields][Math.floor(code / at.MAX_CELLS)]!;
  return `${row.name}${row.numbers[code % at.MAX_CELLS]}`;
}

/** A card: `r5`, a joker `j7`, or `?5` if only the number on its back is visible. */
export const cardName = ({ cards }: VariantInfo, card: number): string =>
  card < 0 ? `?${-1 - card}` : `${at.CARD_COLOURS[Math.floor(card / at.MAX_NUMBERS)]}${cards!.lowest + (card % at.MAX_NUMBERS)}`;

export function readCard({ cards }: VariantInfo, name: string): number {
  return at.CARD_COLOURS.indexOf(name[0]!) * at.MAX_NUMBERS + Number(name.slice(1)) - cards!.lowest;
}

/** A roll: white, white, `-`, then the four colours, `.` for a die that has left the game. */
export const writeDice = (dice: number[]): string => `${dice[0]}${dice[1]}-${dice.slice(2).map((die) => die || '.').join('')}`;

export const readDice = (roll: string): number[] => [...roll.replace('-', '')].map((digit) => (digit === '.' ? 0 : Number(digit)));

export function diceOf(roll: string): Dice {
  const [first, second, ...coloured] = readDice(roll);
  const faces = coloured.flatMap((die, row) => (die ? [[at.ROW_NAMES[row], die]] : []));
  return { roll, white: [first!, second!], coloured: Object.fromEntries(faces) as Record<string, number> };
}

/** The display as all players see it; a second card with the same number gets an apostrophe. */
export function displayNames(variant: VariantInfo, places: number[]): string[] {
  const names: string[] = [];
  for (const place of places) {
    let name = place === at.D_EMPTY ? '' : cardName(variant, place);
    while (name && names.includes(name)) name += "'";
    names.push(name);
  }
  return names;
}

const cardKey = (name: string): [number, number, string] => [at.CARD_COLOURS.indexOf(name[0]!), Number(name.replace(/\D/g, '').slice(0, 2)), name];

/** Cards in the order of the notation: by colour, number and name. */
function sortCards(names: string[]): string[] {
  return [...names].sort((one, other) => {
    const [a, b] = [cardKey(one), cardKey(other)];
    return a[0] - b[0] || a[1] - b[1] || (a[2] < b[2] ? -1 : Number(a[2] > b[2]));
  });
}

/** The order of the marks of a play does not matter to a reader: by row. */
export function sortOption(option: string): string {
  const [cards = '', marks] = option.split(' = ');
  const sorted = sortCards(cards.split(',')).join(',');
  if (marks === undefined) return sorted;
  const row = (mark: string): number => at.ROW_NAMES.indexOf(mark[0] ?? '');
  return `${sorted} = ${marks.split(' ').sort((one, other) => row(one) - row(other)).join(' ')}`;
}

/** A turn of the protocol, with the cards as a record writes them. */
export type WrittenTurn = Omit<Turn, 'taken' | 'renewed'> & { taken?: string; renewed?: string };

/** A turn as a record writes it, without its number. */
export function writeTurn({ dice, white, colour, taken, renewed, number, played }: WrittenTurn): string {
  const options = (white ?? []).map((choice: Choice) => choice.option);
  const last = colour ?? played;
  const end = last ? ['/', last.option] : [];
  if (dice) return [dice.roll, ...options, ...end].join(' ');
  if (taken === undefined || number === undefined) return '';
  return [taken, ...(renewed ? [`~${renewed}`] : []), `${number}:`, ...options, ...end].join(' ');
}

/** An option as a record writes it, and as the player sees it, who does not know the colours of cards to be taken. */
export interface Option {
  action: number;
  option: string;
  choice: Choice;
}

export function describedOption(variant: VariantInfo, action: number, described: number[], display: { coloured: string[]; seen: string[] }): Option {
  const taken = bitSet(described[at.O_TAKEN]!);
  if (taken.length) {
    const seen = sortCards(taken.map((place) => display.seen[place]!));
    const option = sortCards(taken.map((place) => display.coloured[place]!)).join(',');
    return { action, option, choice: { option: seen.join(','), marks: [], cards: seen } };
  }
  const list = (begin: number): number[] => described.slice(begin + 1, begin + 1 + described[begin]!);
  const marks = list(at.O_MARKS).map((code) => cellName(variant, code));
  const locking = marks.map((_, index) => Math.floor(described[at.O_LOCKS]! / 2 ** index) % 2 === 1);
  const misthrow = described[at.O_MISTHROW] === 1;
  const second = described[at.O_SECOND] === 1;
  const lucky = described[at.O_LUCKY] === 1;
  const swap = variant.swaps[described[at.O_SWAP]!];
  const sign = lucky ? '!' : swap ? `${described[at.O_SWAPPED]}>` : '';
  const written = marks.map((mark, index) => mark + (locking[index] ? '#' : second ? '*' : ''));
  const colour = at.CARD_COLOURS[described[at.O_COLOUR]!];
  const cards = list(at.O_CARDS).map((card) => cardName(variant, card)).map((name) => (name.startsWith('j') ? name + colour : name));
  const nothing = misthrow ? 'x' : '-';
  const option = cards.length ? `${cards.join(',')} = ${written.join(' ') || nothing}` : sign + (written.join('+') || nothing);
  const choice: Choice = { option, marks };
  const locks = marks.filter((_, index) => locking[index]).map((mark) => mark[0]!);
  if (locks.length) choice.locks = locks;
  if (lucky) choice.lucky = true;
  if (misthrow) choice.misthrow = true;
  if (cards.length) choice.cards = cards;
  if (swap) Object.assign(choice, { swap: swap.join('/'), swapped: described[at.O_SWAPPED]! });
  if (second) choice.second = true;
  return { action, option, choice };
}

/** The number of a cell, bonus field or swap field by its name: `R5`, `RY7`, `8/5`; -1 if there is none. */
export function spotOf({ rows, fields, swaps }: VariantInfo, name: string): number {
  const swap = swaps.findIndex((pair) => pair.join('/') === name);
  if (swap >= 0) return at.SWAP_SPOT + swap;
  const { row, number } = parseMark(name);
  const index = [...rows, ...fields].findIndex((one) => one.name === row);
  const cell = [...rows, ...fields][index]?.numbers.indexOf(number) ?? -1;
  return cell < 0 ? -1 : index * at.MAX_CELLS + cell;
}

/** The name of an obstacle and its values, with rows, cells and cards as records write them. */
export function describedObstacle(variant: VariantInfo, number: number, ints: number[]): { obstacle: string | null; values: Record<string, unknown> } {
  const [obstacle, names] = at.OBSTACLES[number] ?? [null, []];
  const read = (name: string, value: number): unknown => {
    if (name === 'row' || name === 'colour' || name === 'other') return at.ROW_NAMES[value];
    if (name === 'cell') return cellName(variant, value);
    if (name === 'field') return variant.swaps[value]!.join('/');
    if (name === 'card') return cardName(variant, value);
    return name === 'players' ? bitSet(value) : value;
  };
  return { obstacle, values: Object.fromEntries(names.map((name, index) => [name, read(name, ints[index]!)])) };
}
