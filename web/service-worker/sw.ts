/** The service worker: keeps the files of the client on the device, so that it starts without a connection. */
import { clientsClaim } from 'workbox-core';
import { addRoute, cleanupOutdatedCaches, matchPrecache, precache } from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { CacheFirst } from 'workbox-strategies';
import { isPage } from '../src/pages.ts';

/** The files of the client with a hash of their content; null if it is in the name. Python writes this list as the first line of sw.js. */
interface ClientFiles {
  /** Fetched when this version is installed. */
  precached: Record<string, string | null>;
  /** Fetched when they are needed, and kept from then on: the weights of bots, with a hash in their names. */
  kept: string[];
}

declare const self: ServiceWorkerGlobalScope & { clientFiles: ClientFiles };

const { precached, kept } = self.clientFiles;
const SCOPE = new URL(self.registration.scope);
const KEPT_CACHE = `rowlock-kept-${SCOPE.href}`; // a host may have several sites
/** The address of the page, from which its file comes. */
const PAGE = '.';

precache(Object.entries(precached).map(([url, revision]) => ({ url, revision })));
cleanupOutdatedCaches();
clientsClaim(); // the first visit can already keep files

/** The path of a URL relative to the base of the site; null for other sites. */
const pathOf = ({ origin, pathname }: URL): string | null =>
  origin === SCOPE.origin && pathname.startsWith(SCOPE.pathname) ? pathname.slice(SCOPE.pathname.length) : null;

/** The page with the address of the site as its base: a file of a static site has a relative one, right for its own address only. */
async function page(): Promise<Response> {
  const found = await matchPrecache(PAGE);
  if (!found) return fetch(SCOPE);
  const text = (await found.text()).replace(/<base href="[^"]*"/, () => `<base href="${SCOPE.pathname}"`);
  const headers = new Headers(found.headers);
  for (const name of ['content-encoding', 'content-length']) headers.delete(name);
  return new Response(text, { headers });
}

registerRoute(({ request, url }) => request.mode === 'navigate' && isPage(pathOf(url) ?? 'elsewhere'), page);

const isKept = (url: URL): boolean => kept.includes(pathOf(url) ?? '');
registerRoute(({ url }) => isKept(url), new CacheFirst({ cacheName: KEPT_CACHE }));

addRoute({ directoryIndex: '', cleanURLs: false });

async function dropOutdated(): Promise<void> {
  const cache = await caches.open(KEPT_CACHE);
  for (const { url } of await cache.keys()) if (!isKept(new URL(url))) await cache.delete(url);
}
self.addEventListener('activate', (event) => event.waitUntil(dropOutdated()));

// A notification of a page: a tap on it shows the page.
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(self.clients.matchAll({ type: 'window' }).then(([page]) => page?.focus()));
});

// A new version waits until all pages of the old one are closed, or a page says so.
self.addEventListener('message', ({ data }) => {
  if (data === 'take-over') void self.skipWaiting();
});
