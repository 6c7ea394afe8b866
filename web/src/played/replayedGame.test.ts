import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../apiError.ts';
import type { LocalVariant, Replay, VariantInfo } from '../protocol.ts';
import { ReplayedGame } from './replayedGame.svelte.ts';

const INFO = { id: 'classic' } as VariantInfo;
const OWN = { info: { id: 'mine' } } as LocalVariant;
const replayOf = (name: string): Replay => ({ variant: 'classic', players: [name] }) as unknown as Replay;
const FIRST = '[Variant "classic"]\n[Players "Anna"]\n1. 41-3256\n';
const SECOND = '[Variant "classic"]\n[Players "Ben"]\n1. 99-9999\n';

const asked = vi.hoisted(() => ({ replayRecord: vi.fn(), readLocalRecord: vi.fn(), fetchReplay: vi.fn(), sharedGame: vi.fn(), playedGames: vi.fn() }));
vi.mock('../api.ts', async () => ({
  ApiError: (await import('../apiError.ts')).ApiError,
  addVariant: () => Promise.resolve({ id: 'mine' }),
  chosenVariant: () => OWN,
  fetchVariant: () => Promise.resolve(INFO),
  fetchTableVariant: () => Promise.resolve(INFO),
  fetchReplay: asked.fetchReplay,
  replayRecord: asked.replayRecord,
}));
vi.mock('../errors.ts', () => ({ describeError: (error: ApiError) => `${error.code} ${error.values['line'] ?? ''}`.trim() }));
vi.mock('../local/client.svelte.ts', () => ({ canPlayHere: true, playedGames: asked.playedGames, readLocalRecord: asked.readLocalRecord }));
vi.mock('../storage.svelte.ts', () => ({ device: { secrets: () => ['own'] } }));
vi.mock('./sharedRecord.ts', () => ({ sharedGame: asked.sharedGame }));

beforeEach(() => {
  vi.resetAllMocks();
  vi.stubGlobal('location', { hash: '' });
  for (const read of [asked.replayRecord, asked.readLocalRecord]) {
    read.mockImplementation((record: string) => Promise.resolve({ games: [replayOf(/Players "(.*)"/.exec(record)![1]!)] }));
  }
  asked.sharedGame.mockResolvedValue(null);
});

test('of a file with several games one is sent at a time', async () => {
  const shown = new ReplayedGame(null, null);
  await shown.open();
  expect([shown.replay, shown.records]).toEqual([null, []]);
  await shown.openFiles([new File([FIRST + SECOND], 'game.rlk')]);
  expect([shown.records.length, shown.replay!.players, asked.replayRecord.mock.calls]).toEqual([2, ['Anna'], [[FIRST, null]]]);
  await shown.select(1);
  expect([shown.replay!.players, shown.record]).toEqual([['Ben'], SECOND]);
});

test('the later of two requests wins', async () => {
  const shown = new ReplayedGame(null, null);
  await shown.openFiles([new File([FIRST + SECOND], 'game.rlk')]);
  let answer = (_: object): void => undefined;
  asked.replayRecord.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
  const slow = shown.select(1);
  await shown.select(0);
  answer({ games: [replayOf('Ben')] });
  await slow;
  expect(shown.replay!.players).toEqual(['Anna']);
});

test('an error names the line of the file', async () => {
  const shown = new ReplayedGame(null, null);
  await shown.openFiles([new File([FIRST + SECOND], 'game.rlk')]);
  asked.replayRecord.mockRejectedValueOnce(new ApiError('record', { line: 3 }));
  await shown.select(1);
  expect([shown.replay, shown.errorMessage, shown.wrongLine]).toEqual([null, 'record 6', '1. 99-9999']);
  await shown.select(0);
  expect([shown.errorMessage, shown.wrongLine]).toEqual(['', '']);
});

test('a game is read with the file of its variant', async () => {
  const shown = new ReplayedGame(null, null);
  await shown.openFiles([new File([''], 'mine.toml'), new File([FIRST], 'game.rlk')]);
  expect(asked.replayRecord.mock.calls).toEqual([[FIRST, OWN]]);
  expect([shown.fileName, shown.variant]).toEqual(['game.rlk', OWN.info]);
});

test('games of the history and of the address stay on the device', async () => {
  asked.playedGames.mockResolvedValue({ games: [{ id: '7', record: FIRST, own: null, here: [0], players: [{ name: 'Anna' }] }] });
  const past = new ReplayedGame(null, '7');
  await past.open();
  expect([past.replay!.players, past.ownNames]).toEqual([['Anna'], ['Anna']]);
  asked.sharedGame.mockResolvedValue({ record: SECOND, file: null });
  const shared = new ReplayedGame(null, null);
  await shared.open();
  expect([shared.replay!.players, shared.shared]).toEqual([['Ben'], true]);
  expect([asked.readLocalRecord.mock.calls.length, asked.replayRecord.mock.calls.length]).toEqual([2, 0]);
});

test('a game that the history does not have is an error', async () => {
  asked.playedGames.mockResolvedValue({ games: [] });
  const shown = new ReplayedGame(null, '7');
  await shown.open();
  expect([shown.errorMessage, shown.replay]).toEqual(['no-game', null]);
});

test('the game of a table is asked for with the secrets of this device', async () => {
  asked.fetchReplay.mockResolvedValue(replayOf('Anna'));
  const shown = new ReplayedGame('ABC234', null);
  await shown.open();
  expect(asked.fetchReplay.mock.calls).toEqual([['ABC234', ['own']]]);
  expect([shown.replay!.players, shown.variant, shown.record]).toEqual([['Anna'], INFO, '']);
});
