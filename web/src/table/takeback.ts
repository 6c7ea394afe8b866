/** Taking back a revealed decision, and the pause before the next roll that leaves time to ask for it. */
import type { Choice, TakebackRequest, Turn, VariantInfo, View } from '../protocol.ts';
import { choiceText, seatName } from '../sheet/labels.ts';
import { formatList, t } from '../i18n.svelte.ts';

/** The number of the latest turn in the log, whose decisions can be taken back. During the pause it is not the turn of the position, which is the next one. */
export const reopenableTurn = ({ log }: View): number => log.length;

/** The view to show: during the pause the dice and the player of the turn that has ended stay on the table. */
export function withEndedTurn(view: View): View {
  const ended = view.log.at(-1);
  if (view.roll_at === null || !view.position || !ended) return view;
  return { ...view, position: { ...view.position, turn: reopenableTurn(view), active: ended.active, dice: ended.dice ?? null } };
}

/** The decision of a seat in a phase of a turn, if it is revealed. */
function decisionIn(turn: Turn | undefined, phase: string, seat: number): Choice | undefined {
  if (phase === 'white') return turn?.white?.[seat];
  return (phase === 'colour' ? turn?.colour : turn?.played) ?? undefined;
}

export function decisionText(view: View, variant: VariantInfo, { seat, turn, phase }: Pick<TakebackRequest, 'seat' | 'turn' | 'phase'>): string {
  const choice = decisionIn(view.log[turn - 1], phase, seat);
  return choice ? choiceText(variant, choice) : '';
}

/** The latest decision that a seat of this device may ask to take back; null while there is an open request. */
export function reopenable(view: View, seat: number | null, openRequest: TakebackRequest | null): Pick<TakebackRequest, 'seat' | 'turn' | 'phase'> | null {
  const phase = view.own.find((one) => one.seat === seat)?.takeback[0];
  return phase === undefined || seat === null || openRequest ? null : { seat, turn: reopenableTurn(view), phase };
}

/** The people who have not answered a request. */
const awaited = (view: View, request: TakebackRequest): number[] =>
  view.seats.flatMap((seat, index) => (seat.kind === 'person' && seat.bot === null && index !== request.seat && !request.agreed.includes(index) ? [index] : []));

/** The seats of this device that have to answer a request. */
export const seatsToAnswer = (view: View, request: TakebackRequest | null): number[] =>
  request ? awaited(view, request).filter((seat) => view.own.some((one) => one.seat === seat)) : [];

/** Who asks to take what back, and for whose answer they wait. */
export function requestMessage(view: View, variant: VariantInfo, request: TakebackRequest | null): string {
  if (!request) return '';
  const values = { name: seatName(view.seats[request.seat]!), mark: decisionText(view, variant, request) };
  const asked = t(view.own.some((one) => one.seat === request.seat) ? 'takeback.asked' : 'takeback.asks', values);
  if (seatsToAnswer(view, request).length) return asked;
  return `${asked} ${t('say.waiting', { names: formatList(awaited(view, request).map((one) => seatName(view.seats[one]!))) })}`;
}

/** Whether a request of this device has ended without success. */
export function wasDeclined(before: View | null, now: View): boolean {
  const request = before?.takeback;
  if (!request || now.takeback || !now.own.some((one) => one.seat === request.seat)) return false;
  return now.position?.turn !== request.turn || now.position.phase !== request.phase;
}
