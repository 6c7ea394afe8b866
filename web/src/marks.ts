/** Marks and options, parsed and grouped for display. What is legal is not decided here. */
import type { Choice, RowInfo, Turn, VariantInfo } from './protocol.ts';

export interface Mark {
  row: string;
  number: number;
}

/** `RY5` is number 5 of the fields RY. */
export function parseMark(text: string): Mark {
  const row = /^[A-Z]+/.exec(text)?.[0] ?? '';
  return { row, number: Number(text.slice(row.length)) };
}

/** How many cells of a row come before its closing cells. */
export const beforeClosing = ({ closing }: Pick<VariantInfo, 'closing'>, { numbers }: Pick<RowInfo, 'numbers'>): number => numbers.length - closing;

/** The cells and boxes that an option marks: `R5*` is the second box of R5. */
export const markNames = ({ marks, second }: Choice): string[] => (second ? marks.map((one) => `${one}*`) : marks);

/** The marks and the swap fields that were revealed last, by seat. */
export function latestMarks(log: Turn[], seats: number): Set<string>[] {
  const { active, white, colour, played } = log.findLast((one) => one.white) ?? {};
  return Array.from({ length: seats }, (_, seat) => {
    const decisions = [white?.[seat], seat === active ? (colour ?? played) : null];
    return new Set(decisions.flatMap((choice) => (choice ? [...markNames(choice), choice.swap ?? ''] : [])));
  });
}

/**
 * Options that use this swap field, or none, by the first cell or box they mark.
 * Several options for one cell differ in the bonus marks that follow.
 */
export function optionsByCell(options: Choice[], swap: string | null = null): Map<string, Choice[]> {
  const groups = new Map<string, Choice[]>();
  for (const one of options) {
    const cell = markNames(one)[0];
    if (cell !== undefined && (one.swap ?? null) === swap) groups.set(cell, [...(groups.get(cell) ?? []), one]);
  }
  return groups;
}

/** The cells, second boxes (`R5*`) and swap fields (`8/5`) that can be tapped when this swap field was tapped, or none. */
export const tappableSpots = (options: Choice[], swap: string | null): Set<string> =>
  new Set([...optionsByCell(options, swap).keys(), ...options.flatMap((one) => one.swap ?? [])]);

/** The option that marks nothing: a pass or a misthrow. */
export const passOption = (options: Choice[]): Choice | undefined => options.find((one) => one.marks.length === 0);
