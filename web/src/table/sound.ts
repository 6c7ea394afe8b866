/** Synthesized clicks for dice and marks, played if sound is switched on in the settings. */
import { device } from '../storage.svelte.ts';

let context: AudioContext | null = null;

/** A click of a tenth of a second that fades out, `at` seconds from now, with a pitch in hertz. */
function click(at: number, pitch: number, volume: number): void {
  if (!context) return;
  const tone = context.createOscillator();
  const gain = context.createGain();
  tone.type = 'triangle';
  tone.frequency.value = pitch;
  gain.gain.setValueAtTime(volume, context.currentTime + at);
  gain.gain.exponentialRampToValueAtTime(0.0005, context.currentTime + at + 0.09);
  tone.connect(gain).connect(context.destination);
  tone.start(context.currentTime + at);
  tone.stop(context.currentTime + at + 0.1);
}

/** Start the audio output; false if sound is switched off. */
function prepareAudio(): boolean {
  if (!device.sound) return false;
  context ??= new AudioContext();
  void context.resume();
  return true;
}

export function playDiceSound(): void {
  if (prepareAudio()) for (let i = 0; i < 7; i++) click(i * 0.07 + Math.random() * 0.03, 300 + Math.random() * 500, 0.08);
}

export function playMarkSound(): void {
  if (prepareAudio()) click(0, 190, 0.2);
}
