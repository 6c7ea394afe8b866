/** Marks as the record writes them, taken apart to be drawn and told; what is legal is not decided here. */
import type { Choice, Turn } from './protocol.ts';

export interface Mark {
  row: string;
  number: number;
}

/** `RY5` is number 5 of the fields RY. */
export function readMark(text: string): Mark {
  const row = /^[A-Z]+/.exec(text)?.[0] ?? '';
  return { row, number: Number(text.slice(row.length)) };
}

/**
 * An option of a log, taken apart as the server does it for one's own: `!R15#` is lucky, marks R15 and locks R;
 * `r3,r8 = R3` plays two cards and marks R3.
 */
export function readOption(option: string): Choice {
  const [played, made] = option.split(' = ');
  const text = made ?? option;
  const cards = made === undefined ? [] : played!.split(',');
  if (text === '-' || text === 'x') {
    return { option, marks: [], locks: [], lucky: false, misthrow: text === 'x', cards };
  }
  const lucky = text.startsWith('!');
  const parts = text.slice(lucky ? 1 : 0).split(/[+ ]/);
  return {
    option,
    marks: parts.map((part) => part.replace('#', '')),
    locks: parts.filter((part) => part.endsWith('#')).map((part) => part[0]!),
    lucky,
    misthrow: false,
    cards,
  };
}

/** The marks that were revealed last, by seat; seats are numbered in turn order. */
export function latestMarks(log: Turn[], seats: number): Set<string>[] {
  const turn = log.findLastIndex((one) => one.white !== null);
  const { white = null, colour = null, played = null } = log[turn] ?? {};
  return Array.from({ length: seats }, (_, seat) => {
    const decisions = [white?.[seat], turn % seats === seat ? (colour ?? played) : null];
    return new Set(decisions.flatMap((option) => (option ? readOption(option).marks : [])));
  });
}

/** The options by the cell that is tapped for them; several for one cell differ in what they set off. */
export function byCell(options: Choice[]): Map<string, Choice[]> {
  const found = new Map<string, Choice[]>();
  for (const one of options) {
    const cell = one.marks[0];
    if (cell !== undefined) found.set(cell, [...(found.get(cell) ?? []), one]);
  }
  return found;
}

/** What a player is left with who marks nothing. */
export const passing = (options: Choice[]): Choice | undefined => options.find((one) => one.marks.length === 0);

export interface Dice {
  white: [number, number];
  sum: number;
  coloured: Record<string, number | null>;
}

/** `41-32.6` as numbers; null is a die that has left the game. */
export function readDice(text: string): Dice {
  const face = (place: number): number | null => (text[place] === '.' ? null : Number(text[place]));
  const [a, b] = [face(0) ?? 0, face(1) ?? 0];
  return {
    white: [a, b],
    sum: a + b,
    coloured: { R: face(3), Y: face(4), G: face(5), B: face(6) },
  };
}
