/** Computes the dice and cards of a game again from its secrets; docs/fairness.md says how they follow. */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { VariantInfo } from '../protocol.ts';
import type { FairStart } from '../storage.svelte.ts';

/** The secrets of a game: the share of a seat is null if its device gave none. */
export interface Secrets {
  table: string;
  seed: string;
  shares: { name: string; share: string | null }[];
}

const VERSION = 'rowlock chance 1';
const NO_SHARE = '-';
const COLOURS = 'rygbj';

export const commitmentOf = (secret: string): string => bytesToHex(sha256(hexToBytes(secret)));

const keyOf = ({ table, seed, shares }: Secrets): Uint8Array =>
  sha256(utf8ToBytes([VERSION, table, seed, ...shares.map(({ share }) => share ?? NO_SHARE)].join('\n')));

/** Independent numbers, each from 0 to below its limit and all equally likely. */
function numbers(key: Uint8Array, label: string, limits: number[]): number[] {
  const bytes: number[] = [];
  let block = 0;
  return limits.map((limit) => {
    for (;;) {
      if (!bytes.length) bytes.push(...hmac(sha256, key, utf8ToBytes(`${label} ${block++}`)));
      const byte = bytes.shift()!;
      if (byte < 256 - (256 % limit)) return byte % limit;
    }
  });
}

function shuffled(key: Uint8Array, turn: number, sorted: string[]): string[] {
  const cards = [...sorted];
  const places = sorted.map((_, index) => index).slice(1).reverse();
  for (const [index, other] of numbers(key, `shuffle ${turn}`, places.map((place) => place + 1)).entries()) {
    const place = places[index]!;
    [cards[place], cards[other]] = [cards[other]!, cards[place]!];
  }
  return cards;
}

const sorted = (cards: string[]): string[] =>
  [...cards].sort((one, other) => COLOURS.indexOf(one[0]!) - COLOURS.indexOf(other[0]!) || Number(one.slice(1)) - Number(other.slice(1)));

/** The secrets in the tags of a record; null if it has none. */
export function secretsOf(record: string): Secrets | null {
  const tag = (name: string): string => new RegExp(`^\\[${name} "(.*)"\\]$`, 'm').exec(record)?.[1] ?? '';
  const shares = tag('FairShares')
    .split('; ')
    .map((one) => /^([0-9a-f]{64}|-) (.+)$/.exec(one))
    .map((found) => ({ name: found?.[2] ?? '', share: found?.[1] === NO_SHARE ? null : (found?.[1] ?? null) }));
  const secrets = { table: tag('FairTable'), seed: tag('FairSeed'), shares };
  return /^[0-9a-f]{64}$/.test(secrets.seed) && secrets.table && shares.every(({ name }) => name) ? secrets : null;
}

/** How many rolls or shuffles of a record follow from its secrets; null if one does not, or the players are in another order. */
function countFollowing(record: string, secrets: Secrets, sides: number[]): number | null {
  const key = keyOf(secrets);
  const names = secrets.shares.map(({ name }) => name);
  const first = numbers(key, 'first', [names.length])[0]!;
  const players = [...names.slice(first), ...names.slice(0, first)].join('; ');
  if (!record.includes(`[Players "${players}"]`)) return null;
  const drawn: boolean[] = [];
  const deck = /^\[Deck "(.*)"\]$/m.exec(record)?.[1]?.split(' ');
  if (deck) drawn.push(shuffled(key, 1, sorted(deck)).join() === deck.join());
  for (const [, turn, dice, rest] of record.matchAll(/^(\d+)\. (?:(\d\d-[\d.]{4})|(.*))/gm)) {
    if (dice) {
      const rolled = numbers(key, `roll ${turn}`, sides).map((number) => String(number + 1));
      drawn.push([...dice.replace('-', '')].every((face, die) => face === '.' || face === rolled[die]));
    }
    const renewed = /(?:^| )~(\S+)/.exec(rest ?? '')?.[1]?.split(',');
    if (renewed) drawn.push(shuffled(key, Number(turn), sorted(renewed)).join() === renewed.join());
  }
  return drawn.every(Boolean) ? drawn.length : null;
}

/** What a check of all chance has found: `checked` against what this device was promised, `published` against the record alone. */
export interface Verdict {
  verdict: 'checked' | 'published' | 'wrong' | 'none';
  count: number;
}

/** Judge the record of a table by what this device was promised, if it gave a share. */
export function judge(record: string, promised: FairStart | null, table: string, { dice }: Pick<VariantInfo, 'dice'>): Verdict {
  const secrets = secretsOf(record);
  if (!secrets) return { verdict: promised?.seats ? 'wrong' : 'none', count: 0 };
  const { white = 6, R = 6, Y = 6, G = 6, B = 6 } = dice;
  const count = secrets.table === table ? countFollowing(record, secrets, [white, white, R, Y, G, B]) : null;
  const kept =
    !promised?.seats ||
    (promised.commitment === commitmentOf(secrets.seed) &&
      promised.seats.length === secrets.shares.length &&
      promised.seats.every(({ name, commitment }, index) => {
        const given = secrets.shares[index]!;
        // A person who was forgotten since then has a new name; names cannot be exchanged.
        const named = given.name === name || promised.seats!.every((seat) => seat.name !== given.name);
        return named && (given.share === null ? null : commitmentOf(given.share)) === commitment;
      }) &&
      Object.entries(promised.shares).every(([name, share]) => secrets.shares.some((one) => one.name === name && one.share === share)));
  if (count === null || !kept) return { verdict: 'wrong', count: 0 };
  return { verdict: promised?.seats ? 'checked' : 'published', count };
}
