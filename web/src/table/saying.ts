/** One clear sentence: what the game waits for, and what this player can do about it. */
import { passing } from '../marks.ts';
import type { Choice, Position, VariantInfo, View } from '../protocol.ts';
import { choiceText, seatName } from '../sheet/telling.ts';
import { listed, n, t } from '../words.svelte.ts';

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
