/** One clear sentence: what the game waits for, and what this player can do about it. */
import { sayFallen, sayPlaying, sayTaking } from '../cards/messages.ts';
import { NOTHING } from '../cards/combination.ts';
import { passing } from '../marks.ts';
import type { Choice, Position, VariantInfo, View } from '../protocol.ts';
import { choiceText, colourName, seatName } from '../sheet/labels.ts';
import { listed, n, t } from '../i18n.svelte.ts';
import { chosenOf, decisionOf, type Choosing, type Situation } from './choosing.ts';

/** Whom the table waits for, apart from the player who is told so. */
export function waitingFor(view: View, told: number | null): string[] {
  return view.to_act.filter((seat) => seat !== told).map((seat) => seatName(view.seats[seat]!));
}

/** What a player who is to decide is told. */
export function sayOptions(position: Position, options: Choice[]): string {
  const some = options.some((one) => one.marks.length > 0);
  const white = position.phase === 'white';
  const [a, b] = position.dice?.white ?? [0, 0];
  const sum = a + b;
  if (position.cards) return t(some ? 'say.number' : 'say.number-none', { number: position.cards.top ?? 0 });
  const costly = passing(options)?.misthrow ?? false;
  const lucky = options.some((one) => one.lucky);
  if (white && lucky) return t('say.white-lucky', { sum });
  if (white) return some ? t('say.white', { sum }) : t('say.white-none', { sum });
  if (costly) return some ? t('say.colour-or-misthrow') : t('say.colour-only-misthrow');
  return some ? t('say.colour') : t('say.colour-none');
}

export function sayWaiting(view: View, told: number | null, decision: Choice | null, variant: VariantInfo): string {
  const names = waitingFor(view, told);
  const waiting = names.length ? t('say.waiting', { names: listed(names) }) : '';
  if (!decision) return waiting;
  const decided = decision.marks.length ? t('say.decided', { mark: choiceText(variant, decision) }) : t('say.passed');
  return `${decided} ${waiting}`.trim();
}

/** How the game ended. */
export function sayResult(view: View): string {
  const result = view.result;
  if (!result) return '';
  const names = result.winners.map((seat) => seatName(view.seats[seat]!));
  if (view.seats.length === 1) return n('end.solo', result.scores[0] ?? 0);
  const points = Math.max(...result.scores);
  if (names.length > 1) return n('end.shared', points, { names: listed(names) });
  return n('end.winner', points, { name: names[0] ?? '' });
}

/** Why the game ended; rows that are closed for everybody are nobody's doing alone. */
export function sayReason({ position, result, seats }: View, variant: VariantInfo): string {
  const names = listed((result?.ended_by ?? []).map((seat) => seatName(seats[seat]!)));
  if (result?.reason === 'misthrows') return t('end.misthrows', { name: names });
  if (names) return t('end.rows-of', { names, rows: variant.rows_to_end });
  return t('end.rows', { rows: listed((position?.closed ?? []).map(colourName)) });
}

/** Whose turn it is. */
export function sayTurn({ state, position, seats }: View, variant: VariantInfo, seat: number | null): string {
  if (state === 'over') return t('play.over');
  const { turn, active } = position!;
  if (active === seat) return t(variant.cards ? 'play.your-turn-cards' : 'play.your-turn', { turn });
  return t(variant.cards ? 'play.turn-of-cards' : 'play.turn-of', { turn, name: seatName(seats[active]!) });
}

/** What the player at this device is told, whatever state the decision is in. */
export function sayState(view: View, variant: VariantInfo, { choosing, seat }: Situation): string {
  switch (choosing.state) {
    case 'over':
      return sayResult(view);
    case 'combining':
      return view.position?.phase === 'take' ? sayTaking(choosing.options, choosing.put) : sayPlaying(variant, choosing.options, choosing.put);
    case 'chosen':
      return t('say.chosen', { mark: choiceText(variant, choosing.chosen) });
    // What was rolled is told when the dice have come to rest.
    case 'rolling':
      return t('say.rolling');
    case 'choosing':
      return sayOptions(view.position!, choosing.options);
    case 'watching':
      return `${t('say.watching')} ${sayWaiting(view, seat, null, variant)}`;
    default:
      return sayWaiting(view, seat, decisionOf(choosing), variant);
  }
}

/** What may have been missed with the eyes elsewhere: whose turn, the dice, what to do. A tap speaks for itself. */
export function sayAloud(variant: VariantInfo, choosing: Choosing, turn: string, sentence: string): string {
  if (choosing.state === 'over') return sentence;
  if (choosing.state === 'combining' && choosing.put !== NOTHING) return sayFallen(variant, choosing.options, choosing.put);
  return `${turn}. ${chosenOf(choosing) ? '' : sentence}`;
}
