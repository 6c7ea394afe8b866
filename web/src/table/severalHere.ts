/** What only a device of several people needs. */
export { default as Handover } from './Handover.svelte';
export { default as LocalSeats } from './LocalSeats.svelte';
