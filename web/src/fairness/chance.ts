/** Computes the dice and cards of a game again from its secrets; docs/fairness.md says how they follow. */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { VariantInfo } from '../protocol.ts';
import { CARD_COLOURS, DISPLAYED, HAND_DEALT, MAX_PLAYERS, ROW_NAMES, ROWS } from '../local/layout.ts';
import { hasJokers } from '../setup.ts';
import type { Shown } from './shown.ts';
import type { FairStart } from './starts.ts';

/** The secrets of a game: the share of a seat is null if its device gave none. */
interface Secrets {
  table: string;
  seed: string;
  shares: { name: string; share: string | null }[];
  /** How many starts of the table were void before. */
  voidStarts: number;
}

/** What is to be known of the game of a record. */
type Game = Pick<VariantInfo, 'id' | 'dice' | 'cards'>;

const VERSION = 'rowlock chance 1';
const NO_SHARE = '-';

export const commitmentOf = (secret: string): string => bytesToHex(sha256(hexToBytes(secret)));

export const keyOf = ({ table, seed, shares }: Secrets): Uint8Array =>
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

export function shuffled(key: Uint8Array, turn: number, sorted: string[]): string[] {
  const cards = [...sorted];
  const places = sorted.map((_, index) => index).slice(1).reverse();
  for (const [index, other] of numbers(key, `shuffle ${turn}`, places.map((place) => place + 1)).entries()) {
    const place = places[index]!;
    [cards[place], cards[other]] = [cards[other]!, cards[place]!];
  }
  return cards;
}

export const sorted = (cards: string[]): string[] =>
  [...cards].sort((one, other) => CARD_COLOURS.indexOf(one[0]!) - CARD_COLOURS.indexOf(other[0]!) || Number(one.slice(1)) - Number(other.slice(1)));

const tagOf = (record: string, name: string): string => new RegExp(`^\\[${name} "(.*)"\\]$`, 'm').exec(record)?.[1] ?? '';

/** The secrets in the tags of a record; null if it has none. */
export function secretsOf(record: string): Secrets | null {
  const tag = (name: string): string => tagOf(record, name);
  const shares = tag('FairShares')
    .split('; ')
    .map((one) => /^([0-9a-f]{64}|-) (.+)$/.exec(one))
    .map((found) => ({ name: found?.[2] ?? '', share: found?.[1] === NO_SHARE ? null : (found?.[1] ?? null) }));
  const secrets = { table: tag('FairTable'), seed: tag('FairSeed'), shares, voidStarts: Number(tag('FairVoid')) };
  return /^[0-9a-f]{64}$/.test(secrets.seed) && secrets.table && shares.length <= MAX_PLAYERS && shares.every(({ name }) => name) ? secrets : null;
}

/** A shuffle of a record: the cards in the order in which they were before, and after it. */
interface Shuffle {
  turn: number;
  before: string[];
  after: string[];
}

/**
 * The cards of a game, from its deck and the turns of its record. `lines` are those that views may have, see `linesOf`.
 * With turns or cards that the game does not have it is not `possible`: they could choose between several shuffles.
 */
function playCards(record: string, after: string[], players: number, { id, cards }: Game): { shuffles: Shuffle[]; lines: string[]; possible: boolean } {
  const { lowest, highest } = cards!;
  const numbersOf = Array.from({ length: highest - lowest + 1 }, (_, index) => lowest + index);
  const before = [...CARD_COLOURS].slice(0, hasJokers(id) ? CARD_COLOURS.length : ROWS).flatMap((colour) => numbersOf.map((number) => `${colour}${number}`));
  const shuffles: Shuffle[] = [{ turn: 1, before, after }];
  const lines: string[] = [];
  let possible = true;
  let [pile, discards]: [string[], string[]] = [[...after], []];
  const hands: string[][] = Array.from({ length: players }, () => []);
  for (let count = 0; count < HAND_DEALT; count++) for (const hand of hands) hand.push(pile.shift() ?? '');
  const display = pile.splice(0, DISPLAYED);
  const show = (moment: string): void => {
    lines.push(displayLine(moment, display, Number(pile[0]?.slice(1))), discardsLine(moment, discards), ...hands.map((hand, seat) => handLine(moment, seat, sorted(hand))));
  };
  const fill = (): void => display.forEach((card, place) => (display[place] = card || (pile.shift() ?? '')));
  const indexIn = (held: string[], card: string): number => {
    possible &&= held.includes(card);
    return held.indexOf(card);
  };
  let turns = 0;
  for (const [, number, taken, renewed, played] of record.matchAll(/^([1-9]\d*)\. (\S+) (?:~(\S+) )?\d+:(?: [^/\n]*(?:\/ (\S+))?)?/gm)) {
    const turn = Number(number);
    possible &&= turn === ++turns;
    const hand = hands[(turn - 1) % players]!;
    show(`${turn} take`);
    for (const card of taken!.split(',')) {
      hand.push(card);
      display[indexIn(display, card)] = '';
    }
    fill();
    possible &&= !renewed === pile.length > 0;
    if (renewed) {
      pile = renewed.split(',');
      shuffles.push({ turn, before: sorted(discards), after: [...pile] });
      discards = [];
      fill();
    }
    show(`${turn} white`);
    for (const card of played?.split(',') ?? []) discards.push(...hand.splice(indexIn(hand, card.replace(/[rygb]$/, '')), 1)); // a joker is played with a colour: `j7y`
  }
  return { shuffles, lines, possible };
}

