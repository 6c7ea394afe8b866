import './styles/tokens.css';
import './styles/base.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { device } from './storage.svelte.ts';
import { speak } from './i18n.svelte.ts';

document.documentElement.dataset.theme = device.theme;
await speak(device.language);
mount(App, { target: document.body });
