/** What a view shows that a record has to agree with: the players, and the dice or cards of a turn, as JSON. */
import type { View } from '../protocol.ts';

/** The names, and the number of the turn with its roll, or with phase, display, top of the pile, own hands and discards (older ones lack these). */
export type Shown = string[] | [number, string | [string, string[], number | null, [number, string[]][], string[]?]];

/** The dice of each turn of a log. */
export const rollsIn = (log: View['log']): [number, string][] => log.flatMap(({ dice }, index): [number, string][] => (dice ? [[index + 1, dice.roll]] : []));

/** With the dice of earlier turns: this device may have been away. */
export const shownIn = ({ position, seats, own, log }: View): string[] =>
  position
    ? [
        seats.map(({ name }) => name),
        ...rollsIn(log),
        [position.turn, position.dice?.roll ?? [position.phase, position.cards?.display, position.cards?.top, own.map(({ seat, hand }) => [seat, hand]), position.cards?.discards]],
      ].map((one) => JSON.stringify(one))
    : [];
