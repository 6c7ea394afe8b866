/**
 * Walks through lessons, with every choice that moves on: node web/lessons.ts MODULE VARIANTS LESSON...
 *
 * MODULE is rowlock.wasm, VARIANTS a folder with the data of the games. A line is printed for each lesson; the first problem ends it.
 */
import { readFileSync } from 'node:fs';
import { lessonTable, type Lesson, type LessonProgress } from './src/local/lesson.ts';
import { Kernel } from './src/local/kernel.ts';
import type { LocalVariant, View } from './src/protocol.ts';

const [module = '', variants = '', ...files] = process.argv.slice(2);
const kernel = await Kernel.load(readFileSync(module));

/** Visit a step and all that follow it; return how many ways lead to the end. */
async function walk(lesson: Lesson, variant: LocalVariant, progress: LessonProgress): Promise<number> {
  const { step, choices } = progress;
  if (step === lesson.steps.length) return 1;
  const { moves, text } = lesson.steps[step]!;
  const view: View = (await lessonTable(lesson, progress, 'Anna', kernel, variant)).view(0);
  const place = `${lesson.variant}, ${text} after ${choices.join(' ')}`;
  if (!moves) return walk(lesson, variant, { step: step + 1, choices });
  const options = view.own[0]!.options.map(({ option }) => option);
  const legal = moves.filter((move) => options.includes(move));
  if (!legal.length) throw new Error(`${place}: ${moves.join(' ')} are none of ${options.join(' ')}`);
  const ways = await Promise.all(legal.map((move) => walk(lesson, variant, { step: step + 1, choices: [...choices, move] })));
  for (const move of legal) used.add(`${step} ${move}`);
  return ways.reduce((sum, one) => sum + one, 0);
}

let used = new Set<string>();
for (const file of files) {
  const lesson = JSON.parse(readFileSync(file, 'utf8')) as Lesson;
  const variant = JSON.parse(readFileSync(`${variants}/${lesson.variant}.json`, 'utf8')) as LocalVariant;
  used = new Set();
  const ways = await walk(lesson, variant, { step: 0, choices: [] });
  const unused = lesson.steps.flatMap(({ moves = [] }, step) => moves.map((move) => `${step} ${move}`)).filter((one) => !used.has(one));
  if (unused.length) throw new Error(`${lesson.variant}: never legal: ${unused.join(', ')}`);
  console.log(`${lesson.variant}: ${lesson.steps.length} steps, ${ways} ways`);
}
