/** Refusals in plain words. */
import { Refused } from './server.ts';
import { known, t, type Values } from './words.svelte.ts';

export function troubleText(code: string, values: Record<string, unknown> = {}): string {
  const id = `error.${code}`;
  const shown = Object.entries(values).map(([name, value]) => [name, typeof value === 'number' ? value : String(value)]);
  const filled = Object.fromEntries(shown) as Values;
  return known(id) ? t(id, filled) : t('error.other', { code });
}

export function troubleOf(error: unknown): string {
  if (error instanceof Refused) return troubleText(error.code, error.values);
  throw error;
}
