/** Names of cells, options, games and players. */
import { parseMark } from '../marks.ts';
import type { Choice, Seat, Sheet, VariantInfo, View } from '../protocol.ts';
import { hasJokers } from '../setup.ts';
import { formatList, hasMessage, localized, t } from '../i18n.svelte.ts';

export const colourName = (letter: string): string => t(`colour.${letter}`);

/** `red 5`; in a row of another colour `yellow 5 in row red`; a bonus field with the two rows it belongs to. */
export function cellName(variant: VariantInfo, cell: string): string {
  const { row, number } = parseMark(cell);
  const field = variant.fields.find((one) => one.name === row);
  if (field) return t('cell.field', { colours: formatList([...row].map(colourName)), number });
  const rowInfo = variant.rows.find((one) => one.name === row);
  const colour = rowInfo?.colours[rowInfo.numbers.indexOf(number)] ?? row;
  if (colour === row) return t('cell.plain', { colour: colourName(row), number });
  return t('cell.mixed', { colour: colourName(colour), number, row: colourName(row) });
}

/** What a screen reader says of a cell: its name, its state, and what is special about it. */
export function cellLabel(variant: VariantInfo, sheet: Sheet, cell: string, state: string, second?: string): string {
  const partner = sheet.joined.find((pair) => pair.includes(cell))?.find((one) => one !== cell);
  const parts = [cellName(variant, cell), t(`cell.${state}`)];
  if (second) parts.push(t('cell.second', { state: t(`cell.${second}`) }));
  if (sheet.steps.includes(cell)) parts.push(t('cell.step'));
  if (partner) parts.push(t('cell.joined', { cell: cellName(variant, partner) }));
  return parts.join(', ');
}

export const isMixed = (variant: VariantInfo): boolean =>
  variant.rows.some((row) => [...row.colours].some((colour) => colour !== row.name));

/** The name of a game, with or without jokers. */
export const gameName = ({ id, name }: Pick<VariantInfo, 'id' | 'name'>): string =>
  hasJokers(id) ? t('games.with-jokers', { game: localized(name) }) : localized(name);

/** The cell that an option marks first, or its second box. */
export function firstMarkText(variant: VariantInfo, { marks: [first = ''], second }: Choice): string {
  const mark = cellName(variant, first);
  return second ? t('mark.second', { mark }) : mark;
}

/** The marks that an option makes and the rows that it locks, as text. */
export function choiceText(variant: VariantInfo, choice: Choice): string {
  if (choice.misthrow) return t('mark.misthrow');
  const [first, ...others] = choice.marks;
  if (first === undefined) return t('mark.none');
  let text = firstMarkText(variant, choice);
  if (choice.lucky) text = t('mark.lucky', { mark: text });
  if (others.length) text = t(variant.bar || variant.pairs.length ? 'mark.sets-off' : 'mark.joined', { mark: text, others: formatList(others.map((one) => cellName(variant, one))) });
  const marks = choice.cards?.length ? choice.marks.map((one) => cellName(variant, one)) : [text];
  const all = formatList([...marks, ...(choice.locks ?? []).map((row) => t('mark.lock', { row: colourName(row) }))]);
  return choice.swapped ? t('mark.swap', { mark: all, number: choice.swapped }) : all;
}

/** What tables and records call a person who has given no name; shown in the language of the reader. */
export const NAMELESS = 'Player';
const personName = (name: string): string => (name === NAMELESS ? t('seat.me') : name);

/** The name of a player; bots have a name in every language. */
export function seatName(seat: Pick<Seat, 'name' | 'kind' | 'bot'>): string {
  if (seat.name === null) return t('seat.free');
  if (seat.kind !== 'bot' || seat.bot === null) return personName(seat.name);
  return seat.name.replace(seat.bot, botName(seat.bot));
}

/** Whether the only person at this device has the seat. */
export const isYou = ({ own }: Pick<View, 'own'>, seat: number): boolean => own.length === 1 && own[0]!.seat === seat;

/** The name of the player at a seat of a table; the only person at this device is "You". */
export const nameAt = (view: Pick<View, 'own' | 'seats'>, seat: number): string => (isYou(view, seat) ? t('seat.self') : seatName(view.seats[seat]!));

/** The name of a player in a record, where bots are called `greedy`, `greedy 2`. */
export function playerName(name: string): string {
  const [bot, number] = name.split(' ');
  return number === undefined || /^\d+$/.test(number) ? personName(name.replace(bot!, botName(bot!))) : name;
}

/** Whether a player in a record is a bot. */
export const isBot = (name: string): boolean => hasMessage(`bot.${name.split(' ')[0]}.name`);

export const botName = (bot: string): string => (hasMessage(`bot.${bot}.name`) ? t(`bot.${bot}.name`) : bot);
export const botAbout = (bot: string): string => (hasMessage(`bot.${bot}.about`) ? t(`bot.${bot}.about`) : '');
