/** The lines of a sheet from top to bottom, and which of their cells are drawn as joined. */
import type { RowInfo, Sheet, VariantInfo } from '../protocol.ts';

/** A row, or the bonus fields between two rows. */
export interface Line {
  row: RowInfo;
  field: boolean;
}

/** Each row with the bonus fields below it. */
export const linesOf = ({ rows, fields }: Pick<VariantInfo, 'rows' | 'fields'>): Line[] =>
  rows.flatMap((row) => [{ row, field: false }, ...fields.filter(({ name }) => name[0] === row.name).map((one) => ({ row: one, field: true }))]);

/** The cells that are joined with the cell below, where a link between them can be drawn: in short rows of the same length. */
export const linkedCells = (lines: Line[], { joined }: Pick<Sheet, 'joined'>): Set<string> =>
  new Set(
    lines.flatMap(({ row }, line) => {
      const below = lines[line + 1]?.row;
      if (!below || row.numbers.length > 12 || row.numbers.length !== below.numbers.length) return [];
      const pairs = row.numbers.map((number, index) => [`${row.name}${number}`, `${below.name}${below.numbers[index]}`] as const);
      return pairs.flatMap(([cell, other]) => (joined.some((one) => one.includes(cell) && one.includes(other)) ? [cell] : []));
    }),
  );

/** The signs of the cells with a bonus. */
export const bonusSigns = ({ bar_boxes, pairs }: VariantInfo): Map<string, string> =>
  new Map([{ boxes: bar_boxes, name: 'bar' }, ...pairs].flatMap(({ boxes, name }) => boxes.map((box): [string, string] => [box, name])));
