import { expect, test } from 'vitest';
import { isPage, setUpPath } from './pages.ts';
import type { View } from './protocol.ts';

test('pages have these addresses', () => {
  const paths = ['', 'new', 'local', 'replay', 'settings', 'history', 'statistics', 'challenge', 'rules', 'rules/', 'rules/cards+jokers', 'rules/classic/', 'learn', 'learn/cards', 't/ABC234', 't/ABC234/replay'];
  expect(paths.filter((path) => !isPage(path))).toEqual([]);
});

test('requests, files and other sites are no pages', () => {
  const paths = ['api/bots', 'api', 'openapi.json', 'health', 'sw.js', 'assets/index.js', 'local/rowlock.wasm', 'rules/classic/more', 'learn/cards/more', 't', 'elsewhere'];
  expect(paths.filter(isPage)).toEqual([]);
});

test('the set-up of another table has the same choices, and a seat that is free', () => {
  const seats = [{ bot: 'rush', name: 'rush', sheet: 'B' }, ...['Anna', 'Ben & Co', 'Chloe', 'Dan'].map((name) => ({ bot: null, name, sheet: null }))];
  const view = { variant: 'cards+jokers', seats, pause: 2, dice: 'rolled' } as unknown as View;
  expect(setUpPath(view, 5)).toBe('new?game=cards%2Bjokers&name=Anna&name=Ben+%26+Co&name=Chloe&name=Dan&sheets=%2C%2C%2C&pause=2&link=');
  expect(setUpPath({ ...view, seats: view.seats.slice(0, 2) }, 5)).toBe('new?game=cards%2Bjokers&name=Anna&bot=rush&sheets=%2CB&pause=2&link=');
});
