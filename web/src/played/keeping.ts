/** What a device keeps of a game that has ended at one of its tables. */
import { addVariant, ApiError, chosenVariant, fetchOwnVariant, fetchRecord } from '../api.ts';
import { challengeOf, DAY, streak, today } from '../challenge.ts';
import { describeError } from '../errors.ts';
import { t } from '../i18n.svelte.ts';
import { canPlayHere, isKept, keepGame, playedGames } from '../local/client.svelte.ts';
import type { PlayedGame } from '../local/played.ts';
import { isLocal } from '../pages.ts';
import type { LocalVariant, View } from '../protocol.ts';
import { device } from '../storage.svelte.ts';

/** Add the game of a view to the history. A game on this device is in it already. */
export async function keepTable({ table, own, seats, variant_hash: hash, dice }: View): Promise<void> {
  if (challengeOf(table)) await readChallenges();
  if (isLocal(table) || dice === 'none' || !own.length || !canPlayHere || (await isKept(table))) return;
  const secrets = device.secrets(table);
  const record = await (await fetchRecord(table, secrets)).text();
  const variant = hash ? await ownVariant(table, secrets) : null;
  // Of a table that is opened again later only the day on which it was opened first is known.
  const opened = Date.parse(/^\[Date "(.*)"\]$/m.exec(record)?.[1] ?? '');
  const at = Math.min(Date.now(), opened + DAY || Infinity);
  await keepGame({ record, own: variant }, { at, table, here: own.map(({ seat }) => seats[seat]?.name ?? '') });
}

async function ownVariant(table: string, secrets: string[]): Promise<LocalVariant | null> {
  const { file } = await fetchOwnVariant(table, secrets);
  return chosenVariant((await addVariant(file)).id);
}

/** A challenge that was finished on this device. */
export interface FinishedChallenge {
  date: string;
  score: number;
  record: string;
}

export const readChallenges = async (): Promise<FinishedChallenge[]> => rememberChallenges((await playedGames()).games);

/** The challenges that were finished on this device up to today, the latest first; the device remembers the last one, also when its game is deleted. */
export function rememberChallenges(games: PlayedGame[]): FinishedChallenge[] {
  const now = today();
  const finished = games
    .flatMap(({ challenge, scores, record }) => (challenge && challenge <= now ? [{ date: challenge, score: scores[0]!, record }] : []))
    .sort((one, other) => (one.date < other.date ? 1 : -1));
  const remembered = device.challenge && device.challenge.date <= now ? [device.challenge] : [];
  const all = [...finished, ...remembered].sort((one, other) => (one.date < other.date ? 1 : -1));
  if (all[0]) device.challenge = { date: all[0].date, score: all[0].score, streak: streak(all.map(({ date }) => date), now) };
  return finished;
}

/** The message for an error of a page of past games. */
export const describePlayedError = (error: unknown): string => (isStoreError(error) ? t('history.full') : describeError(error));

/** Whether an error says that the store of the browser is full or switched off. */
export const isStoreError = (error: unknown): boolean => error instanceof ApiError && error.code === 'storage';
