/** What is asked of the people at this device: to take a decision back, to let a bot play. Both change with time, too, without a view. */
import type { TakebackRequest, VariantInfo, View } from '../protocol.ts';
import { optionsOf, type Situation } from './decision.ts';
import { offerMessage, offersFor, replacedMessage, replacedSeats, UNDECIDED_MILLISECONDS, votesMessage, type Offer } from './replacement.ts';
import type { PlaySubscription } from './subscription.svelte.ts';
import { requestMessage } from './takeback.ts';

export class Requests {
  #expired = $state(0);
  #lateMoment = $state('');
  #view: () => View;
  #situation: () => Situation;

  constructor(subscription: () => PlaySubscription, view: () => View, situation: () => Situation) {
    this.#view = view;
    this.#situation = situation;
    $effect(() => {
      const until = view().takeback?.until;
      if (!until) return;
      const timer = setTimeout(() => (this.#expired = until), until - subscription().now());
      return () => clearTimeout(timer);
    });
    // Who does not decide for long holds up the table.
    const moment = $derived(situation().moment);
    $effect(() => {
      const now = moment;
      const timer = setTimeout(() => (this.#lateMoment = now), UNDECIDED_MILLISECONDS);
      return () => clearTimeout(timer);
    });
  }

  get takeback(): TakebackRequest | null {
    const { takeback } = this.#view();
    return takeback && takeback.until > this.#expired ? takeback : null;
  }

  /** For whom a bot may play; shown to players who wait, so that it hides no cell to mark. */
  get offers(): Offer[] {
    const { decision, moment } = this.#situation();
    return decision.state === 'over' || optionsOf(decision).length ? [] : offersFor(this.#view(), this.#lateMoment === moment);
  }

  /** All of it, to be read out. */
  message(variant: VariantInfo): string {
    const view = this.#view();
    return [
      requestMessage(view, variant, this.takeback),
      ...replacedSeats(view).map((seat) => replacedMessage(view, seat)),
      votesMessage(view),
      ...this.offers.map((one) => offerMessage(view, one)),
    ].join(' ').trim();
  }
}
