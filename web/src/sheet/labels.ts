/** Marks and options in words. */
import { readMark } from '../marks.ts';
import type { Choice, Seat, VariantInfo } from '../protocol.ts';
import { hasJokers } from '../setup.ts';
import { known, listed, own, t } from '../i18n.svelte.ts';

export const colourName = (letter: string): string => t(`colour.${letter}`);

/** `red 5`; a cell of another colour than its row's `yellow 5 in row red`; a bonus field with the rows beside it. */
export function cellName(variant: VariantInfo, text: string): string {
  const { row, number } = readMark(text);
  const field = variant.fields.find((one) => one.name === row);
  if (field) return t('cell.field', { colours: listed([...row].map(colourName)), number });
  const found = variant.rows.find((one) => one.name === row);
  const colour = found?.colours[found.numbers.indexOf(number)] ?? row;
  if (colour === row) return t('cell.plain', { colour: colourName(row), number });
  return t('cell.mixed', { colour: colourName(colour), number, row: colourName(row) });
}

export const isMixed = (variant: VariantInfo): boolean =>
  variant.rows.some((row) => [...row.colours].some((colour) => colour !== row.name));

/** What a game is called, with jokers or without. */
export const gameName = ({ id, name }: Pick<VariantInfo, 'id' | 'name'>): string =>
  hasJokers(id) ? t('games.with-jokers', { game: own(name) }) : own(name);

/** The marks an option makes, the rows it locks. */
export function choiceText(variant: VariantInfo, choice: Choice): string {
  if (choice.misthrow) return t('mark.misthrow');
  const [first, ...others] = choice.marks;
  if (first === undefined) return t('mark.none');
  let text = cellName(variant, first);
  if (choice.lucky) text = t('mark.lucky', { mark: text });
  if (choice.cards?.length) text = listed(choice.marks.map((one) => cellName(variant, one)));
  else if (others.length) text = t('mark.sets-off', { mark: text, others: listed(others.map((one) => cellName(variant, one))) });
  if (choice.locks?.length) text = t('mark.locks', { mark: text, rows: listed(choice.locks.map(colourName)) });
  return text;
}

/** What a player is called: bots have names of their own in every language. */
export function seatName(seat: Pick<Seat, 'name' | 'kind' | 'bot'>): string {
  if (seat.name === null) return t('seat.free');
  if (seat.kind !== 'bot' || seat.bot === null) return seat.name;
  return seat.name.replace(seat.bot, botName(seat.bot));
}

/** What a player is called where no more than the name is known: bots sit down under their own, the second with a number. */
export function playerName(name: string): string {
  const [bot, number] = name.split(' ');
  return number === undefined || /^\d+$/.test(number) ? name.replace(bot!, botName(bot!)) : name;
}

export const botName = (bot: string): string => (known(`bot.${bot}.name`) ? t(`bot.${bot}.name`) : bot);
export const botAbout = (bot: string): string => (known(`bot.${bot}.about`) ? t(`bot.${bot}.about`) : '');
