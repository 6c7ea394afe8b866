/** Cards in the notation of records, parsed and named. */
import { colourName } from '../sheet/labels.ts';
import { formatList, t } from '../i18n.svelte.ts';

export const JOKER = 'j';

export interface Card {
  number: number;
  /** R, Y, G or B; null for a card seen from the back, and for a joker before it is played. */
  colour: string | null;
  joker: boolean;
}

/** `r5` is red 5; `j7` a joker, `j7r` a joker played as red; `?9` and `?9'` two cards with a 9 seen from the back. */
export function parseCard(name: string): Card {
  // Text in any other form becomes a card without colour and with number 0.
  const [, kind, number, as] = /^([rygbj?])(\d+)([rygb]?)'*$/.exec(name) ?? ['', '?', '0', ''];
  const joker = kind === JOKER;
  const colour = joker ? as! : kind === '?' ? '' : kind!;
  return { number: Number(number), colour: colour.toUpperCase() || null, joker };
}

/** `red 5`, `joker 7`, `joker 7 as red`, `9`. */
export function cardName(name: string): string {
  const { number, colour, joker } = parseCard(name);
  if (joker && colour) return t('card.joker-as', { number, colour: colourName(colour) });
  if (joker) return t('card.joker', { number });
  return colour ? t('cell.plain', { colour: colourName(colour), number }) : String(number);
}

export const cardNames = (names: string[]): string => formatList(names.map(cardName));
