/** Links to the replay of a game; one that was played on a device carries its record, and the file of an own variant. */
import { createLink } from '../api.ts';
import { localRecord, localVariant } from '../local/client.svelte.ts';
import type { GameSource } from '../local/worker.ts';
import { isLocal, replayPath } from '../pages.ts';
import { hasServer } from '../server.ts';
import { device } from '../storage.svelte.ts';
import { gameFragment, type SharedGame } from './sharedRecord.ts';

/** The address of a page for other devices: the server may have another one for them than for this device. */
export async function addressOf(path: string): Promise<string> {
  const here = new URL(path, document.baseURI).href;
  return hasServer ? createLink(path).then(({ address }) => address, () => here) : here;
}

/** The link to a replay; null in a browser that cannot compress a record. */
export async function shareLink(source: GameSource): Promise<string | null> {
  if ('record' in source) return gameLink({ record: source.record, file: source.own?.file ?? null });
  const { table } = source;
  if (isLocal(table)) return gameLink({ record: await localRecord(table), file: (await localVariant(table)).file });
  const invite = device.savedTable(table)?.invite;
  return addressOf(replayPath(table) + (invite ? `#${invite}` : ''));
}

const gameLink = async (game: SharedGame): Promise<string | null> => ('CompressionStream' in globalThis ? (await addressOf('replay')) + (await gameFragment(game)) : null);
