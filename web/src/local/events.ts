/** The events of a table on this device, which have the form of the server's, and those with which it begins. */
import type { LocalVariant, SeatRequest, View } from '../protocol.ts';

const VERSION = 2; // of the server's event format
/** The sender's mark of people at this device; a local table has no secrets. */
const HERE = 'here';

export interface Created {
  kind: 'created';
  variant: string;
  seats: { bot?: string; lucky?: [number, number]; sheet?: string }[];
  version: number;
  before?: string;
  pause?: number;
  variant_file?: string;
  hints?: boolean;
  dice?: View['dice'];
}
interface Seated {
  kind: 'seated';
  seat: number;
  name: string;
  secret_hash: string;
  sheet?: string;
}
interface Started {
  kind: 'started';
  order: number[];
}
export interface Rolled {
  kind: 'rolled';
  dice: string;
  /** Who entered them; a second event in the same turn corrects them and withdraws what was decided on them. */
  seat?: number;
}
export interface Dealt {
  kind: 'dealt';
  cards?: string;
}
export interface Decided {
  kind: 'decided';
  seat: number;
  turn: number;
  phase: string;
  option: string;
  by?: 'bot';
}
export interface OfDecision<Kind> {
  kind: Kind;
  seat: number;
  turn: number;
  phase: string;
}
type TakebackAsked = OfDecision<'takebackasked'> & { until: number };
interface Answered<Kind> {
  kind: Kind;
  seat: number;
  agree: boolean;
}
/** The events of a table without dice. */
type SheetsEvent = { kind: 'marked'; seat: number; option: string; closed?: string } | { kind: 'undone'; seat: number } | { kind: 'newroll'; turn: number } | { kind: 'finished' };
interface Ended {
  kind: 'ended';
  scores: number[];
}
interface Rematched {
  kind: 'rematched';
  table: string;
  seats: number[];
}
type Answer = Answered<'takebackanswered'> | Answered<'rematchanswered'>;
export type TableEvent = Created | Seated | Started | Rolled | Dealt | Decided | OfDecision<'withdrawn'> | OfDecision<'takenback'> | TakebackAsked | Answer | SheetsEvent | Ended | Rematched;
/** An event with its time, in milliseconds. */
export interface StoredEvent {
  at: number;
  event: TableEvent;
}

export interface TablePlan {
  variant: string;
  seats: SeatRequest[];
  /** The people at this device; they take the seats without a bot, in this order. */
  names: string[];
  pause: number;
  /** Whether people may ask for hints although others play, too. */
  hints?: boolean;
  /** Who rolls. */
  dice?: View['dice'];
}

/** The first events of a table: everybody sits already, and the player on seat `first` begins. */
export function openingEvents({ variant, seats, names, pause, hints, dice = 'rolled' }: TablePlan, { info, file }: LocalVariant, first: number): TableEvent[] {
  const plans = seats.map(({ bot, sheet }, number) => ({
    ...(bot ? { bot } : {}),
    ...(info.lucky.length ? { lucky: info.lucky[number % info.lucky.length]! } : {}),
    ...(sheet ? { sheet } : {}),
  }));
  const people = seats.flatMap(({ bot }, seat) => (bot ? [] : [seat])).map((seat, index) => ({ seat, name: names[index]! }));
  const created: Created = { kind: 'created', variant, seats: plans, version: VERSION, ...(pause && people.length ? { pause } : {}), ...(file ? { variant_file: file } : {}), ...(hints ? { hints } : {}), ...(dice === 'rolled' ? {} : { dice }) };
  return firstEvents(created, people, dice === 'none' ? 0 : first); // without dice the players decide who begins
}

export function firstEvents(created: Created, people: { seat: number; name: string }[], first: number): TableEvent[] {
  const seated = people.map(({ seat, name }): Seated => ({ kind: 'seated', seat, name, secret_hash: HERE }));
  const order = created.seats.map((_, index, { length }) => (first + index) % length);
  return [created, ...seated, { kind: 'started', order }];
}
