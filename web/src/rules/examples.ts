/** Example sheets for the rules pages. Their cell states are written here by hand; no rule is applied. */
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

/** Cell states from a pattern: in `-x--x` the second and fifth cells are marked, the others up to there lost, the rest open. */
const cellsOf = (row: RowInfo, pattern: string): Sheet['cells'][string] =>
  row.numbers.map((_, index) => STATES[(pattern[index] ?? '.') as keyof typeof STATES]);

export const blankSheet = ({ rows, fields, lucky }: VariantInfo): Sheet => ({
  ...EMPTY,
  cells: Object.fromEntries([...rows, ...fields].map((row) => [row.name, cellsOf(row, '')])),
  lucky: lucky[0] ?? null,
});

/** A sheet of one row, which is closed and locked if `locks` names it. */
export const oneRowSheet = (row: RowInfo, pattern: string, points = 0, locks: string[] = []): Sheet => ({
  ...EMPTY,
  cells: { [row.name]: cellsOf(row, pattern) },
  closed: locks,
  locks,
  points: { [row.name]: points },
});
