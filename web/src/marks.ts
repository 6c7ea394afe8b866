/** Marks and options, parsed and grouped for display. What is legal is not decided here. */
import type { Choice, Turn } from './protocol.ts';

export interface Mark {
  row: string;
  number: number;
}

/** `RY5` is number 5 of the fields RY. */
export function parseMark(text: string): Mark {
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

/** Options by the first cell they mark; several options for one cell differ in the bonus marks that follow. */
export function optionsByCell(options: Choice[]): Map<string, Choice[]> {
  const groups = new Map<string, Choice[]>();
  for (const one of options) {
    const cell = one.marks[0];
    if (cell !== undefined) groups.set(cell, [...(groups.get(cell) ?? []), one]);
  }
  return groups;
}

/** The option that marks nothing: a pass or a misthrow. */
export const passOption = (options: Choice[]): Choice | undefined => options.find((one) => one.marks.length === 0);
