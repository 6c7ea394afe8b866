import { expect, test } from 'vitest';
import { isPage } from './pages.ts';

test('pages have these addresses', () => {
  const paths = ['', 'new', 'local', 'replay', 'settings', 'rules', 'rules/', 'rules/cards+jokers', 'rules/classic/', 't/ABC234', 't/ABC234/replay'];
  expect(paths.filter((path) => !isPage(path))).toEqual([]);
});

test('requests, files and other sites are no pages', () => {
  const paths = ['api/bots', 'api', 'openapi.json', 'health', 'sw.js', 'assets/index.js', 'local/rowlock.wasm', 'rules/classic/more', 't', 'elsewhere'];
  expect(paths.filter(isPage)).toEqual([]);
});
