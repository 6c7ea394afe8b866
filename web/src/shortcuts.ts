/** Keyboard shortcuts of a single character. Buttons name their own in `aria-keyshortcuts`. */
import { device } from './storage.svelte.ts';

/** The value of `aria-keyshortcuts`; none if the shortcuts are switched off. */
export const shortcut = (key: string): string | undefined => (device.preferences.shortcuts ? key : undefined);

const TYPING = 'input:not([type="checkbox"], [type="radio"], [type="file"]), textarea, select, [contenteditable]';

/** The character that was pressed as a shortcut; null while somebody types, with a modifier, or under a dialog. */
export function pressedShortcut({ key, altKey, ctrlKey, metaKey, repeat, defaultPrevented, target }: KeyboardEvent): string | null {
  if (!device.preferences.shortcuts || key.length !== 1 || key === ' ' || altKey || ctrlKey || metaKey || repeat || defaultPrevented) return null;
  if ((target instanceof Element && target.closest(TYPING)) || document.querySelector('dialog[open]')) return null;
  return key.toLowerCase();
}

/** Press the button of a shortcut, if it is there. */
export const pressButton = (key: string): void => document.querySelector<HTMLElement>(`[aria-keyshortcuts="${CSS.escape(key)}"]:not([aria-disabled="true"], [hidden] *)`)?.click();
