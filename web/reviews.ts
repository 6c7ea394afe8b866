/**
 * Compares reviews and hints on the device with those of Python: node web/reviews.ts MODULE FOLDER
 *
 * FOLDER is made by tests/local_reviews.py. The first difference is printed, and the status is 1.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalVariant } from './src/protocol.ts';
import { Kernel } from './src/local/kernel.ts';
import { LIMITS, SOLO_LIMITS } from './src/local/layout.ts';
import { readRecord } from './src/local/record.ts';
import { hints, review, type Hint, type OptionValue, type Review } from './src/local/review.ts';

interface Case {
  variant: LocalVariant;
  record: string;
  reviews: Review[];
  hints: { player: number; hints: (Hint & { action: number })[] }[];
}

/** Sums are made in another order here and there. */
const TOLERANCE = 1e-4;
/** In a solo game values are points. */
const SOLO_TOLERANCE = 1e-2;

class Comparison {
  readonly #tolerance: number;
  readonly #limits: number[];

  constructor(players: number) {
    this.#tolerance = players === 1 ? SOLO_TOLERANCE : TOLERANCE;
    this.#limits = players === 1 ? SOLO_LIMITS : LIMITS;
  }

  /** Compare JSON values; numbers may differ by the tolerance, grades if the loss is that close to a limit. */
  compare(local: unknown, python: unknown, path: string): void {
    if (typeof local === 'number' && typeof python === 'number' && Math.abs(local - python) <= this.#tolerance) return;
    if (local && python && typeof local === 'object' && typeof python === 'object') {
      const [one, other] = [this.#comparable(local), this.#comparable(python)];
      for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) this.compare(one[key], other[key], `${path}.${key}`);
    } else if (local !== python) throw new Error(`${path}: local ${JSON.stringify(local)}, Python ${JSON.stringify(python)}`);
  }

  /** An object without what depends on values that are almost equal, and without what only the client has. */
  #comparable(object: object): Record<string, unknown> {
    const { choice: _, position: _position, action: _action, ...known } = object as Record<string, unknown>;
    const { consequences, ...decision } = known;
    const fields = 'loss' in known ? decision : { ...decision, ...(consequences ? { consequences } : {}) }; // hints have them in Python, too
    if (!('loss' in fields)) return fields;
    const { best, grade, rating: _rating, grades: _grades, options, ...others } = fields; // ratings and grades of a summary follow from the decisions
    if (!Array.isArray(options)) return others;
    const found = options as OptionValue[];
    const isClose = this.#limits.some((limit) => limit && Math.abs((fields['loss'] as number) - limit) <= this.#tolerance);
    const tied = found.length > 1 && found[0]!.value - found[1]!.value <= this.#tolerance;
    return { ...others, ...(isClose ? {} : { grade }), ...(tied ? {} : { best }), options: Object.fromEntries(found.map((one) => [one.option, one])) };
  }
}

const [module = '', folder = ''] = process.argv.slice(2);
const kernel = await Kernel.load(readFileSync(module));
for (const name of readdirSync(folder).filter((one) => one.endsWith('.json')).sort()) {
  const { variant, record, reviews, hints: hinted } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Case;
  const weights = new Uint16Array(new Uint8Array(readFileSync(join(folder, name.replace('.json', '.bin')))).buffer);
  const id = reviews[0]!.variant;
  const game = await readRecord(record, kernel, () => Promise.resolve({ ...variant, info: { ...variant.info, id } }));
  const comparison = new Comparison(game.setup.players.length);
  const title = `${id} for ${game.setup.players.length}`;
  const milliseconds: Record<string, number> = {};
  for (const expected of reviews) {
    const began = performance.now();
    comparison.compare(await review(game, expected.source, weights), expected, `${title}, ${expected.source}`);
    milliseconds[expected.source] = Math.round(performance.now() - began);
  }
  for (const { player, hints: expected } of hinted) {
    const began = performance.now();
    const found = hints(game, player, weights, expected.length);
    milliseconds['hint'] = Math.round(performance.now() - began);
    const byOption = (list: Hint[]): Record<string, Hint> => Object.fromEntries(list.map((one) => [one.option, one]));
    comparison.compare(byOption(found), byOption(expected), `${title}, hints`);
  }
  console.log(JSON.stringify({ title, events: reviews[0]!.events.length, milliseconds }));
}
