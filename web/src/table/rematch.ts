/** The answers to a rematch after the end of a game. */
import type { View } from '../protocol.ts';
import { isYou, nameAt } from '../sheet/labels.ts';
import { formatList, t } from '../i18n.svelte.ts';

/** The people who still have to answer; those who are absent and those for whom a bot plays are not waited for. */
export function awaitedForRematch({ seats, rematch }: View): number[] {
  const answered = [...(rematch?.agreed ?? []), ...(rematch?.declined ?? [])];
  return seats.flatMap((seat, index) => (seat.kind === 'person' && seat.bot === null && !seat.absent && !answered.includes(index) ? [index] : []));
}

/** The answer of the people at this device, null before they answer. */
export function ownAnswer({ own, rematch }: View): boolean | null {
  const seats = own.map((one) => one.seat);
  if (seats.some((seat) => rematch?.agreed.includes(seat))) return true;
  return seats.some((seat) => rematch?.declined.includes(seat)) ? false : null;
}

/** The names of the people at this device who play the rematch. */
export const namesInRematch = ({ own, seats, rematch }: View): (string | null)[] =>
  own.filter(({ seat }) => rematch?.agreed.includes(seat)).map(({ seat }) => seats[seat]!.name);

/** Who has answered what, and who has not answered yet; nothing before the first answer. */
export function rematchMessage(view: View): string {
  const { agreed = [], declined = [], table = null } = view.rematch ?? {};
  if (table || !agreed.length && !declined.length) return '';
  const sentence = (id: string, seats: number[]): string[] => (seats.length ? [t(id, { names: formatList(seats.map((one) => nameAt(view, one))) })] : []);
  return [...sentence('rematch.agreed', agreed), ...sentence('rematch.declined', declined), ...sentence('say.waiting', awaitedForRematch(view).filter((seat) => !isYou(view, seat)))].join(' ');
}
