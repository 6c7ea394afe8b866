/** Which component shows a page. Each is a file of its own, so that a visit loads only what its page needs. */
import type { Component } from 'svelte';
import { FIRST, hasLesson } from './learn/lessons.ts';
import NotFound from './pages/NotFound.svelte';
import { loadCoachMessages } from './i18n.svelte.ts';
import { localCode } from './pages.ts';
import { hasServer } from './server.ts';

/** Pages have different properties. */
type Page = Component<any>;
type Load = () => Promise<{ default: Page }>;

/** A page whose messages are not part of the first load. */
const withMessages = (load: Load): Load => async () => (await Promise.all([load(), loadCoachMessages()]))[0];

export const loadHome: Load = () => import('./pages/Home.svelte');
export const loadTable: Load = () => import('./pages/Table.svelte');
export const loadNewTable = withMessages(() => import('./pages/NewTable.svelte'));
export const loadReplay = withMessages(() => import('./pages/Replay.svelte'));
const loadRules: Load = () => import('./pages/Rules.svelte');
const loadLearn = withMessages(() => import('./pages/Learn.svelte'));
const loadSettings = withMessages(() => import('./pages/Settings.svelte'));
/** Pages of past games. */
const PLAYED: Record<string, Load> = {
  history: withMessages(() => import('./pages/History.svelte')),
  statistics: withMessages(() => import('./pages/Statistics.svelte')),
  challenge: withMessages(() => import('./pages/Challenge.svelte')),
};
const loadNotFound: Load = () => Promise.resolve({ default: NotFound as Page });

export interface Route {
  load: Load;
  props: Record<string, unknown>;
  /** Another key is another page, even if the same component shows it. */
  key: string;
}

/** A page that is loaded. */
export interface Shown extends Route {
  component: Page;
}

export async function loadPage(route: Route): Promise<Shown> {
  return { ...route, component: (await route.load()).default };
}

/** The page at a path, relative to the base of the site, with a query. */
export function routeOf(path: string, query: URLSearchParams): Route {
  const [load, props = {}, key = ''] = find(path, query);
  return { load, props, key: `${key}?${query}` };
}

function find(path: string, query: URLSearchParams): [Load, Record<string, unknown>?, string?] {
  const parts = decode(path);
  if (!parts) return [loadNotFound];
  const [page, name] = parts;
  const local = query.get('game');
  const code = (name ?? '').toUpperCase().replace(/[- ]/g, '');
  if (parts.length === 0) return [loadHome];
  if (parts.length === 1) {
    if (page === 'new') return [loadNewTable];
    if (page === 'settings') return [loadSettings];
    if (page === 'replay') return [loadReplay, { code: null }];
    if (page && Object.hasOwn(PLAYED, page)) return [PLAYED[page]!];
    if (page === 'local' && local) return [query.has('replay') ? loadReplay : loadTable, { code: localCode(local) }];
  }
  if (page === 't' && hasServer) {
    if (parts.length === 2) return [loadTable, { code }, code];
    if (parts.length === 3 && parts[2] === 'replay') return [loadReplay, { code }, code];
  }
  if (page === 'rules' && parts.length <= 2) return [loadRules, { id: name ?? null }];
  if (page === 'learn' && parts.length <= 2 && hasLesson(name ?? FIRST)) return [loadLearn, { id: name ?? FIRST }];
  return [loadNotFound];
}

/** The parts of a path; null if it is malformed. */
function decode(path: string): string[] | null {
  try {
    return path.split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    return null;
  }
}
