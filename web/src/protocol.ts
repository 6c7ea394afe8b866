// Made from the server's protocol by web/protocol.py; not to be edited.

export const VERSION = 1;

/** A command is done, and stored: with the event `seq`. */
export interface Ack {
  type: 'ack';
  id: string | null;
  table: string;
  seq: number;
}

/** The bots that can sit at every table, from the weakest up; others only at some, by variant and players.

    Five of them are levels for people, 1 to 5. */
export interface Bots {
  bots: string[];
  only: Record<string, Record<string, number[]>>;
  levels: Record<string, number>;
}

/** Follow a table no more. */
export interface Bye {
  type: 'bye';
  table: string;
  id?: string | null;
}

/** The cards on the table: `r5`, or `?5` where only the number on the back is to be seen. */
export interface Cards {
  hands: string[][];
  display: string[];
  top: number | null;
  pile: number;
  discards: string[];
}

/** The cards of a card game, which can be played with jokers too: `+jokers` behind its id. */
export interface CardsInfo {
  lowest: number;
  highest: number;
  gap: number | null;
}

/** An option and what it does: the cards it takes or plays, the marks it makes in order, the rows it locks. */
export interface Choice {
  option: string;
  marks: string[];
  locks?: string[];
  lucky?: boolean;
  misthrow?: boolean;
  cards?: string[];
}

/** The code under which a seat is handed over, and the secret that it is to belong to. */
export interface Claim {
  handover: string;
  secret: string;
}

/** Decide for a seat; the same `id` again is answered as the first time and done once. */
export interface Decide {
  type: 'decide';
  table: string;
  seat: number;
  turn: number;
  phase: string;
  option: string;
  id: string;
}

/** A roll, in the record's notation and taken apart: the white dice, and the coloured ones that are in the game. */
export interface Dice {
  roll: string;
  white: [number, number];
  coloured: Record<string, number>;
}

/** A message that was refused: a code of the closed list, with values. */
export interface Error {
  type: 'error';
  code: string;
  values: Record<string, unknown>;
  id: string | null;
  table: string | null;
}

/** A code with which another device takes the seat over, once. */
export interface Handover {
  handover: string;
  until: number;
}

/** Whether the server is well. */
export interface Health {
  status: 'ok';
  version: string;
  protocol: number;
}

/** Follow a table, with the secrets of the seats this device holds there; `last_seq` is the last view seen. */
export interface Hello {
  type: 'hello';
  version: number;
  table: string;
  secrets?: string[];
  last_seq?: number;
  id?: string | null;
}

/** Those who sit down, all of them at this device; asked again, they keep their seats. */
export interface JoinWish {
  people: Person[];
}

/** Give a seat free before the game has started. */
export interface Leave {
  type: 'leave';
  table: string;
  seat: number;
  id: string;
}

/** An address for another device, and its QR code line by line: 1 is dark. */
export interface Link {
  address: string;
  qr: string[];
}

/** A page of this server that another device is to open. */
export interface LinkWish {
  path: string;
}

/** What only the holder of a seat sees: its decision until the reveal, its options, its hand. */
export interface Own {
  seat: number;
  decision: Choice | null;
  options: Choice[];
  hand: string[];
}

/** Two bonus boxes and what they give together. */
export interface PairInfo {
  name: string;
  boxes: string[];
  gives: string;
  amount: number;
}

/** Somebody who sits down, the secret that the seat is to belong to, and which seat, where that matters. */
export interface Person {
  name: string;
  secret: string;
  seat?: number | null;
}

/** Ask whether the connection is still there. */
export interface Ping {
  type: 'ping';
  id?: string | null;
}

/** The connection is still there. */
export interface Pong {
  type: 'pong';
  id: string | null;
  now: number;
}

/** What lies open on the table. */
export interface Position {
  turn: number;
  phase: string;
  active: number;
  dice: Dice | null;
  closed: string[];
  sheets: Sheet[];
  scores: number[];
  cards: Cards | null;
}

/** Why a request was refused. */
export interface Problem {
  code: string;
  values: Record<string, unknown>;
}

/** The text of a record file. */
export interface RecordShown {
  record: string;
}

/** Let a bot play for an absent player until they return. */
export interface Replace {
  type: 'replace';
  table: string;
  seat: number;
  bot: string;
  id: string;
}

/** A game as it stood at every decision it has passed, and as it stands; one from a file has no table. */
export interface Replay {
  table: string | null;
  variant: string;
  players: string[];
  positions: Position[];
  log: Turn[];
  result: Result | null;
}

