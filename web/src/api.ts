/** Requests to the server's HTTP API; their paths are relative to the base of the site. */
import { ApiError } from './apiError.ts';
import type { PendingJoin } from './storage.svelte.ts';
import { localRecord, localReplay, localVariant, readLocalRecord } from './local/client.svelte.ts';
import type * as protocol from './protocol.ts';
import { hasServer } from './server.ts';
import { isLocal } from './pages.ts';
import { checkIsGame } from './record.ts';
import { variantOf } from './setup.ts';

/** Send a request. All requests are idempotent: one without an answer is sent again after each delay, in milliseconds. */
export async function send(path: string, options?: RequestInit, retryDelays = [500, 1500]): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, options);
  } catch {
    const [delay, ...rest] = retryDelays;
    if (delay === undefined) throw new ApiError('offline');
    await new Promise((resolve) => setTimeout(resolve, delay));
    return send(path, options, rest);
  }
  if (response.ok) return response;
  const problem = (await response.json().catch(() => null)) as protocol.Problem | null;
  throw new ApiError((problem?.code as protocol.Code | undefined) ?? 'offline', problem?.values);
}

/** The options of a POST request with a body. */
export const post = (body: object): RequestInit => ({ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

/** The answer to a POST request if there is a body, else to a GET request. */
async function request<T>(path: string, body?: object, retryDelays?: number[]): Promise<T> {
  return read(await send(path, body && post(body), retryDelays));
}

/** The JSON of an answer; an answer that is no JSON is not from the server, and counts as none. */
async function read<T>(response: Response): Promise<T> {
  return response.json().catch(() => {
    throw new ApiError('offline');
  }) as Promise<T>;
}

/** Request what only people at a table and those with its link may see; the next secret is tried if one is refused. */
async function sendWithSecret(path: string, [secret, ...others]: string[]): Promise<Response> {
  try {
    return await send(path, secret ? { headers: { Authorization: `Bearer ${secret}` } } : {});
  } catch (error) {
    if (others.length && error instanceof ApiError && ['invite', 'closed'].includes(error.code)) return sendWithSecret(path, others);
    throw error;
  }
}

// Cached answers; a failure is not cached.
let variantsRequest: Promise<protocol.Variants> | null = null;
let botsRequest: Promise<protocol.Bots> | null = null;

/** How long the lists of games and bots may take, in milliseconds: on a train the connection may be there and carry nothing. */
const LIST_TIMEOUT = 3000;

/** The server's answer. Without one it is `local`, and `forget` is called, so that the server is asked again next time. */
async function requestOrLocal<T>(path: string, local: (games: protocol.LocalGames) => T, forget: () => void): Promise<T> {
  try {
    if (hasServer) return await read<T>(await send(path, { signal: AbortSignal.timeout(LIST_TIMEOUT) }, []));
  } catch (error) {
    forget();
    if (!(error instanceof ApiError && error.code === 'offline')) throw error;
  }
  return local(
    await request<protocol.LocalGames>('local/games.json').catch(() => {
      forget();
      throw new ApiError('offline');
    }),
  );
}

/** All variants, or those that need no server if none answers. */
export async function fetchVariants(): Promise<protocol.VariantInfo[]> {
  variantsRequest ??= requestOrLocal<protocol.Variants>('api/variants', (games) => games, () => (variantsRequest = null));
  return (await variantsRequest).variants;
}

/** All bots, or those that need no server if none answers. */
function fetchAllBots(): Promise<protocol.Bots> {
  botsRequest ??= requestOrLocal('api/bots', (games) => games.bots, () => (botsRequest = null));
  return botsRequest;
}

/** Own variants that were chosen here, by id. */
const chosen = new Map<string, protocol.LocalVariant>();
/** Own variants of tables, by their hash. */
const ownVariants = new Map<string, protocol.VariantInfo>();

/** Check the file of an own variant, and add it to those that can be chosen until the page is loaded again. */
export async function addVariant(file: string): Promise<protocol.VariantInfo> {
  const { variant, bots, local } = await request<protocol.CheckedVariant>('api/variants', { file } satisfies protocol.VariantFile);
  const others = (await fetchVariants()).filter((one) => one.id !== variant.id);
  variantsRequest = Promise.resolve({ variants: [...others, variant] });
  botsRequest = Promise.resolve(bots);
  chosen.set(variant.id, local);
  return variant;
}

/** The data of an own variant that was chosen here. */
export const chosenVariant = (game: string): protocol.LocalVariant | null => chosen.get(variantOf(game)) ?? null;

/** A variant under the id it is asked for with: `cards+jokers` is the card game with jokers. */
export async function fetchVariant(id: string): Promise<protocol.VariantInfo> {
  const variant = (await fetchVariants()).find((one) => one.id === variantOf(id));
  if (!variant) throw new ApiError('variant');
  return { ...variant, id };
}

/** The variant of a table; one that is not built in has a hash, and the table has its data. */
export async function fetchTableVariant(table: string, id: string, hash: string | null | undefined, secrets: string[]): Promise<protocol.VariantInfo> {
  if (isLocal(table)) return (await localVariant(table)).info;
  if (!hash) return fetchVariant(id);
  if (!ownVariants.has(hash)) ownVariants.set(hash, (await fetchOwnVariant(table, secrets)).variant);
  return { ...ownVariants.get(hash)!, id };
}

interface Bot {
  name: string;
  /** 1 to 5; 0 for bots without a level. */
  level: number;
}

/** The bots that can play a variant with so many players. */
export async function fetchBots(variant: string, players: number): Promise<Bot[]> {
  const bots = await fetchAllBots();
  return botsFor(bots, variant, players).map((name) => ({ name, level: bots.levels[name] ?? 0 }));
}

const botsFor = ({ bots, only }: protocol.Bots, variant: string, players: number): string[] => [
  ...bots,
  ...Object.keys(only).filter((bot) => only[bot]?.[variantOf(variant)]?.includes(players)),
];

/** The levels of the bots, 1 to 5, by name. */
export const fetchBotLevels = async (): Promise<Record<string, number>> => (await fetchAllBots()).levels;

/** The bots that can play on this device. */
export async function fetchLocalBots(variant: string, players: number): Promise<string[]> {
  return botsFor((await request<protocol.LocalGames>('local/games.json')).bots, variant, players);
}

/** The bot itself if it can play, else the one nearest in level, the weaker of two. */
export async function playableBot(bot: string, variant: string, players: number): Promise<string | undefined> {
  const bots = await fetchBots(variant, players);
  if (bots.some(({ name }) => name === bot)) return bot;
  const level = (await fetchAllBots()).levels[bot] ?? 0;
  const distance = (one: Bot): number => Math.abs(one.level - level);
  return bots.sort((one, other) => distance(one) - distance(other) || one.level - other.level)[0]?.name;
}

/** The bot of the highest level that can play a variant with so many players. */
export async function bestBot(variant: string, players: number): Promise<string> {
  const bots = await fetchBots(variant, players);
  return bots.sort((one, other) => other.level - one.level)[0]?.name ?? '';
}

const tableUrl = (table: string): string => `api/tables/${encodeURIComponent(table)}`;

/** Random bytes in hexadecimal, for secrets and ids; `crypto.randomUUID` would need a secure context. */
export const randomHex = (bytes = 32): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');

export function createTable(table: protocol.TableRequest): Promise<protocol.TableCreated> {
  const variant_file = chosenVariant(table.variant)?.file ?? null;
  return request('api/tables', { ...table, id: randomHex(), variant_file } satisfies protocol.TableRequest);
}

/** Whether there is a table with this code. If the server refuses to show it, there is one: its page says why. */
export async function tableExists(table: string, secrets: string[]): Promise<boolean> {
  try {
    await sendWithSecret(tableUrl(table), secrets);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code !== 'offline') return error.code !== 'no-table';
    throw error;
  }
}

/** Seats for the people at this device: the first person gets `seat` if it is given, the others any free seat. */
export function requestSeats({ table, places, seat }: PendingJoin, invite: string | null): Promise<protocol.SeatsTaken> {
  const people = places.map((place, index) => ({ ...place, seat: index ? null : seat, shares: true }));
  return request(`${tableUrl(table)}/seats`, { people, invite } satisfies protocol.JoinRequest);
}

export const createHandover = (table: string, secret: string): Promise<protocol.Handover> =>
  request(`${tableUrl(table)}/handover`, { secret } satisfies protocol.SeatSecret);
export const claimSeat = (table: string, handover: string, secret: string): Promise<protocol.SeatClaimed> =>
  request(`${tableUrl(table)}/claim`, { handover, secret, shares: true } satisfies protocol.Claim);
export const fetchReplay = async (table: string, secrets: string[]): Promise<protocol.Replay> =>
  isLocal(table) ? localReplay(table) : read(await sendWithSecret(`${tableUrl(table)}/replay`, secrets));
export const fetchRecord = async (table: string, secrets: string[]): Promise<Blob> =>
  isLocal(table) ? new Blob([await localRecord(table)]) : (await sendWithSecret(`${tableUrl(table)}/record`, secrets)).blob();
export async function fetchOwnVariant(table: string, secrets: string[]): Promise<protocol.OwnVariant> {
  if (!isLocal(table)) return read(await sendWithSecret(`${tableUrl(table)}/variant`, secrets));
  const { info, file } = await localVariant(table);
  return { variant: info, file: file ?? '' };
}
/** The positions of a game in a record; the server's errors say most, the device reads records without it. */
export async function replayRecord(record: string, own: protocol.LocalVariant | null): Promise<protocol.Replays> {
  checkIsGame(record);
  try {
    if (hasServer) return await request('api/replay', { record, variant_file: own?.file ?? null } satisfies protocol.RecordText, []);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'offline')) throw error;
  }
  return readLocalRecord(record, own);
}
/** The address of a page for other devices; `path` is relative to the base of the site, as in links. */
export const createLink = (path: string): Promise<protocol.Link> => request('api/links', { path: `/${path}` } satisfies protocol.LinkRequest);

export { ApiError };
