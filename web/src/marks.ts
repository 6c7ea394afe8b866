/** Marks and options, sorted to be drawn and told; what is legal is not decided here. */
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

/** The marks that were revealed last, by seat. */
export function latestMarks(log: Turn[], seats: number): Set<string>[] {
  const { active, white, colour, played } = log.findLast((one) => one.white) ?? {};
  return Array.from({ length: seats }, (_, seat) => {
    const decisions = [white?.[seat], seat === active ? (colour ?? played) : null];
    return new Set(decisions.flatMap((choice) => choice?.marks ?? []));
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
