/** The sounds of a table, made of noise and tones. */
export type Sound = 'roll' | 'mark' | 'lock' | 'misthrow' | 'turn' | 'win' | 'end';

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;

/** A gain that begins at `volume` in `at` seconds and fades out. */
function fade(audio: AudioContext, at: number, length: number, volume: number): GainNode {
  const gain = audio.createGain();
  const start = audio.currentTime + at;
  gain.gain.setValueAtTime(volume, start);
  gain.gain.exponentialRampToValueAtTime(0.0005, start + length);
  gain.connect(audio.destination);
  return gain;
}

/** A tone in hertz that may slide to another one. */
function tone(audio: AudioContext, at: number, pitch: number, length: number, volume: number, { to = pitch, shape = 'triangle' as OscillatorType } = {}): void {
  const source = audio.createOscillator();
  const start = audio.currentTime + at;
  source.type = shape;
  source.frequency.setValueAtTime(pitch, start);
  source.frequency.exponentialRampToValueAtTime(to, start + length);
  source.connect(fade(audio, at, length, volume));
  source.start(start);
  source.stop(start + length);
}

/** Noise around a frequency: wood on felt, a pencil on paper. */
function rattle(audio: AudioContext, at: number, pitch: number, length: number, volume: number): void {
  if (!noise) {
    noise = audio.createBuffer(1, audio.sampleRate / 4, audio.sampleRate);
    noise.getChannelData(0).forEach((_, index, samples) => (samples[index] = 2 * Math.random() - 1));
  }
  const source = audio.createBufferSource();
  const band = audio.createBiquadFilter();
  band.type = 'bandpass';
  band.frequency.value = pitch;
  band.Q.value = 1.4;
  source.buffer = noise;
  source.connect(band).connect(fade(audio, at, length, volume));
  source.start(audio.currentTime + at);
  source.stop(audio.currentTime + at + length);
}

/** What is heard, with the number of steps of a chain. */
const SOUNDS: Record<Sound, (audio: AudioContext, steps: number) => void> = {
  // Dice hit the tray one after another and bounce once, as they are drawn.
  roll: (audio) => {
    for (let die = 0; die < 6; die++) {
      const at = 0.26 + die * 0.028 + Math.random() * 0.02;
      rattle(audio, at, 1300 + Math.random() * 900, 0.07, 0.5);
      rattle(audio, at + 0.2, 900 + Math.random() * 500, 0.06, 0.22);
    }
  },
  // Two strokes of a pencil, higher with every step.
  mark: (audio, steps) => {
    for (let step = 0; step < steps; step++) {
      const at = step * 0.11; // as they appear on the sheet
      rattle(audio, at, 2600 + 250 * step, 0.06, 0.35);
      rattle(audio, at + 0.07, 3100 + 250 * step, 0.07, 0.4);
      if (steps > 1) tone(audio, at, 440 * 1.122 ** step, 0.14, 0.05);
    }
  },
  lock: (audio) => {
    rattle(audio, 0, 700, 0.08, 0.6);
    tone(audio, 0, 150, 0.22, 0.3, { to: 70 });
    tone(audio, 0.09, 1250, 0.09, 0.06, { shape: 'square' });
  },
  misthrow: (audio) => {
    tone(audio, 0, 294, 0.18, 0.14, { to: 277 });
    tone(audio, 0.17, 208, 0.34, 0.16, { to: 185 });
  },
  turn: (audio) => {
    tone(audio, 0, 660, 0.16, 0.09, { shape: 'sine' });
    tone(audio, 0.12, 880, 0.26, 0.09, { shape: 'sine' });
  },
  win: (audio) => [523, 659, 784, 1047].forEach((pitch, index) => tone(audio, index * 0.12, pitch, index === 3 ? 0.6 : 0.22, 0.13)),
  end: (audio) => [523, 392].forEach((pitch, index) => tone(audio, index * 0.18, pitch, 0.4, 0.1)),
};

export function synthesize(sound: Sound, steps: number): void {
  context ??= new AudioContext();
  void context.resume();
  SOUNDS[sound](context, steps);
}
