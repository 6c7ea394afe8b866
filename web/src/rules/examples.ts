/** Sheets that the rules show as examples. They are drawn by hand here: no rule says what becomes of a cell. */
import type { RowInfo, Sheet, VariantInfo } from '../protocol.ts';

const STATES = { x: 'marked', '-': 'lost', '.': 'open' } as const;

const EMPTY: Sheet = {
  rows: {},
  fields: {},
  cells: {},
  closed: [],
  locks: [],
  misthrows: 0,
  points: {},
  total: 0,
  lucky: null,
  bar_used: 0,
  bar: [],
  pairs: [],
  pair_boxes: [],
};

/** `-x--x` is a row whose second and fifth cells are marked, with what lies left of them lost and all others open. */
const cellsOf = (row: RowInfo, picture: string): Sheet['cells'][string] =>
  row.numbers.map((_, index) => STATES[(picture[index] ?? '.') as keyof typeof STATES]);

export const blankSheet = ({ rows, fields, lucky }: VariantInfo): Sheet => ({
  ...EMPTY,
  cells: Object.fromEntries([...rows, ...fields].map((row) => [row.name, cellsOf(row, '')])),
  lucky: lucky[0] ?? null,
});

/** A sheet of one row, closed and locked or not. */
export const oneRowSheet = (row: RowInfo, picture: string, points = 0, locks: string[] = []): Sheet => ({
  ...EMPTY,
  cells: { [row.name]: cellsOf(row, picture) },
  closed: locks,
  locks,
  points: { [row.name]: points },
});
