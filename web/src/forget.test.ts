import { beforeEach, expect, test, vi } from 'vitest';
import { localCode } from './pages.ts';

const store = new Map<string, string>();
const deleted: string[] = [];
let answers: Record<string, number>;

function use(tables: object[], asked: object[] = []): void {
  store.clear();
  store.set('rowlock.tables', JSON.stringify(tables));
  store.set('rowlock.asked', JSON.stringify(asked));
  store.set('rowlock.name', '"Anna"');
  store.set('other', 'not ours');
}

const table = (code: string, ...secrets: string[]): object => ({ table: code, variant: 'classic', players: [], places: secrets.map((secret) => ({ name: 'Anna', secret })), over: true, at: 0 });

const asked: string[] = [];

beforeEach(() => {
  vi.resetModules();
  asked.length = deleted.length = 0;
  answers = {};
  vi.stubGlobal('addEventListener', () => undefined);
  const storage = { getItem: (key: string) => store.get(key) ?? null, setItem: (key: string, text: string) => store.set(key, text), removeItem: (key: string) => store.delete(key) };
  vi.stubGlobal('localStorage', new Proxy(storage, { ownKeys: () => [...store.keys()], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }) }));
  vi.stubGlobal('indexedDB', {
    deleteDatabase(name: string) {
      deleted.push(name);
      const request: { onsuccess?: () => void } = {};
      queueMicrotask(() => request.onsuccess?.());
      return request;
    },
  });
  vi.stubGlobal('fetch', (path: string, { body }: { body: string }) => {
    asked.push(`${path} ${(JSON.parse(body) as { secret: string }).secret}`);
    const status = answers[path] ?? 200;
    const code = { 403: 'secret', 404: 'no-table', 429: 'too-fast', 503: 'storage' }[status];
    return Promise.resolve(new Response(JSON.stringify({ code, values: { seconds: 0.2 }, seq: 1 }), { status }));
  });
});

test('every seat is forgotten, also of removed tables and open requests, and games on the device are not asked for', async () => {
  use([table('ABC234', 'a', 'b'), { ...table('DEF567', 'c'), removed: true }, table(localCode('1'), 'x')], [{ table: 'GHI892', places: [{ name: 'Anna', secret: 'd' }], seat: null, handover: null }]);
  answers = { 'api/tables/DEF567/forget': 404, 'api/tables/GHI892/forget': 403 };
  const { forgetMe } = await import('./forget.ts');
  await forgetMe();
  expect(asked).toEqual(['api/tables/ABC234/forget a', 'api/tables/ABC234/forget b', 'api/tables/DEF567/forget c', 'api/tables/GHI892/forget d']);
  expect([...store.keys()]).toEqual(['other']);
  expect(deleted).toEqual(['rowlock', 'rowlock-shares']);
});

test('a server that gets many requests is asked again when it says', async () => {
  use([table('ABC234', 'a')]);
  answers = { 'api/tables/ABC234/forget': 429 };
  vi.stubGlobal('setTimeout', (next: () => void) => {
    answers = {};
    next();
  });
  const { forgetMe } = await import('./forget.ts');
  await forgetMe();
  expect(asked).toEqual(['api/tables/ABC234/forget a', 'api/tables/ABC234/forget a']);
  expect([...store.keys()]).toEqual(['other']);
});

test('nothing is deleted here while the server does not answer', async () => {
  use([table('ABC234', 'a')]);
  answers = { 'api/tables/ABC234/forget': 503 };
  const { forgetMe } = await import('./forget.ts');
  await expect(forgetMe()).rejects.toMatchObject({ code: 'storage' });
  expect(store.has('rowlock.tables')).toBe(true);
  expect(deleted).toEqual([]);
});
