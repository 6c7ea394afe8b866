import { expect, test } from 'vitest';
import type { Sheet } from '../protocol.ts';
import { marksText } from './challengeText.ts';

const numbers = [2, 3, 4];
const rows = [
  { name: 'R', numbers, colours: 'RRR' },
  { name: 'Y', numbers, colours: 'YGB' },
];

test('marks have the colour and the shape of their cells', () => {
  const cells = { R: ['marked', 'lost', 'marked'], Y: ['marked', 'marked', 'marked'] } satisfies Sheet['cells'];
  expect(marksText({ rows }, { cells, locks: ['R'], misthrows: 2 })).toBe('🔺⬜🔺🔒\n🟡🟩🔷\n❌❌');
});

test('without misthrows there is no line for them', () => {
  const cells = { R: ['open', 'open', 'open'], Y: ['open', 'open', 'closed'] } satisfies Sheet['cells'];
  expect(marksText({ rows }, { cells, locks: [], misthrows: 0 })).toBe('⬜⬜⬜\n⬜⬜⬜');
});
