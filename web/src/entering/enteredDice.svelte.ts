/** Real dice that the people at this device enter: the next roll, or the correction of the one on the table. */
import { untrack } from 'svelte';
import { t } from '../i18n.svelte.ts';
import type { VariantInfo, View } from '../protocol.ts';
import { nameAt } from '../sheet/labels.ts';
import { awaitsDice, enteringSeat } from '../table/realDice.ts';
import type { TableSubscription } from '../table/subscription.svelte.ts';
import { DiceEntry } from './entry.svelte.ts';
import EntryPad from './EntryPad.svelte';
import EntryTray from './EntryTray.svelte';

export class EnteredDice {
  // The components are loaded with it.
  readonly EntryTray = EntryTray;
  readonly EntryPad = EntryPad;
  /** The roll that is corrected, with its turn. */
  #correcting = $state('');
  #table: () => TableSubscription | null;
  #view: () => View;
  #variant: () => VariantInfo;
  readonly #position = $derived.by(() => this.#view().position!);
  readonly #diceOfTurn = $derived(`${this.#position.turn} ${this.#position.dice?.roll ?? ''}`);
  /** The seat of this device that may enter or correct the dice. */
  readonly #seat = $derived.by(() => (this.#table() ? enteringSeat(this.#view()) : null));
  readonly #asked = $derived.by(() => (awaitsDice(this.#view()) || (this.#seat !== null && this.#correcting === this.#diceOfTurn) ? this.#diceOfTurn : ''));
  /** The dice in the tray while they are entered, here or elsewhere. */
  readonly entry = $derived.by(() => (this.#asked ? untrack(() => new DiceEntry(this.#variant(), this.#position)) : null));

  constructor(table: () => TableSubscription | null, view: () => View, variant: () => VariantInfo) {
    this.#table = table;
    this.#view = view;
    this.#variant = variant;
  }

  /** Whether somebody at this device enters them. */
  get enters(): boolean {
    return this.entry !== null && this.#seat !== null;
  }

  /** Whether dice on the table are being corrected. */
  get corrects(): boolean {
    return this.enters && this.#position.dice !== null;
  }

  get canCorrect(): boolean {
    return this.#seat !== null && this.#position.dice !== null && !this.entry;
  }

  /** What is to be entered here. */
  get message(): string {
    if (!this.entry || !this.enters) return '';
    const { active } = this.#position;
    return this.corrects ? t('enter.tap-wrong') : this.entry.message(this.#seat === active ? null : nameAt(this.#view(), active));
  }

  /** Enter the face of the next die; the last one sends a new roll. */
  enter(face: number): void {
    const { entry } = this;
    if (entry?.complete && !this.corrects && !this.#table()?.error) return; // they are on their way
    if (entry?.enter(face) && entry.complete && !this.corrects) this.#send();
  }

  correct(): void {
    this.#correcting = this.#diceOfTurn;
  }

  save(): void {
    this.#send();
    this.cancel();
  }

  cancel(): void {
    this.#correcting = '';
  }

  #send(): void {
    if (this.entry && this.#seat !== null) this.#table()?.enterDice(this.#seat, this.entry.roll);
  }
}
