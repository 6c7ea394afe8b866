/** Messages about the state of a game: what it waits for, what a player can do, how it ended. */
import { blockedMarksMessage, playMessage, takeMessage } from '../cards/messages.ts';
import { EMPTY_COMBINATION } from '../cards/combination.ts';
import { parseMark, passOption } from '../marks.ts';
import type { Choice, Position, VariantInfo, View } from '../protocol.ts';
import { choiceText, colourName, isYou, seatName } from '../sheet/labels.ts';
import { formatList, hasMessage, n, t } from '../i18n.svelte.ts';
import { chosenOf, decisionOf, type Situation } from './decision.ts';
import { awaitsDice } from './realDice.ts';
import { rematchMessage } from './rematch.ts';

/** The names of the players who have to decide, without the one at `seat`. */
function waitingFor(view: View, seat: number | null): string[] {
  return view.to_act.filter((one) => one !== seat).map((one) => seatName(view.seats[one]!));
}

/** What the player who has to decide can do. */
function optionsMessage(position: Position, options: Choice[]): string {
  const canMark = options.some((one) => one.marks.length > 0);
  const white = position.phase === 'white';
  const [first, second] = position.dice?.white ?? [0, 0]; // card games have no dice
  const sum = first + second;
  if (position.cards) return t(canMark ? 'say.number' : 'say.number-none', { number: position.cards.top ?? 0 });
  const misthrow = passOption(options)?.misthrow ?? false;
  const lucky = options.some((one) => one.lucky);
  if (white && lucky) return t('say.white-lucky', { sum });
  if (white && options.some((one) => one.swap)) return t(options.some((one) => one.marks.length && !one.swap) ? 'say.white-swap' : 'say.only-swap', { sum });
  if (white) return canMark ? t('say.white', { sum }) : t('say.white-none', { sum });
  if (misthrow) return canMark ? t('say.colour-or-misthrow') : t('say.colour-only-misthrow');
  return canMark ? t('say.colour') : t('say.colour-none');
}

/** For whom the game waits, after the player's own decision if there is one. */
function waitingMessage(view: View, seat: number | null, decision: Choice | null, variant: VariantInfo): string {
  const names = waitingFor(view, seat);
  const waiting = names.length ? t('say.waiting', { names: formatList(names) }) : awaitsDice(view) && hasMessage('enter.by') ? entersMessage(view) : view.roll_at === null ? '' : t('say.pause');
  if (!decision) return waiting;
  const decided = decision.marks.length ? t('say.decided', { mark: choiceText(variant, decision) }) : t('say.passed');
  return `${decided} ${waiting}`.trim();
}

/** Who rolls real dice and enters them. */
function entersMessage({ entering, seats }: View): string {
  return entering.length === 1 ? t('enter.by', { name: seatName(seats[entering[0]!]!) }) : t('enter.by-anybody');
}

/** Whether the only winner is the only player of this device. */
export function winsAlone({ own, result }: View): boolean {
  return result?.winners.length === 1 && own?.length === 1 && own[0]!.seat === result.winners[0];
}

/** How the game ended. */
export function resultMessage(view: View): string {
  const result = view.result;
  if (!result) return '';
  const names = result.winners.map((seat) => seatName(view.seats[seat]!));
  if (view.seats.length === 1) return n('end.solo', result.scores[0] ?? 0);
  const points = Math.max(...result.scores);
  if (winsAlone(view)) return n('end.you-win-with', points);
  const others = result.winners.filter((seat) => !isYou(view, seat)).map((seat) => seatName(view.seats[seat]!));
  if (names.length > others.length) return n('end.you-share', points, { names: formatList(others) });
  if (names.length > 1) return n('end.shared', points, { names: formatList(names) });
  return n('end.winner', points, { name: names[0] ?? '' });
}

/** Why the game ended. It names players unless rows were closed for everybody. */
export function endReasonMessage(view: View, variant: VariantInfo): string {
  const { position, result, seats } = view;
  const players = (result?.ended_by ?? []).map((seat) => seatName(seats[seat]!));
  const names = formatList(players);
  if (!result?.reason) return t('scoring.ended');
  if (players.length === 1 && isYou(view, result!.ended_by[0]!)) return t(result?.reason === 'misthrows' ? 'result.you-misthrows' : 'result.you-rows', { rows: variant.rows_to_end });
  if (result.reason === 'misthrows') return t('end.misthrows', { name: names });
  if (names) return n('end.rows-of', players.length, { names, rows: variant.rows_to_end });
  return t('end.rows', { rows: formatList((position?.closed ?? []).map(colourName)) });
}

/** Whose turn it is. */
export function turnMessage({ state, position, seats }: View, variant: VariantInfo, seat: number | null): string {
  if (state === 'over') return t('play.over');
  const { turn, active } = position!;
  if (active === seat) return t(variant.cards ? 'play.your-turn-cards' : 'play.your-turn', { turn });
  return t(variant.cards ? 'play.turn-of-cards' : 'play.turn-of', { turn, name: seatName(seats[active]!) });
}

/** The status line, for every state of the decision. */
export function decisionMessage(view: View, variant: VariantInfo, { decision, seat, misthrow, automatic }: Situation): string {
  if (misthrow) return t('say.misthrow', { cost: variant.misthrow_cost });
  switch (decision.state) {
    case 'over':
      return [resultMessage(view), rematchMessage(view)].filter(Boolean).join('. ');
    case 'combining':
      return view.position?.phase === 'take' ? takeMessage(decision.options, decision.combination) : playMessage(variant, decision.options, decision.combination);
    case 'chosen':
      return t('say.chosen', { mark: choiceText(variant, decision.chosen) });
    // The roll is reported when the dice animation ends.
    case 'rolling':
      return t('say.rolling');
    case 'handover':
      return t('handover.to', { name: seatName(view.seats[seat!]!) });
    case 'choosing': {
      if (automatic) return `${optionsMessage(view.position!, decision.options)} ${t('say.passing')}`;
      const swap = decision.options.find((one) => one.swap && one.swap === decision.swap);
      return swap ? t('say.swap', { sum: swap.swapped!, number: parseMark(swap.marks[0]!).number }) : optionsMessage(view.position!, decision.options);
    }
    case 'watching':
      return `${t('say.watching')} ${waitingMessage(view, seat, null, variant)}`;
    default:
      return waitingMessage(view, seat, decisionOf(decision), variant);
  }
}

/** What a screen reader reads out: `turn` says whose turn it is, `sentence` is the status line. Taps are read out by the buttons themselves. */
export function announcementMessage(view: View, variant: VariantInfo, { decision, misthrow }: Situation, turn: string, sentence: string): string {
  if (decision.state === 'over' || misthrow) return sentence;
  if (view.roll_at !== null) return ''; // the next roll is reported when it comes
  if (decision.state === 'combining' && decision.combination !== EMPTY_COMBINATION) return blockedMarksMessage(variant, decision.options, decision.combination);
  return `${turn}. ${chosenOf(decision) ? '' : sentence}`;
}
