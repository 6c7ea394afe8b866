/** Tables at which people roll real dice and enter them. */
import type { View } from '../protocol.ts';

export const hasRealDice = ({ dice }: Pick<View, 'dice'>): boolean => dice === 'entered' || dice === 'entered-by-anybody';

/** Whether the game waits for dice to be entered. */
export const awaitsDice = (view: View): boolean => hasRealDice(view) && view.position?.phase === 'roll';

/** The seat of this device that may enter or correct the dice now: that of the active player, if it is here. */
export function enteringSeat({ entering, own, position }: View): number | null {
  const seats = own.flatMap(({ seat }) => (entering.includes(seat) ? [seat] : []));
  return seats.find((seat) => seat === position?.active) ?? seats[0] ?? null;
}