/** The games of a record file. */
export interface Replays {
  games: Replay[];
}

/** How the game ended. */
export interface Result {
  reason: string | null;
  scores: number[];
  winners: number[];
  ended_by: number[];
}

/** A row of cells or bonus fields from left to right, with the cells' colours. */
export interface RowInfo {
  name: string;
  numbers: number[];
  colours: string;
}

/** Who sits where. */
export interface Seat {
  name: string | null;
  kind: 'bot' | 'person';
  bot: string | null;
  connected: boolean;
  absent: boolean;
  trouble: string | null;
}

/** A seat that belongs to the secret it was asked for with. */
export interface SeatTaken {
  seat: number;
  name: string;
}

/** A seat: for the named bot, or without one for a person who joins. */
export interface SeatWish {
  bot?: string | null;
  lucky?: number[] | null;
}

/** The seats of those who sat down. */
export interface SeatsTaken {
  table: string;
  seats: SeatTaken[];
}

/** The secret of a seat, to act for it. */
export interface SecretShown {
  secret: string;
}

/** A sheet as it stands; numbers marked and states of cells and boxes from left to right. */
export interface Sheet {
  rows: Record<string, number[]>;
  fields: Record<string, number[]>;
  cells: Record<string, ('closed' | 'lost' | 'marked' | 'open')[]>;
  closed: string[];
  locks: string[];
  misthrows: number;
  points: Record<string, number>;
  total: number;
  lucky: [number, number] | null;
  bar_used: number;
  bar: ('free' | 'struck' | 'used')[];
  pairs: string[];
  pair_boxes: number[];
}

/** Begin without those who have not come: free seats are taken away. */
export interface Start {
  type: 'start';
  table: string;
  id: string;
}

/** A table that has been created. */
export interface TableMade {
  table: string;
}

/** A table to create. */
export interface TableWish {
  variant: string;
  seats: SeatWish[];
  seconds?: number | null;
  id?: string | null;
}

/** A turn as the record tells it, without what has not been revealed. One with dice has no cards, and so on. */
export interface Turn {
  active: number;
  dice?: Dice | null;
  white?: Choice[] | null;
  colour?: Choice | null;
  taken?: string[] | null;
  renewed?: boolean;
  number?: number | null;
  played?: Choice | null;
}

/** A game of the family, with all that is needed to draw its sheet. */
export interface VariantInfo {
  id: string;
  name: Record<string, string>;
  about: Record<string, string>;
  most_players: number;
  dice: Record<string, number>;
  rows: RowInfo[];
  closing: number;
  needed: number;
  cap: number;
  lucky: [number, number][];
  bar: string;
  bar_boxes: string[];
  pairs: PairInfo[];
  fields: RowInfo[];
  cards: CardsInfo | null;
  points: number[];
  misthrow_cost: number;
  misthrows_to_end: number;
  rows_to_end: number;
}

/** The games that can be played here. */
export interface Variants {
  variants: VariantInfo[];
}

/** A table as one device may see it, complete; one with a higher `seq` is newer. */
export interface View {
  type: 'view';
  table: string;
  seq: number;
  now: number;
  state: 'over' | 'running' | 'waiting';
  variant: string;
  seconds: number | null;
  seats: Seat[];
  position: Position | null;
  log: Turn[];
  to_act: number[];
  decided: number[];
  deadline: number | null;
  own: Own[];
  result: Result | null;
  rematch: string | null;
}

/** Take a decision back that the others have not seen yet. */
export interface Withdraw {
  type: 'withdraw';
  table: string;
  seat: number;
  turn: number;
  phase: string;
  id: string;
}

export type AnyMessage = Hello | Decide | Withdraw | Start | Leave | Replace | Bye | Ping;

export type AnyReply = View | Ack | Error | Pong;

export type Code =
  | 'message'
  | 'too-large'
  | 'too-fast'
  | 'connections'
  | 'version'
  | 'origin'
  | 'not-found'
  | 'method'
  | 'storage'
  | 'no-table'
  | 'tables'
  | 'not-followed'
  | 'variant'
  | 'bot'
  | 'lucky'
  | 'name'
  | 'name-taken'
  | 'seat-taken'
  | 'full'
  | 'started'
  | 'not-started'
  | 'not-over'
  | 'secret'
  | 'not-yours'
  | 'handover'
  | 'record'
  | 'past'
  | 'early'
  | 'not-to-act'
  | 'decided'
  | 'illegal'
  | 'not-decided'
  | 'late'
  | 'id-reused'
  | 'not-absent'
  | 'no-person';
