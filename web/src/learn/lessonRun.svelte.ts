/** A lesson that is taken: the step, the view of its table, and the decisions of the learner. Kept on the device. */
import { lessonObstacle, lessonView } from '../local/client.svelte.ts';
import type { Lesson, LessonProgress, Step } from '../local/lesson.ts';
import type { Choice, View } from '../protocol.ts';
import { device } from '../storage.svelte.ts';
import type { PlaySubscription, ReportedObstacle } from '../table/subscription.svelte.ts';

/** What the coach says to another legal choice if the step has no answer of its own. */
export const OTHER = 'learn.try-other';
/** Instead of the hint of a step: it is about marks. */
const PASSED = 'learn.try-mark';
const BEGIN: LessonProgress = { step: 0, choices: [] };

export class LessonRun implements PlaySubscription {
  readonly lesson: Lesson;
  readonly player: string;
  progress = $state.raw<LessonProgress>(BEGIN);
  view = $state.raw<View | null>(null);
  /** What the coach says to another choice than the expected ones: the id of a message. */
  hint = $state('');
  obstacle = $state.raw<ReportedObstacle | null>(null);
  phaseNumber = $state(0);
  // A lesson has no connection, and nobody waits.
  readonly sent = new Map<number, Choice | null>();
  readonly online = true;
  readonly saved = true;
  readonly botWaits = false;
  readonly changed = false;
  readonly error = null;

  constructor(lesson: Lesson, player: string) {
    this.lesson = lesson;
    this.player = player;
    const saved = device.lesson(lesson.variant);
    if (saved && !saved.done && saved.step <= lesson.steps.length) this.progress = saved;
  }

  /** The step, or null after the last one. */
  get step(): Step | null {
    return this.lesson.steps[this.progress.step] ?? null;
  }

  /** Whether nothing is left to do: after the last decision, or at a last step that is only read. */
  get ended(): boolean {
    return this.progress.step >= this.lesson.steps.length - Number(!this.lesson.steps.at(-1)!.moves);
  }

  /** Show the current step; a saved one of an earlier version of the lesson may not exist any more. */
  async open(): Promise<void> {
    try {
      await this.#show(this.progress);
    } catch (error) {
      if (this.progress === BEGIN) throw error;
      await this.#show(BEGIN);
    }
  }

  async #show(progress: LessonProgress): Promise<void> {
    const view = await lessonView(this.lesson, progress, this.player);
    const reading = !this.lesson.steps[progress.step]?.moves;
    const own = view.own.map((one) => ({ ...one, takeback: [], options: reading ? [] : one.options }));
    this.progress = progress;
    this.view = { ...view, own, hints: false, roll_at: null, to_act: reading ? [] : view.to_act };
    this.hint = '';
    this.obstacle = null;
    this.phaseNumber++;
    device.saveLesson(this.lesson.variant, { ...progress, done: this.ended });
  }

  /** Go on after reading, or with the first of the expected options. */
  next(): Promise<void> {
    const { step, choices } = this.progress;
    const options = this.view?.own[0]?.options.map(({ option }) => option);
    const move = this.step?.moves?.find((one) => options?.includes(one));
    return this.#show({ step: step + 1, choices: move === undefined ? choices : [...choices, move] });
  }

  restart(): Promise<void> {
    return this.#show(BEGIN);
  }

  // What a table asks for

  now(): number {
    return Date.now();
  }

  decide(_seat: number, { option, marks, cards }: Choice): void {
    const { step, choices } = this.progress;
    if (this.step?.moves?.includes(option)) void this.#show({ step: step + 1, choices: [...choices, option] });
    else {
      this.hint = marks.length || cards?.length ? (this.step?.hint ?? OTHER) : PASSED;
      this.phaseNumber++; // the choice is cleared
    }
  }

  ask({ seat, spot, swap, chosen }: Parameters<PlaySubscription['ask']>[0]): void {
    const { progress } = this;
    this.obstacle = null;
    const question = { seat, spot, swap: swap ?? null, chosen: chosen ?? null };
    void lessonObstacle(this.lesson, progress, question).then((answer) => {
      if (this.progress === progress) this.obstacle = { ...answer, seat, spot };
    });
  }

  clearObstacle(): void {
    this.obstacle = null;
  }

  withdraw(): void {}
  askTakeback(): void {}
  answerTakeback(): void {}
  playOn(): void {}
  replace(): void {}
}
