import { expect, test } from 'vitest';
import { gameFragment, sharedGame } from './sharedRecord.ts';

const RECORD = '[Variant "classic"]\n[Players "Jörg; Zoë"]\n\n' + Array.from({ length: 30 }, (_, turn) => `${turn + 1}. 23-4516 R5 - / B9\n`).join('');

test('a link carries the record', async () => {
  const fragment = await gameFragment({ record: RECORD, file: null });
  expect(fragment).toMatch(/^#game=[\w-]+$/);
  expect(fragment.length).toBeLessThan(RECORD.length / 2);
  expect(await sharedGame(fragment)).toEqual({ record: RECORD, file: null });
});

test('of an own variant also its file', async () => {
  const game = { record: RECORD, file: 'name = "Kürzer"\n' };
  const fragment = await gameFragment(game);
  expect(fragment).toMatch(/^#game=[\w-]+\.[\w-]+$/);
  expect(await sharedGame(fragment)).toEqual(game);
});

test('other fragments are no game', async () => {
  expect(await sharedGame('')).toBeNull();
  expect(await sharedGame('#secretofaninvitelink')).toBeNull();
});

test.each([
  ['cut off', async () => (await gameFragment({ record: RECORD, file: null })).slice(0, -20)],
  ['cut off in the file', async () => (await gameFragment({ record: RECORD, file: RECORD })).slice(0, -20)],
  ['not from here', () => '#game=hello!'],
  ['of too many parts', () => '#game=a.b.c'],
  ['empty', () => '#game='],
  ['too long', () => `#game=${'A'.repeat(20_001)}`],
  ['one that grows too much', () => gameFragment({ record: 'x'.repeat(200_000), file: null })],
])('a link that is %s', async (_, fragment) => {
  await expect(sharedGame(await fragment())).rejects.toMatchObject({ code: 'link' });
});
