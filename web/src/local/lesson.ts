/** A lesson on this device: a table at one of its steps, which follows from the lesson's data and the learner's choices. */
import type { LocalVariant } from '../protocol.ts';
import type { Kernel } from './kernel.ts';
import { readRecord } from './record.ts';
import { LocalTable } from './table.ts';

export interface Step {
  /** The ids of messages: what the coach says, and what the coach says if another legal option is chosen. */
  text: string;
  hint?: string;
  /** What the coach speaks of, which is framed: the sheet, the points scale, or the locks. */
  show?: 'sheet' | 'scale' | 'lock';
  /** The options that move on; without them the learner reads on. */
  moves?: string[];
  /** The turns of a record up to the position of this step; without them the game goes on. */
  record?: string[];
  /** The dice of the turn that begins with this step. */
  roll?: string;
  /** The decisions of the other player in this step, in their order. */
  bot?: string[];
}
export interface Lesson {
  variant: string;
  /** Further tags of the record. */
  tags?: Record<string, string>;
  steps: Step[];
}

/** Where a learner is: at a step, with the options chosen so far. */
export interface LessonProgress {
  step: number;
  choices: string[];
}

/** The seats of the learner, who begins, and of the other player. */
const LEARNER = 0;
const BOT = 'random';
const CODE = 'lesson';

/** The table of a lesson at one of its steps. */
export async function lessonTable(lesson: Lesson, { step, choices }: LessonProgress, name: string, kernel: Kernel, variant: LocalVariant): Promise<LocalTable> {
  const table = new LocalTable(CODE, kernel, variant);
  table.apply({ kind: 'created', variant: variant.info.id, seats: [{}, { bot: BOT }], version: 2 }, 0);
  table.apply({ kind: 'seated', seat: LEARNER, name, secret_hash: '' }, 0);
  const left = [...choices];
  for (const [index, one] of lesson.steps.slice(0, step + 1).entries()) {
    if (one.record) table.game = await readRecord(recordOf(lesson, one.record), kernel, () => Promise.resolve(variant));
    const game = table.game!;
    if (one.roll !== undefined) game.chance(one.roll);
    if (index === step || !one.moves) continue;
    game.play(LEARNER, left.shift()!);
    for (const option of one.bot ?? []) game.play(1, option);
  }
  return table;
}

/** The record of a lesson up to a position. */
function recordOf({ variant, tags }: Lesson, turns: string[]): string {
  const lines = Object.entries({ Variant: variant, Players: `You; ${BOT}`, ...tags }).map(([tag, value]) => `[${tag} "${value}"]`);
  return [...lines, '', ...turns, ''].join('\n');
}
