/** What the host changes before the start: game, seats and options. */
import { playableBot } from '../api.ts';
import type { Plan, Seat, VariantInfo, View } from '../protocol.ts';
import type { TableSubscription } from './subscription.svelte.ts';

type PlannedSeat = Pick<Seat, 'bot' | 'sheet'>;
export type TableOptions = Pick<View, 'seconds' | 'pause' | 'hints' | 'dice'>;

export class Planning {
  /** The seats that were asked for and are not in a view yet: the next change builds on them. */
  #wanted = $state.raw<PlannedSeat[] | null>(null);
  /** The last change, which may be on its way. */
  #change = Promise.resolve();
  #subscription: () => TableSubscription;
  #view: () => View;
  #variant: () => VariantInfo;

  constructor(subscription: () => TableSubscription, view: () => View, variant: () => VariantInfo) {
    this.#subscription = subscription;
    this.#view = view;
    this.#variant = variant;
    $effect(() => {
      if (subscription().error || (this.#wanted && isSame(this.#wanted, view().seats))) this.#wanted = null;
    });
  }

  get #seats(): PlannedSeat[] {
    return this.#wanted ?? this.#view().seats;
  }

  changeSeat(index: number, change: Partial<PlannedSeat>): void {
    this.#changeSeats(this.#seats.map((seat, number) => (number === index ? { ...seat, ...change } : seat)));
  }

  addSeat(): void {
    this.#changeSeats([...this.#seats, { bot: null, sheet: null }]);
  }

  removeSeat(index: number): void {
    this.#changeSeats(this.#seats.filter((_, number) => number !== index));
  }

  changeTable(game: VariantInfo, options: TableOptions): void {
    this.#plan(this.#seats, game, options);
  }

  /** Start after the last change. */
  start(): void {
    void this.#change.then(() => this.#subscription().start());
  }

  #changeSeats(seats: PlannedSeat[]): void {
    this.#wanted = seats;
    const { seconds, pause, hints, dice, seats: now } = this.#view();
    const people = now.filter(({ bot }) => !bot).length;
    this.#plan(seats, this.#variant(), { seconds, pause, hints: hints && people > 1, dice });
  }

  /** Changes are sent in the order in which they were made, although each may have to ask first which bots can play. */
  #plan(seats: PlannedSeat[], game: VariantInfo, options: TableOptions): void {
    this.#change = this.#change.then(() => this.#send(seats, game, options));
  }

  /** A bot that cannot play so is replaced by one that can; a letter that the game does not have is dropped. */
  async #send(seats: PlannedSeat[], game: VariantInfo, options: TableOptions): Promise<void> {
    const planned = seats.map(async ({ bot, sheet }): Promise<Plan['seats'][number]> => ({
      bot: options.dice === 'none' ? null : bot && ((await playableBot(bot, game.id, seats.length).catch(() => bot)) ?? null),
      sheet: game.sheets.some(({ letter }) => letter === sheet) ? (sheet ?? null) : null,
    }));
    this.#subscription().plan({ variant: game.id, seats: await Promise.all(planned), ...options });
  }
}

const isSame = (one: PlannedSeat[], other: PlannedSeat[]): boolean => JSON.stringify(one.map(({ bot, sheet }) => [bot, sheet])) === JSON.stringify(other.map(({ bot, sheet }) => [bot, sheet]));
