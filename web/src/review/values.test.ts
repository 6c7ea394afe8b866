import { beforeAll, expect, test, vi } from 'vitest';
import type { Consequence } from '../local/kernel.ts';
import type { DecisionEvent } from '../local/review.ts';
import { luckText, reasonsText, reasonTexts } from './values.ts';

// Without a catalogue a message is its id.
beforeAll(() => void vi.stubGlobal('navigator', { languages: ['en-GB'] }));

test('a reason is what sets an option apart from the other one', () => {
  const consequences = { R5: [['skips', 3, 0], ['waits', 0, 0]], Y5: [['skips', 1, 0], ['waits', 0, 0]] };
  const decision = { consequences } as unknown as DecisionEvent;
  expect(reasonsText(decision, 'R5')).toBe('consequence.skips');
  expect(reasonsText({ consequences: { ...consequences, R5: consequences.Y5 } } as unknown as DecisionEvent, 'R5')).toBe('');
  expect(reasonsText(decision, 'B5')).toBe('');
});

test('an option of a hint always has a reason', () => {
  const common: Consequence = ['ends-equal', 0, 0];
  expect(reasonTexts([[['no-misthrow', 5, 0], common], [common]])).toEqual(['consequence.no-misthrow', 'consequence.ends-equal']);
});

test.each([
  [0.02, 'review.luck-lucky'],
  [-0.02, 'review.luck-unlucky'],
  [0.0004, 'review.luck-even'],
])('luck of %f has a word', (luck, word) => {
  expect(luckText(luck, false)).toBe(word);
});
