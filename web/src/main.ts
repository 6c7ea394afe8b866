import './looks/tokens.css';
import './looks/base.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { device } from './device.svelte.ts';
import { speak } from './words.svelte.ts';

document.documentElement.dataset.theme = device.theme;
await speak(device.language);
mount(App, { target: document.body });
