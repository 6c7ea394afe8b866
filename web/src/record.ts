/** Splitting a record file into games; the server parses the games themselves. */
import { ApiError } from './apiError.ts';

/** The start of a line with the first tag of a game or of sheets without dice, except the first line of a text. */
const GAME_START = /(?<=\n)(?=[ \t]*\[(?:Variant|ScoreSheets)(?![A-Za-z0-9]))/;
const SHEETS_START = /^[ \t]*\[ScoreSheets(?![A-Za-z0-9])/m;

/** The games of a file, each from its first tag to that of the next; lines before the first one belong to the first game. */
export function splitGames(text: string): string[] {
  const [first = '', second, ...others] = text.split(GAME_START);
  if (second === undefined) return [first];
  const firstIsGame = GAME_START.test(`\n${first}`); // otherwise it holds only lines before the first game
  return firstIsGame ? [first, second, ...others] : [first + second, ...others];
}

/** The names of a game's players, separated by commas. */
export const playersText = (game: string): string => /^[ \t]*\[Players[ \t]+"(.*?)"/m.exec(game)?.[1]?.replaceAll(';', ',') ?? '';

/** Refuse sheets without dice, which are no game. */
export function checkIsGame(record: string): void {
  const sheets = SHEETS_START.exec(record);
  if (sheets) throw new ApiError('record', { line: record.slice(0, sheets.index).split('\n').length, error: 'no-dice' });
}
