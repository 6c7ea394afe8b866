/** Games of the history in words. */
import { fetchVariants } from '../api.ts';
import { DAY } from '../challenge.ts';
import type { PlayedGame } from '../local/played.ts';
import type { VariantInfo } from '../protocol.ts';
import { variantOf } from '../setup.ts';
import { gameName, playerName } from '../sheet/labels.ts';
import { formatList, formatNumber, locale, n, t } from '../i18n.svelte.ts';
import { playerNames } from './players.ts';

/** When a game ended: the time of day is left out where only the day is known. */
export function timeText(at: number): string {
  const options: Intl.DateTimeFormatOptions = at % DAY ? { timeStyle: 'short' } : { timeZone: 'UTC' };
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', ...options }).format(at);
}

/** The names of games by their ids; an own variant has its name with its data. */
export async function gameNames(games: PlayedGame[]): Promise<(id: string) => string> {
  const built = await fetchVariants().catch((): VariantInfo[] => []);
  const known = new Map([...games.flatMap(({ own }) => (own ? [own.info] : [])), ...built].map((info) => [info.id, info]));
  return (id) => {
    const found = known.get(variantOf(id));
    return found ? gameName({ ...found, id }) : id;
  };
}

/** `You 87, Penny 63`, the winner first; alone only the points. */
export function scoresText({ players, scores, here }: PlayedGame): string {
  if (players.length === 1) return n('end.solo', scores[0]!, { count: formatNumber(scores[0]!) });
  return pointsText(playerNames(players.map(({ name }) => name), here.map((seat) => players[seat]!.name)), scores);
}

/** `You 87, Penny 63`, the most points first. */
export const pointsText = (names: string[], scores: number[]): string =>
  names
    .map((name, seat) => ({ name, score: scores[seat]! }))
    .sort((one, other) => other.score - one.score)
    .map(({ name, score }) => `${name} ${formatNumber(score)}`)
    .join(', ');

/** Whether the only player of this device has won, else who has. */
export function resultText({ players, winners, here, challenge }: PlayedGame): string {
  if (challenge) return t('history.challenge');
  if (players.length === 1) return t('history.alone');
  const [seat] = here;
  if (here.length === 1 && winners.includes(seat!)) return t(winners.length > 1 ? 'history.shared' : 'history.won');
  return t('history.winners', { names: formatList(winners.map((one) => playerName(players[one]!.name))) });
}
