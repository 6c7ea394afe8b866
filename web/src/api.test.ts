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

test('a bot that cannot play is replaced by the one nearest in level', async () => {
  const { playableBot } = await import('./api.ts');
  expect(await playableBot('champion', 'longo', 2)).toBe('greedy');
  expect(await playableBot('champion', 'classic', 3)).toBe('greedy');
  expect(await playableBot('unknown', 'classic', 3)).toBe('mine');
});

const REFUSED = { ok: false, json: () => Promise.resolve({ code: 'invite', values: {} }) };
const sentHeaders: (string | undefined)[] = [];

/** `fetchReplay` with a server that accepts only this `Authorization` header. */
async function fetchReplayAccepting(valid: string | undefined) {
  sentHeaders.length = 0;
  vi.stubGlobal('fetch', (_: string, { headers: sent }: { headers?: { Authorization: string } } = {}) => {
    sentHeaders.push(sent?.Authorization);
    return Promise.resolve(sent?.Authorization === valid ? { ok: true, json: () => Promise.resolve({ positions: [] }) } : REFUSED);
  });
  return (await import('./api.ts')).fetchReplay;
}

test('a replay is requested with the secret of a seat', async () => {
  const fetchReplay = await fetchReplayAccepting('Bearer seat');
  expect(await fetchReplay('ABC234', ['seat', 'invite'])).toEqual({ positions: [] });
  expect(sentHeaders).toEqual(['Bearer seat']);
});

test('it is requested with the invite secret where that of the seat is refused', async () => {
  const fetchReplay = await fetchReplayAccepting('Bearer invite');
  expect(await fetchReplay('ABC234', ['moved', 'invite'])).toEqual({ positions: [] });
  expect(sentHeaders).toEqual(['Bearer moved', 'Bearer invite']);
});

test('without a secret it is refused', async () => {
  const fetchReplay = await fetchReplayAccepting('Bearer invite');
  await expect(fetchReplay('ABC234', [])).rejects.toMatchObject({ code: 'invite' });
  expect(sentHeaders).toEqual([undefined]);
});

/** Answer requests by their path; there is no answer to others. */
function answer(answers: Record<string, unknown>): string[] {
  const paths: string[] = [];
  vi.stubGlobal('fetch', (path: string) => {
    paths.push(path);
    return path in answers ? Promise.resolve({ ok: true, json: () => Promise.resolve(answers[path]) }) : Promise.reject(new TypeError());
  });
  return paths;
}

test('without an answer of the server the games are those that need none', async () => {
  const { bestBot, fetchVariants } = await import('./api.ts');
  answer({ 'local/games.json': { variants: [{ id: 'longo' }], bots: { ...BOTS, only: {} } } });
  expect(await fetchVariants()).toEqual([{ id: 'longo' }]);
  expect(await bestBot('classic', 2)).toBe('greedy');
  const paths = answer({ 'api/variants': { variants: [{ id: 'classic' }] }, 'api/bots': BOTS });
  expect(await fetchVariants()).toEqual([{ id: 'classic' }]);
  expect(await bestBot('classic', 2)).toBe('champion');
  await fetchVariants();
  expect(paths).toEqual(['api/variants', 'api/bots']); // now they are cached
});

test('a site without a server asks none', async () => {
  vi.stubGlobal('document', { querySelector: () => ({}) });
  const { fetchVariants } = await import('./api.ts');
  const paths = answer({ 'local/games.json': { variants: [{ id: 'longo' }] } });
  expect(await fetchVariants()).toEqual([{ id: 'longo' }]);
  await fetchVariants();
  expect(paths).toEqual(['local/games.json']);
  vi.unstubAllGlobals();
});
