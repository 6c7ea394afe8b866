import { beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => {
  vi.resetModules();
  const storage = new Map<string, string>();
  vi.stubGlobal('localStorage', { getItem: (key: string) => storage.get(key) ?? null, setItem: (key: string, value: string) => storage.set(key, value) });
  vi.stubGlobal('addEventListener', () => undefined);
});

const ANNA = { name: 'Anna', secret: 'a' };

test('preferences are kept, and new ones have their defaults', async () => {
  localStorage.setItem('rowlock.preferences', '{"oneTap": true}');
  const { device } = await import('./storage.svelte.ts');
  expect(device.preferences).toMatchObject({ oneTap: true, autoPass: false, handover: true, pace: 'normal' });
  device.prefer({ pace: 'quick' });
  expect(JSON.parse(localStorage.getItem('rowlock.preferences')!)).toMatchObject({ oneTap: true, pace: 'quick' });
});

test('a removed table keeps its secrets, and can be put back', async () => {
  const { device } = await import('./storage.svelte.ts');
  device.saveTable('ABC234', { places: [ANNA] });
  device.removeTable('ABC234');
  expect(device.tables).toEqual([]);
  expect(device.removedTables.map((one) => one.table)).toEqual(['ABC234']);
  expect(device.credentials('ABC234')).toEqual([ANNA]);
  device.restoreTable('ABC234');
  expect(device.tables.map((one) => one.table)).toEqual(['ABC234']);
  expect(device.removedTables).toEqual([]);
});

test('a removed table that is opened again is put back', async () => {
  const { device } = await import('./storage.svelte.ts');
  device.saveTable('ABC234', { places: [ANNA] });
  device.removeTable('ABC234');
  device.saveTable('ABC234', { over: false });
  expect(device.tables.map((one) => one.places)).toEqual([[ANNA]]);
});

test('only a deleted table is forgotten with its secrets', async () => {
  const { device } = await import('./storage.svelte.ts');
  device.saveTable('ABC234', { places: [ANNA] });
  device.deleteTable('ABC234');
  expect(device.savedTable('ABC234')).toBe(undefined);
});

test('the seats of tables that left the list are known, so that their people can be forgotten', async () => {
  const { device } = await import('./storage.svelte.ts');
  for (let count = 0; count < 120; count++) device.saveTable(`T${count}`, { places: [{ name: 'Anna', secret: `${count}` }], over: true });
  expect(device.tables).toHaveLength(12);
  expect(device.seats.map(({ secret }) => Number(secret))).toEqual(Array.from({ length: 112 }, (_, index) => 119 - index));
  expect(device.seats.at(-1)).toEqual({ table: 'T8', secret: '8' });
});

test('a table is seen with the secret of a seat, or with that of the link', async () => {
  const { device } = await import('./storage.svelte.ts');
  expect(device.secrets('ABC234')).toEqual([]);
  device.saveTable('ABC234', { invite: 'link' });
  expect(device.secrets('ABC234')).toEqual(['link']);
  device.saveTable('ABC234', { places: [ANNA] });
  expect(device.secrets('ABC234')).toEqual(['a', 'link']);
});

test('the newest event is kept; an answer names it without its hash', async () => {
  const { device } = await import('./storage.svelte.ts');
  device.saveSeq('ABC234', 2);
  expect(device.savedTable('ABC234')).toMatchObject({ seq: 2, hash: null });
  device.saveTable('ABC234', { seq: 5, hash: 'five' });
  device.saveSeq('ABC234', 3);
  expect(device.savedTable('ABC234')).toMatchObject({ seq: 5, hash: 'five' });
  device.saveSeq('ABC234', 6);
  expect(device.savedTable('ABC234')).toMatchObject({ seq: 6, hash: null });
});
