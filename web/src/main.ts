import './styles/tokens.css';
import './styles/base.css';
import { mount } from 'svelte';
import './install.svelte.ts'; // the browser's offer comes once, early
import App from './App.svelte';
import { device } from './storage.svelte.ts';
import { setLanguage } from './i18n.svelte.ts';
import { reloadWithoutChunk, startServiceWorker } from './serviceWorker.svelte.ts';

document.documentElement.dataset.theme = device.theme;
await setLanguage(device.language);
mount(App, { target: document.body });

addEventListener('vite:preloadError', reloadWithoutChunk);
if (import.meta.env.PROD) {
  // What the page needs comes first.
  if (document.readyState === 'complete') void startServiceWorker();
  else addEventListener('load', () => void startServiceWorker());
}
