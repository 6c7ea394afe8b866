/** The result of a challenge as a text to share. */
import type { Sheet, VariantInfo } from '../protocol.ts';

// The signs have the shapes that the colours have on the sheet.
const MARKS: Record<string, string> = { R: '🔺', Y: '🟡', G: '🟩', B: '🔷' };
const [EMPTY, LOCK, MISTHROW] = ['⬜', '🔒', '❌'];

/** The marks of a sheet, a line per row, then the misthrows. */
export function marksText({ rows }: Pick<VariantInfo, 'rows'>, { cells, locks, misthrows }: Pick<Sheet, 'cells' | 'locks' | 'misthrows'>): string {
  const lines = rows.map(({ name, numbers, colours }) => {
    const signs = numbers.map((_, index) => (cells[name]?.[index] === 'marked' ? (MARKS[colours[index] ?? name] ?? '') : EMPTY));
    return signs.join('') + (locks.includes(name) ? LOCK : '');
  });
  return [...lines, ...(misthrows ? [MISTHROW.repeat(misthrows)] : [])].join('\n');
}
