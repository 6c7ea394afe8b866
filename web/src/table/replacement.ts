/** Letting a bot play for somebody who is absent or does not decide. */
import type { View } from '../protocol.ts';
import { botName, seatName } from '../sheet/labels.ts';
import { formatList, t } from '../i18n.svelte.ts';

/** After this time without a decision the others may let a bot play: the default of the server's setting `undecided_seconds`. */
export const UNDECIDED_MILLISECONDS = 60_000;

export interface Offer {
  seat: number;
  reason: 'absent' | 'undecided';
  /** The bot that others have voted for. */
  bot: string | null;
  voters: number[];
  /** The connected people who have not voted yet. */
  missing: number[];
  /** Whether the people at this device can still vote; again if the last missing voter has gone. */
  canVote: boolean;
}

/** For whom the people at this device may let a bot play; `late` says whether players have been undecided for `UNDECIDED_MILLISECONDS`. */
export function offersFor(view: View, late: boolean): Offer[] {
  const own = view.own.map((one) => one.seat);
  return view.seats.flatMap((player, seat) => {
    if (player.kind !== 'person' || player.bot !== null || own.includes(seat)) return [];
    const votes = view.votes?.seat === seat ? view.votes : null;
    const undecided = player.connected && view.awaited.includes(seat) && (late || votes !== null);
    if (!player.absent && !undecided) return [];
    const voters = votes?.voters ?? [];
    const missing = view.seats.flatMap((other, index) =>
      index !== seat && other.kind === 'person' && other.bot === null && other.connected && !voters.includes(index) ? [index] : [],
    );
    const canVote = own.length > 0 && (!missing.length || !own.some((other) => voters.includes(other)));
    return [{ seat, reason: player.absent ? 'absent' : 'undecided', bot: votes?.bot ?? null, voters, missing, canVote } as const];
  });
}

/** The seats of this device for which a bot plays. */
export const replacedSeats = (view: View): number[] =>
  view.state === 'running' ? view.own.map((one) => one.seat).filter((seat) => view.seats[seat]?.kind === 'person' && view.seats[seat].bot !== null) : [];

const namesOf = ({ seats }: View, chosen: number[]): string => formatList(chosen.map((seat) => seatName(seats[seat]!)));

export function offerMessage(view: View, { seat, reason, bot, voters, missing }: Offer): string {
  const reasonText = t(reason === 'absent' ? 'absent.away' : 'undecided.late', { name: namesOf(view, [seat]) });
  if (!voters.length) return reasonText;
  const votesText = `${reasonText} ${t('undecided.votes', { bot: botName(bot ?? ''), names: namesOf(view, voters) })}`;
  return missing.length ? `${votesText} ${t('say.waiting', { names: namesOf(view, missing) })}` : votesText;
}

export function replacedMessage(view: View, seat: number): string {
  return t(view.own.length > 1 ? 'replaced.named' : 'replaced.you', { name: namesOf(view, [seat]), bot: botName(view.seats[seat]?.bot ?? '') });
}

/** Who wants a bot to play for somebody at this device. */
export function votesMessage(view: View): string {
  const votes = view.votes;
  if (!votes || !view.own.some((one) => one.seat === votes.seat)) return '';
  return t('undecided.you', { bot: botName(votes.bot), names: namesOf(view, votes.voters) });
}
