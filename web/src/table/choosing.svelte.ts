/** What the people at this device choose: their taps, and the decision that follows from them until it is sent. */
import type { Choice, View } from '../protocol.ts';
import type { Preferences } from '../storage.svelte.ts';
import {
  afterDecision,
  askMisthrow,
  cancelMisthrow,
  chooseJokerColour,
  chooseOption,
  isChosenMisthrow,
  NO_TAPS,
  onlyOption,
  selectSeat,
  situationOf,
  swapOf,
  takeDevice,
  tapCard,
  tapCell,
  type Situation,
  type Taps,
} from './decision.ts';
import { play, vibrate } from './sound.ts';
import type { PlaySubscription } from './subscription.svelte.ts';

/** The dice lie still, wait for a tap, or roll. */
export type Roll = 'still' | 'ready' | 'rolling';

type ChoosingPreferences = Partial<Pick<Preferences, 'oneTap' | 'autoPass' | 'handover'>>;

// Milliseconds
const DOUBLE_TAP = 400;
const AUTOMATIC_PAUSE = 1200;

export class Choosing {
  /** Nothing can be chosen before the dice lie still. */
  roll = $state<Roll>('still');
  /** The best option, while a hint shows it. */
  hinted = $state.raw<Choice | null>(null);
  #taps = $state.raw<Taps>(NO_TAPS);
  #decidedAt = 0;
  #subscription: () => PlaySubscription;
  #view: () => View;
  #preferences: () => ChoosingPreferences;
  readonly situation: Situation = $derived.by(() => {
    const { sent, phaseNumber } = this.#subscription();
    return situationOf(this.#view(), sent, this.#taps, this.roll !== 'still', phaseNumber, this.#preferences());
  });

  constructor(subscription: () => PlaySubscription, view: () => View, preferences: () => ChoosingPreferences) {
    this.#subscription = subscription;
    this.#view = view;
    this.#preferences = preferences;
    // Views come and go while the pause runs; it begins anew only for another decision.
    const automatic = $derived(this.situation.automatic ? `${this.situation.moment} ${this.situation.seat}` : '');
    $effect(() => {
      if (!automatic) return;
      const timer = setTimeout(() => this.situation.automatic && this.decide(this.situation.automatic), AUTOMATIC_PAUSE);
      return () => clearTimeout(timer);
    });
  }

  /** Choose the cell, box or swap field that was tapped, or ask why it cannot be marked. */
  pick(spot: string): void {
    const { situation } = this;
    const { seat, decision } = situation;
    if (this.#preferences().oneTap) {
      if (this.justDecided()) return;
      const only = onlyOption(situation, spot);
      if (only) return this.decide(only);
    }
    const taps = tapCell(this.#taps, situation, spot);
    if (taps !== this.#taps) {
      this.#taps = taps;
      this.#subscription().clearObstacle();
    } else if (seat !== null && !(this.#view().position?.phase === 'play' && situation.handHidden)) {
      const chosen = decision.state === 'combining' ? (decision.chosen?.option ?? null) : null;
      this.#subscription().ask({ seat, spot: spot.replace('*', ''), swap: swapOf(decision), chosen });
    }
  }

  pickCard(card: string): void {
    this.#taps = tapCard(this.#taps, this.situation, card);
  }

  pickJokerColour(name: string): void {
    this.#taps = chooseJokerColour(this.#taps, this.situation, name);
  }

  /** Choose one of several options that begin with the same cell. */
  choose(option: Choice): void {
    this.#taps = chooseOption(this.#taps, this.situation, option);
  }

  /** Send a decision; a misthrow where something else is possible has to be confirmed first. */
  decide(choice: Choice): void {
    const { situation } = this;
    if (situation.seat === null) return;
    this.ignoreDoubleTap();
    if (isChosenMisthrow(situation, choice) && situation.misthrow?.option !== choice.option) {
      this.#taps = askMisthrow(this.#taps, situation, choice);
      return;
    }
    if (choice.marks.length) {
      void play('mark', choice.marks.length);
      vibrate(12);
    }
    this.#subscription().decide(situation.seat, choice);
    this.#taps = afterDecision(this.#taps, situation); // with the decision on its way, another seat is asked
  }

  cancelMisthrow(): void {
    this.#taps = cancelMisthrow(this.#taps);
  }

  withdraw(): void {
    const { seat } = this.situation;
    if (seat !== null) this.#subscription().withdraw(seat);
  }

  selectSeat(seat: number): void {
    this.#taps = selectSeat(this.#taps, this.situation, seat);
  }

  /** The player who decides has the device now, and sees their hand. */
  takeDevice(): void {
    this.#taps = takeDevice(this.#taps, this.situation);
  }

  /** The next tap may be the second one of a double tap: it must not hit what replaces the first one's target. */
  ignoreDoubleTap(): void {
    this.#decidedAt = Date.now();
  }

  justDecided(): boolean {
    return Date.now() - this.#decidedAt < DOUBLE_TAP;
  }
}
