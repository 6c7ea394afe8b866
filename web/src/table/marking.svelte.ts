/** What the people at this device do at a table without dice: they mark, answer which mark is meant, and undo. */
import { untrack } from 'svelte';
import type { Choice, View } from '../protocol.ts';
import { answerRow, doubtfulRow, latestOf, marksChanged, reopened, tapSpot } from './scoring.ts';
import { play, vibrate } from './sound.ts';
import type { TableSubscription } from './subscription.svelte.ts';

type MarkingState =
  | { state: 'ready' }
  /** A swap field waits for its cell. */
  | { state: 'swapping'; swap: string }
  /** Which of several marks is meant. */
  | { state: 'asking'; options: Choice[]; swap: string | null }
  /** Whether the misthrow belongs to a new roll. */
  | { state: 'confirming' };

const READY: MarkingState = { state: 'ready' };
const MISTHROW: Choice = { option: 'x', marks: [], misthrow: true };

export class Marking {
  now = $state.raw<MarkingState>(READY);
  /** The locks that the last view has undone, in words. */
  undone = $state('');
  #chosenSeat = $state(0);
  #subscription: () => TableSubscription;
  #view: () => View;
  #before: View | null = null;
  readonly seats: number[] = $derived.by(() => this.#view().own.map(({ seat }) => seat));
  /** The seat whose player marks here; null for a spectator. */
  readonly seat: number | null = $derived(this.seats.includes(this.#chosenSeat) ? this.#chosenSeat : (this.seats[0] ?? null));
  readonly options: Choice[] = $derived.by(() => this.#view().own.find(({ seat }) => seat === this.seat)?.options ?? []);
  readonly #misthrow = $derived(this.options.find((one) => one.misthrow));

  constructor(subscription: () => TableSubscription, view: () => View) {
    this.#subscription = subscription;
    this.#view = view;
    $effect.pre(() => {
      const now = view();
      untrack(() => this.#update(now));
    });
    // A mark may have become impossible while it was on its way: then the reason is asked for, once the new roll is shown here.
    $effect(() => {
      const { error } = subscription();
      if (!error?.mark || view().position!.turn < Number(error.values['turn'] ?? 0)) return;
      const { seat, option } = error.mark;
      const spot = /[A-Z]+\d+/.exec(option)?.[0];
      subscription().error = { code: error.code, values: error.values };
      if (spot) subscription().ask({ seat, spot });
    });
  }

  /** A new roll ends every question; a reason why not, and what was undone, stand until the next change. */
  #update(now: View): void {
    const before = this.#before;
    this.#before = now;
    if (before?.position?.turn !== now.position?.turn) this.forget();
    if (marksChanged(before, now)) {
      if (this.now.state === 'confirming') this.now = READY;
      this.undone = reopened(before, now);
      this.#subscription().clearObstacle();
    }
    if (this.now.state === 'asking' && this.now.options.some((one) => !this.options.some(({ option }) => option === one.option))) this.now = swapping(this.now.swap);
    if (before && JSON.stringify(now.since_roll?.locks) !== JSON.stringify(before.since_roll?.locks)) vibrate(40, 60, 40);
  }

  /** The swap field that was tapped. */
  get swap(): string | null {
    return 'swap' in this.now ? this.now.swap : null;
  }

  /** The marks of which one is meant. */
  get asked(): Choice[] {
    return this.now.state === 'asking' ? this.now.options : [];
  }

  /** The row of which is asked whether it is closed already. */
  get doubtfulRow(): string | null {
    return doubtfulRow(this.asked);
  }

  /** The last mark of this roll. */
  get undoable(): Choice | null {
    if (this.seat === null) return null;
    return this.#subscription().sent.get(this.seat) ?? latestOf(this.#view(), this.seat).at(-1) ?? null;
  }

  /** Whether a misthrow can be taken only in a new roll: whoever takes one has marked nothing, and only one player does. Then somebody has forgotten to say that there was one, or has tapped twice. */
  get misthrowLater(): boolean {
    return !this.#misthrow && !this.#view().since_roll?.ending;
  }

  get canMisthrow(): boolean {
    return this.#misthrow !== undefined || this.misthrowLater;
  }

  forget(): void {
    this.now = READY;
    this.#subscription().clearObstacle();
  }

  select(seat: number): void {
    this.#chosenSeat = seat;
    this.forget();
  }

  mark(choice: Choice): void {
    const { seat } = this;
    if (seat === null || this.#subscription().sent.get(seat)?.option === choice.option) return; // the second tap of a double tap
    this.forget();
    void play(choice.locks?.length ? 'lock' : 'mark');
    vibrate(20);
    this.#subscription().mark(seat, choice);
  }

  /** Mark what was tapped, ask which mark is meant, or ask why there is none. */
  pick(spot: string): void {
    const { seat, swap } = this;
    const tap = tapSpot(this.options, swap, spot);
    this.forget();
    if (tap && 'mark' in tap) this.mark(tap.mark);
    else if (tap && 'ask' in tap) this.now = { state: 'asking', options: tap.ask, swap };
    else if (tap) this.now = swapping(tap.swap);
    else if (seat !== null) this.#subscription().ask({ seat, spot: spot.replace('*', '') });
  }

  /** Say whether the doubtful row is closed already. */
  answer(closed: boolean): void {
    const row = this.doubtfulRow;
    if (this.now.state !== 'asking' || row === null) return;
    const options = answerRow(this.asked, row, closed);
    if (options.length === 1) this.mark(options[0]!);
    else this.now = { ...this.now, options };
  }

  takeMisthrow(): void {
    this.forget();
    if (this.#misthrow) this.mark(this.#misthrow);
    else if (this.misthrowLater) this.now = { state: 'confirming' };
  }

  misthrowInNewRoll(): void {
    this.#subscription().newRoll();
    this.mark(MISTHROW);
  }

  undo(): void {
    if (this.seat !== null && this.undoable) this.#subscription().undo(this.seat, this.undoable);
  }
}

const swapping = (swap: string | null): MarkingState => (swap === null ? READY : { state: 'swapping', swap });
