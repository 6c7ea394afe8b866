/** What the server is asked over HTTP. */
import type { Asked } from './storage.svelte.ts';
import type * as p from './protocol.ts';
import { variantOf } from './setup.ts';

/** The server, or the way to it, says no: a code of the protocol's list, or `offline`. */
export class Refused extends Error {
  constructor(
    readonly code: p.Code | 'offline',
    readonly values: Record<string, unknown> = {},
  ) {
    super(code);
  }
}

/** What is asked for twice is done once: where the answer is lost, ask again. */
async function ask<T>(path: string, body?: object, patience = [500, 1500]): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(
      path,
      body && { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) },
    );
  } catch {
    const [wait, ...rest] = patience;
    if (wait === undefined) throw new Refused('offline');
    await new Promise((resolve) => setTimeout(resolve, wait));
    return ask(path, body, rest);
  }
  const found: unknown = await answer.json().catch(() => null);
  if (answer.ok && found !== null) return found as T;
  const problem = found as p.Problem | null;
  throw new Refused((problem?.code as p.Code | undefined) ?? 'offline', problem?.values);
}

let variantsAsked: Promise<p.VariantInfo[]> | null = null;
let botsAsked: Promise<p.Bots> | null = null;

/** The games, asked for once. */
export function variants(): Promise<p.VariantInfo[]> {
  variantsAsked ??= ask<p.Variants>('/api/variants').then((found) => found.variants);
  variantsAsked.catch(() => (variantsAsked = null));
  return variantsAsked;
}

/** A game by its id, which it keeps: `cards+jokers` is the card game with jokers. */
export async function variant(id: string): Promise<p.VariantInfo> {
  const found = (await variants()).find((one) => one.id === variantOf(id));
  if (!found) throw new Refused('variant');
  return { ...found, id };
}

export interface Bot {
  name: string;
  /** 1 to 5; 0 for those outside the levels. */
  level: number;
}

/** The bots that can sit at such a table; asked for once. */
export async function bots(variant: string, players: number): Promise<Bot[]> {
  botsAsked ??= ask<p.Bots>('/api/bots');
  botsAsked.catch(() => (botsAsked = null));
  const { bots: all, only, levels } = await botsAsked;
  const some = Object.keys(only).filter((bot) => only[bot]?.[variant]?.includes(players));
  return [...all, ...some].map((name) => ({ name, level: levels[name] ?? 0 }));
}

/** Of the bots that can sit at such a table the one of the highest level. */
export async function bestBot(variant: string, players: number): Promise<string> {
  const found = await bots(variant, players);
  return found.sort((one, other) => other.level - one.level)[0]?.name ?? '';
}

const at = (table: string): string => `/api/tables/${encodeURIComponent(table)}`;

/** 256 random bits. */
export const random = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('');

export const create = (wish: p.TableWish): Promise<p.TableMade> => ask('/api/tables', { ...wish, id: random() });

/** The first of them sits where they wish, the others on free seats. */
export function sitDown({ table, places, seat }: Asked): Promise<p.SeatsTaken> {
  const people = places.map((place, index) => ({ ...place, seat: index ? null : seat }));
  return ask(`${at(table)}/seats`, { people } satisfies p.JoinWish);
}

export const handOver = (table: string, secret: string): Promise<p.Handover> =>
  ask(`${at(table)}/handover`, { secret } satisfies p.SecretShown);
export const claim = (table: string, handover: string, secret: string): Promise<p.SeatTaken> =>
  ask(`${at(table)}/claim`, { handover, secret } satisfies p.Claim);
export const rematch = (table: string, secret: string): Promise<p.TableMade> =>
  ask(`${at(table)}/rematch`, { secret } satisfies p.SecretShown);
export const replay = (table: string): Promise<p.Replay> => ask(`${at(table)}/replay`);
export const replayRecord = (record: string): Promise<p.Replays> =>
  ask('/api/replay', { record } satisfies p.RecordShown);
export const link = (path: string): Promise<p.Link> => ask('/api/links', { path } satisfies p.LinkWish);
export const recordAddress = (table: string): string => `${at(table)}/record`;
