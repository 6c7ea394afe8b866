/** What decided a game: where the winner was furthest ahead of the best of the others. */
import type { View } from '../protocol.ts';
import { colourName } from '../sheet/labels.ts';
import { n, t } from '../i18n.svelte.ts';

/** By how many points the only winner was ahead, and what made at least half of it; nothing for a shared win or a game alone. */
export function marginMessage({ position, result }: View): string {
  const sheets = position?.sheets ?? [];
  const [winner, another] = result?.winners ?? [];
  if (winner === undefined || another !== undefined || sheets.length < 2) return '';
  const own = sheets[winner]!;
  const other = sheets.filter((sheet) => sheet !== own).reduce((best, sheet) => (sheet.total > best.total ? sheet : best));
  const lead = (column: string): number => (own.points[column] ?? 0) - (other.points[column] ?? 0);
  const column = Object.keys(own.points).reduce((best, one) => (lead(one) > lead(best) ? one : best));
  const margin = own.total - other.total;
  const reason =
    2 * lead(column) < margin
      ? t('result.several')
      : column === 'misthrows'
      ? t('result.misthrows', { own: own.misthrows, other: other.misthrows })
      : t(column === 'bonus' ? 'result.bonus' : own.locks.includes(column) ? 'result.locked-row' : 'result.row', { row: colourName(column), own: own.points[column] ?? 0, other: other.points[column] ?? 0 });
  return n('result.by', margin, { reason });
}
