/** Splitting a record file into games; the server parses the games themselves. */

/** The start of a line with the tag `Variant`, except the first line of a text. */
const GAME_START = /(?<=\n)(?=[ \t]*\[Variant(?![A-Za-z0-9]))/;

/** The games of a file, each from a `Variant` line to the next; lines before the first one belong to the first game. */
export function splitGames(text: string): string[] {
  const [first = '', second, ...others] = text.split(GAME_START);
  if (second === undefined) return [first];
  const firstIsGame = GAME_START.test(`\n${first}`); // otherwise it holds only lines before the first game
  return firstIsGame ? [first, second, ...others] : [first + second, ...others];
}

/** The names of a game's players, separated by commas. */
export const playersText = (game: string): string => /^[ \t]*\[Players[ \t]+"(.*?)"/m.exec(game)?.[1]?.replaceAll(';', ',') ?? '';
