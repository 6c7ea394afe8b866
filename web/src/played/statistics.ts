/** Statistics of the games of this device. */
import type { PlayedGame } from '../local/played.ts';
import { variantOf } from '../setup.ts';

/** The opponents of a game: a bot, the strongest of several; other people; nobody. */
export const PEOPLE = '';
export const NOBODY = '-';

/** What is counted of some games; each player of this device counts. */
export interface Tally {
  games: number;
  /** Games with opponents, and those of them that were won. */
  contests: number;
  wins: number;
  /** Wins without a misthrow. */
  clean: number;
  mean: number;
  best: number;
  locks: number;
  misthrows: number;
  /** Wins in a row: up to now, and at most. */
  streak: number;
  longest: number;
  /** In the order of time: the scores, whether they won (null alone), and the scores of the bots. */
  scores: number[];
  results: (boolean | null)[];
  botScores: number[];
  /** The id of the game with the best score, the first of several. */
  bestGame: string;
}

/** The games of one variant against the same opponents. */
interface Line extends Tally {
  opponents: string;
}

function opponentsOf({ players }: PlayedGame, levels: Record<string, number>): string {
  const level = (bot: string): number => levels[bot] ?? 0;
  const bots = players.flatMap(({ bot }) => bot ?? []).sort((one, other) => level(other) - level(one));
  return bots[0] ?? (players.length > 1 ? PEOPLE : NOBODY);
}

/** The names of the players of this device, those with most games first. */
export function playersOf(games: PlayedGame[]): string[] {
  return byCount(games.flatMap(({ here, players }) => here.map((seat) => players[seat]!.name)));
}

/** Different texts, the most frequent first. */
export function byCount(texts: string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort((one, other) => other[1] - one[1]).map(([text]) => text);
}

/** A line for each kind of opponents, the strongest last; of one player of this device, or of all. */
export function linesOf(games: PlayedGame[], player: string | null, levels: Record<string, number>): Line[] {
  const groups = new Map<string, PlayedGame[]>();
  for (const game of games) {
    const opponents = opponentsOf(game, levels);
    groups.set(opponents, [...(groups.get(opponents) ?? []), game]);
  }
  const rank = ({ opponents }: Line): number => (opponents === NOBODY ? -2 : opponents === PEOPLE ? -1 : (levels[opponents] ?? 0));
  return [...groups]
    .map(([opponents, found]) => ({ opponents, ...tallyOf(found, player) }))
    .filter((line) => line.games > 0)
    .sort((one, other) => rank(one) - rank(other));
}

/** What is counted of some games, of one player of this device or of all. */
export function tallyOf(games: PlayedGame[], player: string | null): Tally {
  const counted = [...games]
    .sort((one, other) => one.at - other.at)
    .flatMap((game) => game.here.filter((seat) => player === null || game.players[seat]!.name === player).map((seat) => ({ game, seat })));
  const scores = counted.map(({ game, seat }) => game.scores[seat]!);
  const results = counted.map(({ game, seat }) => (game.players.length > 1 ? game.winners.includes(seat) : null));
  const contests = results.filter((won) => won !== null);
  const streaks = contests.reduce<number[]>((lengths, won) => [...lengths, won ? (lengths.at(-1) ?? 0) + 1 : 0], []);
  const total = (values: number[]): number => values.reduce((sum, value) => sum + value, 0);
  const best = Math.max(...scores);
  return {
    games: counted.length,
    contests: contests.length,
    wins: contests.filter(Boolean).length,
    clean: counted.filter(({ game, seat }, index) => results[index] && !game.misthrows[seat]).length,
    mean: total(scores) / counted.length,
    best,
    locks: total(counted.map(({ game, seat }) => game.locks[seat]!)),
    misthrows: total(counted.map(({ game, seat }) => game.misthrows[seat]!)),
    streak: streaks.at(-1) ?? 0,
    longest: Math.max(0, ...streaks),
    scores,
    results,
    botScores: [...new Set(counted.map(({ game }) => game))].flatMap(({ players, scores: all }) => players.flatMap(({ bot }, seat) => (bot ? [all[seat]!] : []))),
    bestGame: counted[scores.indexOf(best)]?.game.id ?? '',
  };
}

