import { beforeEach, expect, test, vi } from 'vitest';

const BOTS = {
  bots: ['eager', 'greedy', 'mine'],
  only: { champion: { classic: [1, 2], cards: [2] } },
  levels: { eager: 1, greedy: 3, champion: 5 },
};

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal('fetch', () => Promise.resolve({ ok: true, json: () => Promise.resolve(BOTS) }));
});

test('a bot that can play keeps its seat', async () => {
  const { playableBot } = await import('./api.ts');
  expect(await playableBot('champion', 'classic', 2)).toBe('champion');
  expect(await playableBot('champion', 'cards+jokers', 2)).toBe('champion');
});

test('a bot that cannot play gives way to the one nearest in level', async () => {
  const { playableBot } = await import('./api.ts');
  expect(await playableBot('champion', 'longo', 2)).toBe('greedy');
  expect(await playableBot('champion', 'classic', 3)).toBe('greedy');
  expect(await playableBot('unknown', 'classic', 3)).toBe('mine');
});
