import './styles/tokens.css';
import './styles/base.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { device } from './storage.svelte.ts';
import { setLanguage } from './i18n.svelte.ts';

document.documentElement.dataset.theme = device.theme;
await setLanguage(device.language);
mount(App, { target: document.body });
