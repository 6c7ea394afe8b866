/** Cards as the record writes them, taken apart to be drawn and told. */
import { colourName } from '../sheet/labels.ts';
import { listed, t } from '../i18n.svelte.ts';

export const JOKER = 'j';

export interface Card {
  number: number;
  /** R, Y, G or B; none on a back, and on a joker before it is played. */
  colour: string | null;
  joker: boolean;
}

/** `r5`; `j7` a joker, `j7r` one played as red; `?9` and `?9'` two backs with a 9. */
export function readCard(name: string): Card {
  const [, kind, number, as] = /^([rygbj?])(\d+)([rygb]?)'*$/.exec(name) ?? ['', '?', '0', ''];
  const joker = kind === JOKER;
  const colour = joker ? as! : kind === '?' ? '' : kind!;
  return { number: Number(number), colour: colour.toUpperCase() || null, joker };
}

/** `red 5`, `joker 7`, `joker 7 as red`, `9`. */
export function cardName(name: string): string {
  const { number, colour, joker } = readCard(name);
  if (joker && colour) return t('card.joker-as', { number, colour: colourName(colour) });
  if (joker) return t('card.joker', { number });
  return colour ? t('cell.plain', { colour: colourName(colour), number }) : String(number);
}

export const cardNames = (names: string[]): string => listed(names.map(cardName));
