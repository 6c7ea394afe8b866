/** Error messages in the chosen language. */
import { ApiError } from './api.ts';
import { capitalize, hasMessage, loadCoachMessages, t, type Values } from './i18n.svelte.ts';

/** The message for an error code of the protocol. */
export function describeCode(code: string, values: Record<string, unknown> = {}): string {
  if (code === 'record') return describeRecordError(values);
  const id = `error.${code}`;
  const texts = Object.entries(values).map(([name, value]) => [name, typeof value === 'number' ? value : String(value)]);
  if (!hasMessage(id)) void loadCoachMessages().catch(() => undefined); // rare ones are in the file of the coach
  return hasMessage(id) ? t(id, Object.fromEntries(texts) as Values) : t('error.other', { code });
}

/** Which line of a record is wrong, and which rule of the format or of the game it breaks. */
function describeRecordError({ line, error }: Record<string, unknown>): string {
  const id = `record.${String(error)}`;
  if (!line && error === 'no-dice') return `${capitalize(t(id))}.`;
  if (!line || !hasMessage(id)) return t('record.none');
  return t('error.record', { line: Number(line), what: t(id) });
}

/** The message for a failed request; any other error is a bug and is thrown again. */
export function describeError(error: unknown): string {
  if (error instanceof ApiError) return describeCode(error.code, error.values);
  throw error;
}
