/** How much height a sheet needs. */
import type { VariantInfo } from '../protocol.ts';

type Parts = Pick<VariantInfo, 'rows' | 'second' | 'fields' | 'bar' | 'pairs' | 'swaps' | 'cards'>;

const hasLongRows = ({ rows }: Parts): boolean => rows.some((row) => row.numbers.length > 12);

/** The height of a sheet in rows: bonus fields, bar, pairs, swap fields, steps and second boxes count as parts of a row. */
export const sheetRows = ({ rows, second, fields, bar, pairs, swaps }: Parts, steps: number): number =>
  rows.length * (second ? 1.25 : 1) + 0.8 * fields.length + (bar ? 0.7 : 0) + 0.5 * pairs.length + (swaps.length ? 0.8 : 0) + (steps ? 0.4 : 0);

/** Whether the sheets of the others are left out on a small phone: the own sheet needs the height. */
export const isTall = (variant: Parts, steps: number): boolean => sheetRows(variant, steps) > 4 || variant.cards !== null || hasLongRows(variant);

/** Whether even on a taller phone it needs the height of their pictures. */
export const isCrowded = (variant: Parts): boolean => variant.cards !== null || variant.fields.length > 0 || variant.pairs.length > 0 || hasLongRows(variant);
