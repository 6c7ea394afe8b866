/** Real dice that are being entered: which faces are known, and which die comes next. */
import { capitalize, t } from '../i18n.svelte.ts';
import type { Dice, Position, VariantInfo } from '../protocol.ts';
import { colourName } from '../sheet/labels.ts';

const UNKNOWN = 0;

export class DiceEntry {
  /** The colours of the dice in the order in which they are entered, and how many faces each has. */
  readonly colours: string[];
  readonly highest: number[];
  /** By die: `UNKNOWN` until it is entered, null if the die has left the game. */
  faces = $state.raw<(number | null)[]>([]);
  current = $state(0);

  /** The entry of the next roll or, where the dice lie, its correction. */
  constructor({ dice: { white = 0, ...coloured } }: VariantInfo, { dice, closed }: Pick<Position, 'dice' | 'closed'>) {
    this.colours = ['white', 'white', ...Object.keys(coloured)];
    this.highest = [white, white, ...Object.values(coloured)];
    const next = Object.keys(coloured).map((colour) => (closed.includes(colour) ? null : UNKNOWN));
    this.faces = dice ? [...dice.white, ...Object.keys(coloured).map((colour) => dice.coloured[colour] ?? null)] : [UNKNOWN, UNKNOWN, ...next];
  }

  get complete(): boolean {
    return !this.faces.includes(UNKNOWN);
  }

  get begun(): boolean {
    return this.faces.some((face) => face);
  }

  /** The dice as the tray shows them; a die that is not entered shows 0. */
  get dice(): Dice {
    const [first, second, ...coloured] = this.faces;
    const faces = coloured.flatMap((face, index) => (face === null ? [] : [[this.colours[index + 2], face]]));
    return { roll: this.roll, white: [first ?? UNKNOWN, second ?? UNKNOWN], coloured: Object.fromEntries(faces) as Record<string, number> };
  }

  /** As a record writes them. */
  get roll(): string {
    const [first, second, ...coloured] = this.faces.map((face) => face ?? '.');
    return `${first}${second}-${coloured.join('')}`;
  }

  /** Enter the face of the current die, and go on to the next one that is not entered; false if it has no such face. */
  enter(face: number): boolean {
    if (!(face >= 1 && face <= this.highest[this.current]!)) return false;
    this.faces = this.faces.with(this.current, face);
    const next = [...this.faces.keys()].map((index) => (this.current + index) % this.faces.length).find((die) => this.faces[die] === UNKNOWN);
    this.current = next ?? this.current;
    return true;
  }

  choose(die: number): void {
    this.current = die;
  }

  /** Go back to the die that was entered last. */
  back(): void {
    const before = this.faces.findLastIndex((face, die) => face !== null && (die < this.current || (this.complete && die === this.current)));
    if (before < 0) return;
    this.faces = this.faces.with(before, UNKNOWN);
    this.current = before;
  }

  name(die: number): string {
    return die < 2 ? t('enter.white', { number: die + 1 }) : colourName(this.colours[die]!);
  }

  label(die: number): string {
    const [name, face] = [capitalize(this.name(die)), this.faces[die]];
    return face ? t('enter.shows', { die: name, face }) : t('enter.empty', { die: name });
  }

  /** What is to be entered; `name` is the player for whom somebody else rolls. */
  message(name: string | null): string {
    if (this.complete) return t('enter.sent');
    const die = this.name(this.current);
    if (this.begun) return t('enter.next', { die: capitalize(die) });
    return name === null ? t('enter.roll', { die }) : t('enter.roll-for', { name, die });
  }
}
