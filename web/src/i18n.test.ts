import { expect, test, vi } from 'vitest';
import { formatPercent, locale } from './i18n.svelte.ts';

test.each([
  [['en-GB'], 'en-GB'],
  [['de-AT', 'en-AU', 'en-US'], 'en-AU'],
  [['fr-FR'], 'en'],
])('with the languages %s dates are written as in %s', (languages, expected) => {
  vi.stubGlobal('navigator', { languages });
  expect(locale()).toBe(expected);
  expect(formatPercent(0.42)).toBe('42%');
});
