/** Sounds and vibration of a table, if they are switched on. The sounds themselves are loaded when the first one is played. */
import { loadOptional } from '../preload.ts';
import { device } from '../storage.svelte.ts';
import type { Sound } from './synthesizer.ts';

/** Play a sound, as often as there are steps. */
export async function play(sound: Sound, steps = 1): Promise<void> {
  if (!device.sound) return;
  const loaded = await loadOptional(() => import('./synthesizer.ts'));
  loaded?.synthesize(sound, steps);
}

/** Switch the sound on or off; the tap lets the browser play it. */
export function toggleSound(): void {
  device.sound = !device.sound;
  void play('turn');
}

/** Vibrate for these milliseconds, where the device can and the person has touched the page before. */
export function vibrate(...pattern: number[]): void {
  if (device.preferences.vibration && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern);
}
