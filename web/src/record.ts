/** A record file, as far as its games can be told apart without knowing them. */

const GAME = /(?<=\n)(?=[ \t]*\[Variant(?![A-Za-z0-9]))/;

/** Its games, each from a `Variant` line to the next; what stands before the first belongs to it. */
export function gamesOf(text: string): string[] {
  const [first = '', second, ...others] = text.split(GAME);
  if (second === undefined) return [first];
  return GAME.test(`\n${first}`) ? [first, second, ...others] : [first + second, ...others];
}

/** Who plays, as it is written. */
export const playersOf = (game: string): string => /^[ \t]*\[Players[ \t]+"(.*?)"/m.exec(game)?.[1]?.replaceAll(';', ',') ?? '';