/** The rolls or shuffles of a record: how many there are, whether all follow from the secrets, and the lines that views may have. */
function readChance(record: string, secrets: Secrets, players: string[], game: Game): { follows: boolean; count: number; lines: string[] } {
  const key = keyOf(secrets);
  const names = secrets.shares.map(({ name }) => name);
  const first = numbers(key, 'first', [names.length])[0]!;
  const ordered = [...names.slice(first), ...names.slice(0, first)].join() === players.join();
  if (game.cards) {
    const { shuffles, lines, possible } = playCards(record, tagOf(record, 'Deck').split(' '), players.length, game);
    return { follows: ordered && possible && shuffles.every(({ turn, before, after }) => shuffled(key, turn, before).join() === after.join()), count: shuffles.length, lines };
  }
  const faces = ['white', 'white', ...ROW_NAMES].map((die) => game.dice[die] ?? 1);
  const rolls = [...record.matchAll(/^(\d+)\. (\d\d-[\d.]{4})/gm)].map(([, turn, dice]) => ({ turn: turn!, dice: dice! }));
  const follows = rolls.every(({ turn, dice }, index) => {
    // Else turns could be left out, or `05` written for `5` to get the dice of another label.
    if (turn !== String(index + 1)) return false;
    const rolled = numbers(key, `roll ${turn}`, faces).map((number) => String(number + 1));
    return [...dice.replace('-', '')].every((face, die) => face === '.' || face === rolled[die]);
  });
  return { follows: ordered && follows, count: rolls.length, lines: rolls.map(({ turn, dice }) => `${turn} ${dice}`) };
}

/** Whether the names are the same in the same order; other people may have been forgotten and renamed since. */
const samePeople = (before: string[], now: string[], own: string[]): boolean =>
  before.length === now.length && before.every((name, index) => name === now[index] || (!own.includes(name) && ![...own, ...before].includes(now[index]!)));

const displayLine = (moment: string, display: string[], top: number | null): string => `${moment} display ${display.map((card) => card.replace(/\D/g, '')).join()} ${top || '-'}`;

const discardsLine = (moment: string, discards: string[]): string => `${moment} discards ${sorted(discards).join() || '-'}`;

const handLine = (moment: string, seat: number, hand: string[]): string => `${moment} ${seat} ${hand.join()}`;

/** The dice or cards that were shown in lines such as `7 41-3256` and `7 white 0 r5,g7`. */
function linesOf([turn, shown]: Exclude<Shown, string[]>): string[] {
  if (typeof shown === 'string') return [`${turn} ${shown}`];
  const [phase, display, top, hands, discards] = shown;
  // Cards that are shown in other phases may be taken back with a decision.
  if (phase !== 'take' && phase !== 'white') return [];
  const moment = `${turn} ${phase}`;
  return [displayLine(moment, display, top), ...(discards ? [discardsLine(moment, discards)] : []), ...hands.map(([seat, hand]) => handLine(moment, seat, hand))];
}

const isNames = (shown: Shown): shown is string[] => typeof shown[0] === 'string';

/** Whether a record has the players, dice and cards that were shown. */
const wasShown = (lines: string[], players: string[], { shown, own }: Witness): boolean =>
  shown.every((one) => (isNames(one) ? samePeople(one, players, own) : linesOf(one).every((line) => lines.includes(line))));

/** The share that this device has made for a name, which may be that of a property of every object. */
export const shareOf = ({ shares }: FairStart, name: string): string | undefined => (Object.hasOwn(shares, name) ? shares[name] : undefined);

/** Whether the secrets fit the last start, and all starts for which this device has given shares are counted. */
function isPromised({ seed, shares, voidStarts }: Secrets, { own, starts }: Witness): boolean {
  const start = starts.at(-1)!;
  const { commitment, promised } = start;
  const before = promised?.map(({ name }) => name) ?? [];
  return (
    commitment === commitmentOf(seed) &&
    voidStarts >= starts.filter((one) => one.promised).length - 1 &&
    samePeople(before, shares.map(({ name }) => name), own) &&
    shares.every(({ share }, index) => (share && commitmentOf(share)) === promised![index]!.commitment && (shareOf(start, before[index]!) ?? share) === share)
  );
}

/** What this device knows of a game: whether it has had a seat in it, its people who still have theirs, its starts, and what was shown. */
export interface Witness {
  table: string;
  played: boolean;
  own: string[];
  starts: FairStart[];
  shown: Shown[];
}

/** What a check has found: all chance follows from what this device was promised; from the published secrets, none of which is this device's; it does not follow; there are no secrets; the server does not answer. */
export interface Verdict {
  verdict: 'checked' | 'published' | 'wrong' | 'none' | 'offline';
  count: number;
  voidStarts: number;
  /** The names of seats without a share, with those of bots. */
  without: string[];
}

/** Judge the record of a table by what this device was shown and promised. */
export function judge(record: string, witness: Witness, game: Game): Verdict {
  const secrets = secretsOf(record);
  if (!secrets) return { verdict: witness.starts.length ? 'wrong' : 'none', count: 0, voidStarts: 0, without: [] };
  const { voidStarts } = secrets;
  const without = secrets.shares.filter(({ share }) => !share).map(({ name }) => name);
  const players = tagOf(record, 'Players').split('; ');
  const { follows, count, lines } = readChance(record, secrets, players, game);
  const promised = witness.played && witness.starts.length > 0;
  const kept = !promised || isPromised(secrets, witness);
  if (!follows || !kept || secrets.table !== witness.table || !wasShown(lines, players, witness)) return { verdict: 'wrong', count: 0, voidStarts, without };
  return { verdict: promised ? 'checked' : 'published', count, voidStarts, without };
}
