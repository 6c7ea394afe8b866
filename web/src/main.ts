import './styles/tokens.css';
import './styles/base.css';
import { mount } from 'svelte';
import './install.svelte.ts'; // the browser's offer comes once, early
// Home and tables need these: imported here they are in the file of the first load, and not in one more.
import './components/Question.svelte';
import './components/UpdateNotice.svelte';
import './errors.ts';
import './invite.ts';
import './joining.ts';
import './sheet/Thumbnail.svelte';
import './sheet/labels.ts';
import App from './App.svelte';
import { device } from './storage.svelte.ts';
import { setLanguage } from './i18n.svelte.ts';
import { isPreloading } from './preload.ts';
import { currentPath, currentQuery } from './router.svelte.ts';
import { loadPage, routeOf } from './routes.ts';
import { reloadWithoutChunk, startServiceWorker } from './serviceWorker.svelte.ts';

addEventListener('vite:preloadError', () => {
  // Without a connection, only the service worker could answer.
  if (!isPreloading() && (navigator.onLine || navigator.serviceWorker?.controller)) reloadWithoutChunk();
});
document.documentElement.dataset.theme = device.theme;
/** Show the first page; it and its messages are loaded at the same time. Without `await` at the top: pages import this file. */
async function start(): Promise<void> {
  const [, first] = await Promise.all([setLanguage(device.language), loadPage(routeOf(currentPath(), currentQuery())).catch(() => null)]);
  mount(App, { target: document.body, props: { first } });
}
void start();

if (import.meta.env.PROD) {
  // What the page needs comes first.
  if (document.readyState === 'complete') void startServiceWorker();
  else addEventListener('load', () => void startServiceWorker());
}
