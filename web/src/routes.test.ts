import { describe, expect, it, vi } from 'vitest';

vi.mock('./server.ts', () => ({ hasServer: true }));
vi.mock('./pages/NotFound.svelte', () => ({ default: 'not found' }));
const { loadHome, loadReplay, loadTable, routeOf } = await import('./routes.ts');

const route = (address: string): ReturnType<typeof routeOf> => {
  const [path = '', query = ''] = address.split('?');
  return routeOf(path, new URLSearchParams(query));
};

describe('routes', () => {
  it('finds the component of a page', () => {
    expect(route('').load).toBe(loadHome);
    expect(route('t/abc234')).toMatchObject({ load: loadTable, props: { code: 'ABC234' } });
    expect(route('t/abc-234')).toMatchObject({ load: loadTable, props: { code: 'ABC234' } });
    expect(route('local?game=7')).toMatchObject({ load: loadTable, props: { code: '@7' } });
    expect(route('local?game=7&replay')).toMatchObject({ load: loadReplay, props: { code: '@7' } });
    expect(route('t/ABC234/replay')).toMatchObject({ load: loadReplay, props: { code: 'ABC234' } });
  });

  it('knows pages that do not exist', async () => {
    for (const path of ['nothing', 't', 't/ABC234/else', 'local', 'learn/nothing', '%']) expect((await route(path).load()).default).toBe('not found');
  });

  it('gives another table and another query another key', () => {
    const keys = ['t/ABC234', 't/XYZ789', 'local?game=1', 'local?game=2', 'new', 'new?game=longo'].map((address) => route(address).key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(route('rules').key).toBe(route('rules/classic').key); // one component shows both
  });
});
