/** Refusals in plain words. */
import { Refused } from './api.ts';
import { known, t, type Values } from './i18n.svelte.ts';

export function troubleText(code: string, values: Record<string, unknown> = {}): string {
  if (code === 'record') return recordText(values);
  const id = `error.${code}`;
  const shown = Object.entries(values).map(([name, value]) => [name, typeof value === 'number' ? value : String(value)]);
  const filled = Object.fromEntries(shown) as Values;
  return known(id) ? t(id, filled) : t('error.other', { code });
}

/** Which line of a record is wrong, and which rule of the format or of the game it breaks. */
function recordText({ line, error }: Record<string, unknown>): string {
  const id = `record.${String(error)}`;
  if (!line || !known(id)) return t('record.none');
  return t('error.record', { line: Number(line), what: t(id) });
}

export function troubleOf(error: unknown): string {
  if (error instanceof Refused) return troubleText(error.code, error.values);
  throw error;
}
