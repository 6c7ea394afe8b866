/** Games that are over, as history and statistics need them. All but where and when they were played follows from the record. */
import { challengeGame } from '../challenge.ts';
import type { LocalVariant } from '../protocol.ts';
import type { LocalGame } from './game.ts';

export interface PlayedGame {
  /** A hash of the record: two games with the same record are one. */
  id: string;
  /** When it ended, in milliseconds. */
  at: number;
  /** The code of its table; null for a game of a file. */
  table: string | null;
  /** The variant, with `+jokers` if they were used, and its data if it is not built in. */
  variant: string;
  own: LocalVariant | null;
  players: { name: string; bot: string | null }[];
  /** The seats of people at this device. */
  here: number[];
  scores: number[];
  winners: number[];
  locks: number[];
  misthrows: number[];
  record: string;
  /** The day whose challenge it was. */
  challenge: string | null;
}

/** Where and when a game was played. */
export interface Circumstances {
  at: number;
  table: string | null;
  /** The names of people at this device. */
  here: string[];
}

/** The tags of an exported record that a game on this device does not have. */
const [HERE, ENDED] = ['Here', 'Ended'];
export const CHALLENGE = 'Challenge';

/** A game that is over. */
export function playedGame(game: LocalGame, { at, table, here }: Circumstances): PlayedGame {
  const { players } = game.setup;
  const { scores, winners } = game.result()!;
  const { sheets } = game.position(false);
  const bots = game.tags['Bots']?.split('; ') ?? [];
  const record = game.record();
  const day = game.tags[CHALLENGE] ?? '';
  return {
    id: hashOf(record),
    at,
    table,
    variant: game.name,
    own: game.variant.file ? game.variant : null,
    players: players.map((name, seat) => ({ name, bot: bots[seat] || null })),
    here: players.flatMap((name, seat) => (here.includes(name) && !bots[seat] ? [seat] : [])),
    scores,
    winners,
    locks: sheets.map((sheet) => sheet.locks.length),
    misthrows: sheets.map((sheet) => sheet.misthrows),
    record,
    challenge: players.length === 1 && challengeGame(day) === game.name ? day : null,
  };
}

/** A game of an exported record: who played here and when it ended is in its tags. Of another record the only person, or the one of this name, played here. */
export function importedGame(game: LocalGame, name: string, now: number): PlayedGame {
  const { [HERE]: here, [ENDED]: ended, Date: date, Bots: bots } = game.tags;
  delete game.tags[HERE];
  delete game.tags[ENDED];
  const people = game.setup.players.filter((_, seat) => !bots?.split('; ')[seat]);
  const at = [ended, date].map((text) => Date.parse(text ?? '')).find((time) => time <= now) ?? now;
  return playedGame(game, { at, table: null, here: here?.split('; ') ?? (people.length === 1 ? people : [name]) });
}

/** All games as one record file, from which `importedGame` makes the same games again. */
export function exportedRecords(games: PlayedGame[]): string {
  return games
    .map(({ record, players, here, at }) => {
      const tags = [`[${ENDED} "${new Date(at).toISOString()}"]`, ...(here.length ? [`[${HERE} "${here.map((seat) => players[seat]!.name).join('; ')}"]`] : [])];
      return record.replace(/^\[Result /m, () => [...tags, '[Result '].join('\n'));
    })
    .join('\n');
}

/** 64 bits as hexadecimal digits: FNV-1a with two offsets. */
export function hashOf(text: string): string {
  return [0x811c9dc5, 0x9747b28c]
    .map((offset) => {
      let hash = offset;
      for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
      return hash.toString(16).padStart(8, '0');
    })
    .join('');
}
