import { beforeEach, expect, test, vi } from 'vitest';

let body: unknown;

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal('addEventListener', vi.fn());
  vi.stubGlobal('location', { pathname: '/', search: '', hash: '' });
  vi.stubGlobal('document', { baseURI: 'http://localhost/', querySelector: () => null });
  vi.stubGlobal('fetch', (_: string, options: RequestInit) => {
    body = JSON.parse(options.body as string);
    return Promise.resolve({ ok: true, json: () => Promise.resolve({ table: 'ABC234', seats: [{ seat: 0, name: 'Anna' }], seq: 2 }) });
  });
});

test('seats are requested with the invite secret, if there is one', async () => {
  const { device } = await import('./storage.svelte.ts');
  const { joinTable } = await import('./joining.ts');
  await joinTable('ABC234', ['Anna']);
  expect(body).toMatchObject({ people: [{ name: 'Anna', seat: null }], invite: null });
  device.saveTable('ABC234', { invite: 'link' });
  await joinTable('ABC234', ['Anna'], 1);
  expect(body).toMatchObject({ people: [{ name: 'Anna', seat: 1 }], invite: 'link' });
});
