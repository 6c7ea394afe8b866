import { expect, test, vi } from 'vitest';
import type { Result, VariantInfo, View } from '../protocol.ts';
import { endReasonMessage } from './messages.ts';

vi.mock('../i18n.svelte.ts', () => ({
  t: (id: string, values: object = {}) => [id, ...Object.values(values)].join(' '),
  n: (id: string) => id,
  hasMessage: () => true,
  formatList: (names: string[]) => names.join(' and '),
}));

const ended = (result: Partial<Result>): View => {
  const seats = ['Anna', 'Ben', 'Chloe'].map((name) => ({ name, kind: 'person' }));
  return { seats, position: { active: 1, closed: ['R', 'B'] }, result: { scores: [], winners: [], ended_by: [], ...result } } as unknown as View;
};
const reason = (result: Partial<Result>): string => endReasonMessage(ended(result), { rows_to_end: 2 } as VariantInfo);

test('rows that are closed for everybody end a game', () => {
  expect(reason({ reason: 'rows' })).toBe('end.rows colour.R and colour.B');
});

test('with cards the players who closed enough rows end it', () => {
  expect(reason({ reason: 'rows', ended_by: [0, 2] })).toBe('end.rows-of Anna and Chloe 2');
});

test('the last misthrow is attributed to the player who took it, not to the active one', () => {
  expect(reason({ reason: 'misthrows', ended_by: [2] })).toBe('end.misthrows Chloe');
});
