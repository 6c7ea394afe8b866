/** Entering real dice, which tables with rolled dice do not load. */
export { DiceEntry } from './entry.svelte.ts';
export { default as EntryTray } from './EntryTray.svelte';
export { default as EntryPad } from './EntryPad.svelte';
