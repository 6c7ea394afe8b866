/** Why something cannot be marked, in words. What is legal is decided by the kernel, at the server or on this device. */
import { cardName } from '../cards/card.ts';
import { parseMark } from '../marks.ts';
import type { Obstacle, VariantInfo, View } from '../protocol.ts';
import { cellName, colourName, seatName } from '../sheet/labels.ts';
import { capitalize, formatList, n, t, type Values } from '../i18n.svelte.ts';

type Answer = Pick<Obstacle, 'obstacle' | 'values'>;

/** The sentence for the obstacle of a cell, bonus field or swap field (`spot`) of the seat that asked. */
export const obstacleMessage = (view: View, variant: VariantInfo, seat: number, spot: string, answer: Answer): string =>
  capitalize(sentence(view, variant, seat, spot, answer));

function sentence(view: View, variant: VariantInfo, seat: number, spot: string, { obstacle, values }: Answer): string {
  const number = (name: string): number => Number(values[name]);
  const colour = (name: string): string => colourName(String(values[name]));
  const cell = cellName(variant, spot);
  switch (obstacle) {
    case null:
      return '';
    case 'turn':
      return t('why.turn', { name: seatName(view.seats[number('player')]!) });
    case 'closed': {
      const players = values['players'] as number[];
      if (players.length === 1 && players[0] === seat) return t('why.closed-own', { row: colour('row') });
      return t('why.closed', { row: colour('row'), names: formatList(players.map((player) => seatName(view.seats[player]!))) });
    }
    case 'left':
    case 'not-rightmost':
    case 'lucky-next':
      return t(`why.${obstacle}`, { cell, other: cellName(variant, String(values['cell'])), number: number('number') });
    case 'no-card':
      return t('why.no-card', { card: t('cell.plain', { colour: colour('colour'), number: number('number') }) });
    case 'card':
      return t('why.card', { card: cardName(String(values['card'])) });
    case 'gap':
      return n('why.gap', number('allowed'));
    case 'colour-sum': {
      const sums = [...new Set([values['low'], values['high']])].map(String);
      return n('why.colour-sum', sums.length, { cell, colour: colour('colour'), sums: formatList(sums) });
    }
    case 'field-sum':
      return t('why.field-sum', { number: parseMark(spot).number, colours: formatList([...new Set([colour('colour'), colour('other')])]) });
    case 'played-as':
    case 'die-gone':
      return t(`why.${obstacle}`, { colour: colour('colour') });
    default:
      return t(`why.${obstacle}`, { cell, number: parseMark(spot).number, ...(values as Values) });
  }
}
