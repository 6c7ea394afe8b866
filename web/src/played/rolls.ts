/** How often every face of every die, and every sum of the white dice, was rolled. */
import type { Turn, VariantInfo } from '../protocol.ts';

/** The rolls of a die, or the sums of both white dice: how often each number came, and its probability. */
export interface Rolls {
  /** `white` for both white dice, `sum` for their sums, else the letter of a colour. */
  die: string;
  total: number;
  numbers: { number: number; count: number; probability: number }[];
}

/** The rolls of all turns. Dice that have left the game are rolled no more. */
export function rollsOf(log: Turn[], { dice }: VariantInfo): Rolls[] {
  const rolled = log.flatMap((turn) => turn.dice ?? []);
  const [white, ...coloured] = Object.entries(dice);
  if (!white || !rolled.length) return [];
  const faces = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
  const counted = (die: string, values: number[], probabilities: Map<number, number>): Rolls => ({
    die,
    total: values.length,
    numbers: [...probabilities].map(([number, probability]) => ({ number, probability, count: values.filter((value) => value === number).length })),
  });
  const even = (count: number): Map<number, number> => new Map(faces(count).map((face) => [face, 1 / count]));
  const sums = new Map<number, number>();
  for (const one of faces(white[1])) for (const other of faces(white[1])) sums.set(one + other, (sums.get(one + other) ?? 0) + 1 / white[1] ** 2);
  return [
    counted('sum', rolled.map((roll) => roll.white[0] + roll.white[1]), sums),
    counted('white', rolled.flatMap((roll) => roll.white), even(white[1])),
    ...coloured.map(([die, count]) => counted(die, rolled.flatMap((roll) => roll.coloured[die] ?? []), even(count))),
  ];
}
