/** What the last view has brought: shown moment by moment, and read out at once. */
import { untrack } from 'svelte';
import type { VariantInfo, View } from '../protocol.ts';
import { momentsBetween, momentText, type Moment } from './moments.ts';
import type { TableSubscription } from './subscription.svelte.ts';

/** Milliseconds in which the last marks are seen before the result takes the place of the dice. */
const LAST_LOOK = 1900;

export class MomentQueue {
  /** The moment that is shown, and those that follow. */
  moments = $state.raw<Moment[]>([]);
  lastLook = $state(false);
  #news = $state.raw({ phase: -1, text: '' });
  #before: View | null;
  #table: () => TableSubscription | null;

  /** `before` is the last view of the lobby. A lesson, which has no table, brings nothing. */
  constructor(table: () => TableSubscription | null, view: () => View, variant: () => VariantInfo, before: View | null) {
    this.#table = table;
    this.#before = before;
    $effect.pre(() => {
      const now = view();
      untrack(() => this.add(now, variant()));
    });
    $effect(() => {
      if (!this.lastLook) return;
      const timer = setTimeout(() => (this.lastLook = false), LAST_LOOK);
      return () => clearTimeout(timer);
    });
  }

  add(now: View, variant: VariantInfo): void {
    const before = this.#before;
    this.#before = now;
    const table = this.#table();
    if (!before || !table) return;
    const found = momentsBetween(before, now, variant);
    if (!found.length) return;
    // That the end is near is written in the header.
    this.moments = [...this.moments, ...found.filter(({ kind }) => !kind.startsWith('last-'))];
    if (now.state === 'over') {
      this.lastLook = !matchMedia('(prefers-reduced-motion: reduce)').matches;
      // Nothing but the end is shown over the result.
      this.moments = this.moments.slice(this.lastLook ? -2 : -1);
    }
    const texts = found.filter(({ kind }) => kind !== 'end').map((one) => momentText(one, now, variant));
    this.#news = { phase: table.phaseNumber, text: texts.map((text) => `${text}.`).join(' ') };
  }

  next(): void {
    this.moments = this.moments.slice(1);
  }

  /** What to read out until the next phase. */
  get news(): string {
    return this.#news.phase === this.#table()?.phaseNumber ? this.#news.text : '';
  }
}
