import { beforeEach, expect, test, vi } from 'vitest';

const location = { pathname: '/games/rowlock/rules/classic', search: '', origin: 'http://localhost' };
let goBack: () => void;

beforeEach(() => {
  vi.resetModules();
  Object.assign(location, { pathname: '/games/rowlock/rules/classic', search: '' });
  const show = (_state: unknown, _title: string, url: string): void => {
    const { pathname, search } = new URL(url, 'http://localhost/games/rowlock/');
    Object.assign(location, { pathname, search });
  };
  vi.stubGlobal('document', { baseURI: 'http://localhost/games/rowlock/' });
  vi.stubGlobal('location', location);
  vi.stubGlobal('history', { pushState: show, replaceState: show });
  vi.stubGlobal('scrollTo', vi.fn());
  vi.stubGlobal('addEventListener', (_: string, listener: () => void) => (goBack = listener));
});

test('paths are relative to the base of the site', async () => {
  const { currentPath, navigate } = await import('./router.svelte.ts');
  expect(currentPath()).toBe('rules/classic');
  navigate('.');
  expect([currentPath(), location.pathname]).toEqual(['', '/games/rowlock/']);
});

test('the file of a page is the page', async () => {
  Object.assign(location, { pathname: '/games/rowlock/rules/index.html' });
  const { currentPath } = await import('./router.svelte.ts');
  expect(currentPath()).toBe('rules/');
});

test('the query is part of the address of a page', async () => {
  const { currentPath, currentQuery, navigate } = await import('./router.svelte.ts');
  navigate('new?game=longo');
  expect([currentPath(), currentQuery().get('game')]).toEqual(['new', 'longo']);
  navigate('new?game=mixx-a', true);
  expect(currentQuery().get('game')).toBe('mixx-a');
  Object.assign(location, { search: '?game=longo' });
  goBack();
  expect(currentQuery().get('game')).toBe('longo');
});

/** Click on a link; true if it is routed here, false if the browser opens it. */
async function isRouted(path: string): Promise<boolean> {
  const { handleLinkClick } = await import('./router.svelte.ts');
  const url = new URL(path, 'http://localhost/games/rowlock/');
  const link = { target: '', hasAttribute: () => false, origin: url.origin, pathname: url.pathname, href: url.href };
  const preventDefault = vi.fn();
  handleLinkClick({ button: 0, target: { closest: () => link }, preventDefault } as unknown as MouseEvent);
  return preventDefault.mock.calls.length > 0;
}

test('only links to pages of the site are routed', async () => {
  expect(await isRouted('rules')).toBe(true);
  expect(await isRouted('api/variants')).toBe(false);
  expect(await isRouted('/other-site/')).toBe(false);
  expect(await isRouted('http://elsewhere.test/games/rowlock/')).toBe(false);
});
