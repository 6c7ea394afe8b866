import { expect, test, vi } from 'vitest';
import type { Result, VariantInfo, View } from '../protocol.ts';
import { endReasonMessage, resultMessage } from './messages.ts';

vi.mock('../i18n.svelte.ts', () => ({
  t: (id: string, values: object = {}) => [id, ...Object.values(values)].join(' '),
  n: (id: string, count: number, values: object = {}) => [id, count, ...Object.values(values)].join(' '),
  hasMessage: () => true,
  formatList: (names: string[]) => names.join(' and '),
}));

const ended = (result: Partial<Result>, own: number[] = []): View => {
  const seats = ['Anna', 'Ben', 'Chloe'].map((name) => ({ name, kind: 'person' }));
  return { seats, own: own.map((seat) => ({ seat })), position: { active: 1, closed: ['R', 'B'] }, result: { scores: [], winners: [], ended_by: [], ...result } } as unknown as View;
};
const reason = (result: Partial<Result>, own: number[] = []): string => endReasonMessage(ended(result, own), { rows_to_end: 2 } as VariantInfo);

test('rows that are closed for everybody end a game', () => {
  expect(reason({ reason: 'rows' })).toBe('end.rows colour.R and colour.B');
});

test('with cards the players who closed enough rows end it', () => {
  expect(reason({ reason: 'rows', ended_by: [0, 2] })).toBe('end.rows-of 2 Anna and Chloe 2');
});

test('the last misthrow is attributed to the player who took it, not to the active one', () => {
  expect(reason({ reason: 'misthrows', ended_by: [2] })).toBe('end.misthrows Chloe');
  expect(reason({ reason: 'misthrows', ended_by: [2] }, [1])).toBe('end.misthrows Chloe');
  expect(reason({ reason: 'misthrows', ended_by: [2] }, [1, 2])).toBe('end.misthrows Chloe'); // several at one device have names
});

test('the only person at this device is addressed', () => {
  expect(reason({ reason: 'misthrows', ended_by: [2] }, [2])).toBe('result.you-misthrows 2');
  expect(reason({ reason: 'rows', ended_by: [0] }, [0])).toBe('result.you-rows 2');
  const shared = { ...ended({ winners: [0, 2], scores: [50, 20, 50] }, [2]) };
  expect(resultMessage(shared)).toBe('end.you-share 50 Anna');
});
