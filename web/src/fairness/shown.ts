/** The players, dice and cards that views show, in lines such as `7 41-3256` and `7 white 0 r5,g7`. */
import type { View } from '../protocol.ts';

export const PLAYERS = 'players ';

export const displayLine = (moment: string, display: string[], top: number | null): string => `${moment} display ${display.map((card) => card.replace(/\D/g, '')).join()} ${top || '-'}`;

export const handLine = (moment: string, seat: number, hand: string[]): string => `${moment} ${seat} ${hand.join()}`;

/** The lines of a view. What is shown when cards are taken and in the white action cannot be taken back any more. */
export function shownLines({ dice, position, seats, log, own }: View): string[] {
  if (dice !== 'rolled' || !position) return [];
  const lines = [PLAYERS + seats.map(({ name }) => name ?? '').join('; '), ...log.flatMap((turn, index) => (turn.dice ? `${index + 1} ${turn.dice.roll}` : []))];
  if (position.dice) lines.push(`${position.turn} ${position.dice.roll}`);
  if (position.cards && (position.phase === 'take' || position.phase === 'white')) {
    const moment = `${position.turn} ${position.phase}`;
    lines.push(displayLine(moment, position.cards.display, position.cards.top), ...own.map(({ seat, hand }) => handLine(moment, seat, hand)));
  }
  return lines;
}