/** What a game brought to the only player of this device in it, compared with the games before. */
interface Achievements {
  /** The best score in this game before; null if it is the first. */
  before: number | null;
  score: number;
  /** Wins in a row up to this one; 0 if it was not won. */
  wins: number;
  /** The bot that was beaten for the first time. */
  beaten: string | null;
}

export function achievementsOf(games: PlayedGame[], game: PlayedGame, levels: Record<string, number>): Achievements | null {
  const [seat] = game.here;
  if (seat === undefined || game.here.length > 1) return null;
  const { name } = game.players[seat]!;
  const past = games.filter((one) => one.at < game.at);
  const same = tallyOf(past.filter(({ variant }) => variant === game.variant), name);
  const won = game.players.length > 1 && game.winners.includes(seat);
  const opponents = opponentsOf(game, levels);
  const earlier = linesOf(past, name, levels).some((line) => line.opponents === opponents && line.wins);
  return {
    before: same.games ? same.best : null,
    score: game.scores[seat]!,
    wins: won ? tallyOf([...past, game], name).streak : 0,
    beaten: won && !earlier && game.players.some(({ bot }) => bot === opponents) ? opponents : null,
  };
}

/** Something to reach next, and how far it is. */
export interface Goal {
  kind: 'levels' | 'games' | 'score' | 'wins' | 'clean' | 'challenge';
  have: number;
  want: number;
  /** The bot to beat or the game to play next. */
  next?: string;
}

const SCORE_STEP = 25;
const WINS = [2, 3, 5, 10, 20, 50];
const CLEAN = [1, 3, 10, 30, 100, 300];
const DAYS = [3, 7, 14, 30, 60, 100, 200, 365, 1000];

/** What to reach next: a few goals that grow with what was reached; `days` are the challenges in a row. */
export function goalsOf(games: PlayedGame[], player: string | null, levels: Record<string, number>, variants: string[], days: number): Goal[] {
  const all = tallyOf(games, player);
  const own = games.filter((game) => game.here.some((seat) => player === null || game.players[seat]!.name === player));
  const bots = Object.keys(levels).filter((bot) => levels[bot]).sort((one, other) => levels[one]! - levels[other]!);
  const beaten = new Set(linesOf(own, player, levels).filter(({ wins }) => wins).map(({ opponents }) => opponents));
  const played = new Set(own.map(({ variant }) => variantOf(variant)));
  const favourite = byCount(own.map(({ variant }) => variant))[0];
  const best = favourite === undefined ? 0 : tallyOf(own.filter(({ variant }) => variant === favourite), player).best;
  const step = (steps: number[], have: number): number => steps.find((one) => one > have) ?? Math.max(have, steps.at(-1)!);
  const through = (kind: Goal['kind'], list: string[], done: Set<string>): Goal => {
    const next = list.find((one) => !done.has(one));
    return { kind, have: list.filter((one) => done.has(one)).length, want: list.length, ...(next === undefined ? {} : { next }) };
  };
  return [
    through('levels', bots, beaten),
    through('games', variants, played),
    ...(favourite === undefined ? [] : [{ kind: 'score', have: best, want: (Math.floor(Math.max(0, best) / SCORE_STEP) + 1) * SCORE_STEP, next: favourite } satisfies Goal]),
    { kind: 'wins', have: all.longest, want: step(WINS, all.longest) },
    { kind: 'clean', have: all.clean, want: step(CLEAN, all.clean) },
    { kind: 'challenge', have: days, want: step(DAYS, days) },
  ];
}

interface Bin {
  from: number;
  /** Shares of the scores. */
  own: number;
  bots: number;
}

/** How scores are distributed over steps of this many points. */
export function distribution(own: number[], bots: number[], step = 10): Bin[] {
  const floor = (score: number): number => Math.floor(score / step) * step;
  const all = [...own, ...bots].map(floor);
  const first = Math.min(...all);
  const share = (scores: number[], from: number): number => scores.filter((score) => floor(score) === from).length / Math.max(1, scores.length);
  return Array.from({ length: (Math.max(...all) - first) / step + 1 }, (_, index) => first + index * step).map((from) => ({ from, own: share(own, from), bots: share(bots, from) }));
}

export const median = (values: number[]): number => {
  const sorted = [...values].sort((one, other) => one - other);
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
};
