/** The addresses of the pages, relative to the base of the site. */
import type { View } from './protocol.ts';

const PAGES = /^(|(new|local|replay|settings|history|statistics|challenge|rules(\/[^/]+)?|learn(\/[^/]+)?|t\/[^/]+(\/replay)?)\/?)$/;

/** The code of a table on this device begins with this sign, which codes of a server do not contain. */
const LOCAL = '@';
export const isLocal = (table: string): boolean => table.startsWith(LOCAL);
export const localCode = (game: string): string => LOCAL + game;

/** The page of a table: `t/ABC234`, or `local?game=…` for a table on this device. Any web host can serve the latter. */
export const tablePath = (table: string): string => (isLocal(table) ? `local?game=${table.slice(LOCAL.length)}` : `t/${table}`);
export const replayPath = (table: string): string => (isLocal(table) ? `${tablePath(table)}&replay` : `${tablePath(table)}/replay`);
export const reviewPath = (table: string): string => `${replayPath(table)}${isLocal(table) ? '&' : '?'}review`;

/** The replay of a game of this device that is over. */
export const playedPath = (id: string): string => `replay?played=${id}`;

/** The form for a new table with the game, the people, the bots and the pause of this one; one seat is left for somebody with the link. */
export function setUpPath({ variant, seats, pause, hints, dice }: View, mostPlayers: number): string {
  const kept = [...seats].sort((one, other) => Number(one.bot !== null) - Number(other.bot !== null)).slice(0, mostPlayers - 1);
  const people = seats.filter(({ bot }) => !bot).length;
  const sheets = kept.map(({ sheet }) => sheet ?? '').join(',');
  const players = kept.map(({ bot, name }) => (bot ? ['bot', bot] : ['name', name ?? '']));
  return `new?${new URLSearchParams([['game', variant], ...players, ['sheets', sheets], ['pause', String(pause)], ['link', ''], ...(hints && people > 1 ? [['hints', '']] : []), ...(diceIn(dice) === 'rolled' ? [] : [['dice', dice]])])}`;
}

/** Who rolls the dice, as an address says. */
export const diceIn = (value: string | null): View['dice'] => (value === 'entered' || value === 'entered-by-anybody' || value === 'none' ? value : 'rolled');

/** Whether there is a page at this path: `rules/classic`. */
export const isPage = (path: string): boolean => PAGES.test(path);
