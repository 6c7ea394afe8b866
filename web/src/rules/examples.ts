/** Example sheets for the rules pages. Their cell states are written here by hand; no rule is applied. */
import { beforeClosing } from '../marks.ts';
import type { RowInfo, Sheet, VariantInfo } from '../protocol.ts';

const STATES = { x: 'marked', '-': 'lost', '.': 'open' } as const;

const EMPTY: Sheet = {
  rows: {},
  fields: {},
  cells: {},
  closed: [],
  locks: [],
  to_lock: {},
  misthrows: 0,
  points: {},
  total: 0,
  lucky: null,
  bar_used: 0,
  bar: [],
  pairs: [],
  pair_boxes: [],
  letter: null,
  steps: [],
  joined: [],
  swaps: [],
  swap_states: [],
  second: {},
  second_states: {},
};

/** Cell states from a pattern: in `-x--x` the second and fifth cells are marked, the others up to there lost, the rest open. */
const cellsOf = (row: RowInfo, pattern: string): Sheet['cells'][string] =>
  row.numbers.map((_, index) => STATES[(pattern[index] ?? '.') as keyof typeof STATES]);

export const blankSheet = (variant: VariantInfo): Sheet => ({
  ...EMPTY,
  ...variant.sheets[0],
  second_states: variant.second ? Object.fromEntries(variant.rows.map((row) => [row.name, cellsOf(row, '').slice(0, beforeClosing(variant, row))])) : {},
  cells: Object.fromEntries([...variant.rows, ...variant.fields].map((row) => [row.name, cellsOf(row, '')])),
  lucky: variant.lucky[0] ?? null,
});

/** A sheet with these cells marked; cells left of the rightmost one in a row are lost. */
export function sheetWith(variant: VariantInfo, marks: string[]): Sheet {
  const rows = Object.fromEntries(variant.rows.map(({ name, numbers }) => [name, numbers.filter((number) => marks.includes(`${name}${number}`))]));
  const pattern = ({ name, numbers }: RowInfo): string => numbers.map((number) => (rows[name]!.includes(number) ? 'x' : '-')).join('').replace(/-+$/, '');
  return {
    ...blankSheet(variant),
    rows,
    cells: Object.fromEntries(variant.rows.map((row) => [row.name, cellsOf(row, pattern(row))])),
    points: Object.fromEntries(variant.rows.map(({ name }) => [name, variant.points[rows[name]!.length - 1] ?? 0])),
  };
}

/** A sheet of one row, which is closed and locked if `locks` names it. */
export const oneRowSheet = (row: RowInfo, pattern: string, points = 0, locks: string[] = []): Sheet => ({
  ...EMPTY,
  cells: { [row.name]: cellsOf(row, pattern) },
  closed: locks,
  locks,
  points: { [row.name]: points },
});
