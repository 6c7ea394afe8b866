// Generated from the server's protocol by web/protocol.py; do not edit.

export const VERSION = 2;

/** Open the table to spectators and strangers or close it to them; only for the host. */
export interface Access {
  type: 'access';
  table: string;
  open: boolean;
  id: string;
}

/** A command was executed and stored; `seq` is the number of its event.

    In the answer to a `hello`, `hash` is that of the event `last_seq`, if it is known. */
export interface Ack {
  type: 'ack';
  id: string | null;
  table: string;
  seq: number;
  hash: string | null;
}

/** Answer the request of the player `asker` to take back the decision of this turn and phase. */
export interface Agree {
  type: 'agree';
  table: string;
  seat: number;
  asker: number;
  turn: number;
  phase: string;
  agree: boolean;
  id: string;
}

/** The bots that can play at every table, weakest first; `only` has the others, by variant and numbers of players.

    Five bots are the levels 1 to 5 that people choose from. */
export interface Bots {
  bots: string[];
  only: Record<string, Record<string, number[]>>;
  levels: Record<string, number>;
}

/** Stop following a table. */
export interface Bye {
  type: 'bye';
  table: string;
  id?: string | null;
}

/** The cards on the table: `r5`, or `?5` where only the number on the back is visible. */
export interface Cards {
  hands: string[][];
  display: string[];
  top: number | null;
  pile: number;
  discards: string[];
}

/** The cards of a card game; `+jokers` after its id adds the jokers. */
export interface CardsInfo {
  lowest: number;
  highest: number;
  gap: number | null;
}

/** The variant that a file describes, also for a table on the device itself, and the bots that can play. */
export interface CheckedVariant {
  variant: VariantInfo;
  bots: Bots;
  local: LocalVariant;
}

/** An option: the marks it makes in order, the rows it locks, the cards it takes or plays. */
export interface Choice {
  option: string;
  marks: string[];
  locks?: string[];
  lucky?: boolean;
  misthrow?: boolean;
  cards?: string[];
  swap?: string | null;
  swapped?: number | null;
  second?: boolean;
  closed?: string[];
}

/** The handover code of a seat, and the new secret for the seat. */
export interface Claim {
  handover: string;
  secret: string;
  shares?: boolean;
}

/** Commit to the share of a seat in the chance of a game that is about to start. */
export interface Commit {
  type: 'commit';
  table: string;
  seat: number;
  commitment: string;
  id: string;
}

/** Decide for a seat; a message with the same `id` is executed once and answered every time. */
export interface Decide {
  type: 'decide';
  table: string;
  seat: number;
  turn: number;
  phase: string;
  option: string;
  id: string;
  dice?: string | null;
}

/** A roll in the record's notation, and as numbers: the white dice, and the coloured dice still in the game. */
export interface Dice {
  roll: string;
  white: [number, number];
  coloured: Record<string, number>;
}

/** A message was refused; `code` is a code of the list, `values` belong to this code. */
export interface Error {
  type: 'error';
  code: string;
  values: Record<string, unknown>;
  id: string | null;
  table: string | null;
}

/** The share of a seat: its commitment, and after the game the share itself; null for a seat without one. */
export interface FairSeat {
  name: string;
  commitment: string | null;
  share: string | null;
}

/** What the chance of a game follows from; the secrets are null until it is over. */
export interface Fairness {
  table: string;
  commitment: string;
  seed: string | null;
  seats: FairSeat[];
  void_starts: number;
}

/** At a table without dice: end the game in the roll `turn`. */
export interface Finish {
  type: 'finish';
  table: string;
  turn: number;
  id: string;
}

/** A one-time code with which another device can take over the seat. */
export interface Handover {
  handover: string;
  until: number;
}

/** The state of the server. */
export interface Health {
  status: 'ok';
  version: string;
  protocol: number;
}

/** Follow a table, with the secrets of the seats this device holds there.

    `last_seq` is the `seq` of the last view or answer: the server reads at least so far before it answers. */
export interface Hello {
  type: 'hello';
  version: number;
  table: string;
  secrets?: string[];
  invite?: string | null;
  last_seq?: number;
  id?: string | null;
}

/** The people of one device who take seats; the same request again keeps the seats. */
export interface JoinRequest {
  people: Person[];
  invite?: string | null;
}

/** Free a seat before the game starts. */
export interface Leave {
  type: 'leave';
  table: string;
  seat: number;
  id: string;
}

/** An address for another device, and the rows of its QR code; 1 is dark. */
export interface Link {
  address: string;
  qr: string[];
}

/** The path of a page for another device. */
export interface LinkRequest {
  path: string;
}

/** The games that can be played without a server, and their bots; `weights` has the files of the champion.

    These are named by variant, and by `solo` or `several` for the number of players. */
export interface LocalGames {
  variants: VariantInfo[];
  bots: Bots;
  weights: Record<string, Record<string, string>>;
}

/** What a table on the device itself needs of a variant: what the client draws, and the kernel's tables.

    `layout` names the layout of the tables: the client uses only tables of its own layout. A variant that is not built
    in has an identity, for records, and a file, with which a server can play it too. */
export interface LocalVariant {
  info: VariantInfo;
  tables: number[];
  layout: string;
  identity: string | null;
  file: string | null;
}

/** At a table without dice: make a mark in the roll `turn` with all that it sets off, or take a misthrow, `x`. */
export interface Mark {
  type: 'mark';
  table: string;
  seat: number;
  turn: number;
  option: string;
  id: string;
  closed?: string;
}

/** At a table without dice: say that the dice are rolled again, after the roll with this number. */
export interface NewRoll {
  type: 'newroll';
  table: string;
  turn: number;
  id: string;
}

/** The answer to `why`: why the spot cannot be marked now; null if nothing prevents it. */
export interface Obstacle {
  type: 'obstacle';
  id: string;
  table: string;
  obstacle: string | null;
  values: Record<string, unknown>;
}

/** What only the holder of a seat receives: its unrevealed decision, its options, its hand.

    `takeback` lists the phases of this turn whose decision the player may ask to take back. `state` is sent to a seat
    that is to act in a card game with hints: the kernel's state without what is hidden from the seat, as integers after
    the name of their layout. */
export interface Own {
  seat: number;
  decision: Choice | null;
  options: Choice[];
  hand: string[];
  takeback: string[];
  state?: string;
}

/** A variant that is not built in, and the text of its file. */
export interface OwnVariant {
  variant: VariantInfo;
  file: string;
}

/** Two bonus boxes and the bonus for both. */
export interface PairInfo {
  name: string;
  boxes: string[];
  gives: string;
  amount: number;
}

/** A person who takes a seat, and a secret for the seat; if `seat` is null, any free seat is taken. */
export interface Person {
  name: string;
  secret: string;
  seat?: number | null;
  sheet?: string | null;
  shares?: boolean;
}

/** Check that the connection works. */
export interface Ping {
  type: 'ping';
  id?: string | null;
}

/** Change game, seats and options before the game starts; only for the host.

    People keep their seats, so theirs have no bot. The own variant of a table can be kept; others need a new table. */
export interface Plan {
  type: 'plan';
  table: string;
  variant: string;
  seats: SeatRequest[];
  id: string;
  seconds?: number | null;
  pause?: number;
  hints?: boolean;
  dice?: 'entered' | 'entered-by-anybody' | 'none' | 'rolled';
}

/** The answer to a ping. */
export interface Pong {
  type: 'pong';
  id: string | null;
  now: number;
}

/** The public position of a game. */
export interface Position {
  turn: number;
  phase: string;
  active: number;
  dice: Dice | null;
  closed: string[];
  sheets: Sheet[];
  scores: number[];
  cards: Cards | null;
  last_row: boolean;
  last_misthrow: number[];
}

/** Why a request was refused. */
export interface Problem {
  code: string;
  values: Record<string, unknown>;
}

/** The text of a record file, and the file of its variant if that is not built in. */
export interface RecordText {
  record: string;
  variant_file?: string | null;
}

/** Agree to a rematch or decline it; it starts when every connected player has answered. */
export interface Rematch {
  type: 'rematch';
  table: string;
  seat: number;
  agree: boolean;
  id: string;
}

/** Who has agreed to a rematch and who has declined, and the code of its table once it exists. */
export interface RematchState {
  agreed: number[];
  declined: number[];
  table: string | null;
}

/** Remove a person from a seat before the game starts; only for the host. */
export interface Remove {
  type: 'remove';
  table: string;
  seat: number;
  id: string;
}

/** Let a bot play for an absent player until they return, or vote for that if the player does not decide. */
export interface Replace {
  type: 'replace';
  table: string;
  seat: number;
  bot: string;
  id: string;
}

/** The positions of a game at every decision and now; a game from a file has no table. */
export interface Replay {
  table: string | null;
  variant: string;
  players: string[];
  positions: Position[];
  log: Turn[];
  result: Result | null;
  variant_hash: string | null;
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

/** Play again on a seat for which the others let a bot play. */
export interface Return {
  type: 'return';
  table: string;
  seat: number;
  id: string;
}

/** Enter the dice that a person has rolled for this turn, or others in place of those that it `corrects`. */
export interface Roll {
  type: 'roll';
  table: string;
  seat: number;
  turn: number;
  dice: string;
  id: string;
  corrects?: string | null;
}

/** A row of cells or bonus fields from left to right, with the cells' colours. */
export interface RowInfo {
  name: string;
  numbers: number[];
  colours: string;
}

/** A seat and its player. */
export interface Seat {
  name: string | null;
  kind: 'bot' | 'person';
  bot: string | null;
  connected: boolean;
  absent: boolean;
  trouble: string | null;
  sheet: string | null;
  shares: boolean;
}

/** A seat that was handed over; a `hello` with `last_seq` set to `seq` is not answered before that is known. */
export interface SeatClaimed {
  seat: number;
  name: string;
  seq: number;
}

/** The number of the event with which a person was forgotten. */
export interface SeatForgotten {
  seq: number;
}

/** A mark of a player at a table without dice. */
export interface SeatMark {
  seat: number;
  mark: Choice;
}

/** A seat for the named bot or, if none is named, for a person. */
export interface SeatRequest {
  bot?: string | null;
  lucky?: number[] | null;
  sheet?: string | null;
}

/** The secret of a seat. */
export interface SeatSecret {
  secret: string;
}

/** A seat that a person has taken. */
export interface SeatTaken {
  seat: number;
  name: string;
}

/** The seats that were taken; a `hello` with `last_seq` set to `seq` is not answered before they are known. */
export interface SeatsTaken {
  table: string;
  seats: SeatTaken[];
  seq: number;
}

/** Give the share of a seat, once all have committed to theirs. */
export interface Share {
  type: 'share';
  table: string;
  seat: number;
  share: string;
  id: string;
}

/** A sheet: marked numbers, and the states of cells and boxes from left to right. */
export interface Sheet {
  rows: Record<string, number[]>;
  fields: Record<string, number[]>;
  cells: Record<string, ('closed' | 'lost' | 'marked' | 'open')[]>;
  closed: string[];
  locks: string[];
  to_lock: Record<string, number>;
  misthrows: number;
  points: Record<string, number>;
  total: number;
  lucky: [number, number] | null;
  bar_used: number;
  bar: ('free' | 'struck' | 'used')[];
  pairs: string[];
  pair_boxes: number[];
  letter: string | null;
  steps: string[];
  joined: [string, string][];
  swaps: string[];
  swap_states: ('free' | 'lost' | 'used')[];
  second: Record<string, number[]>;
  second_states: Record<string, ('closed' | 'lost' | 'marked' | 'open')[]>;
}

/** A kind of sheet: its steps and its pairs of joined cells; the only one of a variant has no letter. */
export interface SheetInfo {
  letter: string | null;
  steps: string[];
  joined: [string, string][];
}

/** Sheets to print of an own variant. */
export interface SheetsRequest {
  file: string;
  language?: 'de' | 'en' | 'nl';
  paper?: 'a4' | 'letter';
}

/** At a table without dice: the marks since the last roll in order, the rows that were locked, with the players. */
export interface SinceRoll {
  marks: SeatMark[];
  locks: Record<string, number[]>;
  ending: boolean;
}

/** Start the game; free seats are removed. */
export interface Start {
  type: 'start';
  table: string;
  id: string;
}

/** A game that is about to start waits for shares of its chance; without them it is void at the time `until`. */
export interface StartState {
  commitment: string;
  seats: StartingSeat[];
  until: number;
}

/** A seat of a game that is about to start. */
export interface StartingSeat {
  seat: number;
  shares: boolean;
  commitment: string | null;
  shared: boolean;
}

/** The code of a new table, the secret of its invite link and the number of its last event. */
export interface TableCreated {
  table: string;
  invite: string;
  seq: number;
}

/** A table to create. */
export interface TableRequest {
  variant: string;
  seats: SeatRequest[];
  seconds?: number | null;
  id?: string | null;
  pause?: number;
  variant_file?: string | null;
  hints?: boolean;
  dice?: 'entered' | 'entered-by-anybody' | 'none' | 'rolled';
}

/** Ask to take back a decision that has been revealed, until the next roll; all other people must agree. */
export interface Takeback {
  type: 'takeback';
  table: string;
  seat: number;
  turn: number;
  phase: string;
  id: string;
}

/** A request to take back a decision, and who has agreed. */
export interface TakebackRequest {
  seat: number;
  turn: number;
  phase: string;
  agreed: number[];
  until: number;
}

/** A turn as in the record. Fields that are not revealed yet or not part of the game are left out. */
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

/** At a table without dice: undo the last mark of a seat in the roll `turn`, which is `option`. */
export interface Undo {
  type: 'undo';
  table: string;
  seat: number;
  turn: number;
  option: string;
  id: string;
}

/** The text of the file of an own variant. */
export interface VariantFile {
  file: string;
}

/** A variant, with all that is needed to draw its sheet. */
export interface VariantInfo {
  id: string;
  name: Record<string, string>;
  about: Record<string, string>;
  most_players: number;
  dice: Record<string, number>;
  rows: RowInfo[];
  closing: number;
  needed: number | number[];
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
  sheets: SheetInfo[];
  swaps: [number, number][];
  second: boolean;
}

/** The variants that can be played. */
export interface Variants {
  variants: VariantInfo[];
}

/** The complete view of a table for one device; a higher `seq` is newer. */
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
  final: number[];
  deadline: number | null;
  own: Own[];
  result: Result | null;
  pause: number;
  roll_at: number | null;
  host: number | null;
  open: boolean;
  invite: string | null;
  hash: string;
  takeback: TakebackRequest | null;
  votes: Votes | null;
  rematch: RematchState | null;
  variant_hash: string | null;
  hints: boolean;
  dice: 'entered' | 'entered-by-anybody' | 'none' | 'rolled';
  entering: number[];
  awaited: number[];
  since_roll: SinceRoll | null;
  start: StartState | null;
  voided: number[];
  void_starts?: number;
}

/** The players who want a bot to play for a connected player who does not decide. */
export interface Votes {
  seat: number;
  bot: string;
  voters: number[];
}

/** Ask why a cell, box or field cannot be marked now; nothing is stored. */
export interface Why {
  type: 'why';
  table: string;
  seat: number;
  spot: string;
  id: string;
  swap?: string | null;
  chosen?: string | null;
}

/** Take back a decision that has not been revealed. */
export interface Withdraw {
  type: 'withdraw';
  table: string;
  seat: number;
  turn: number;
  phase: string;
  id: string;
}

export type AnyMessage = Hello | Commit | Share | Decide | Roll | Withdraw | Takeback | Agree | Mark | Undo | Rematch | Leave | Return | Plan | Start | Remove | Access | Replace | NewRoll | Finish | Why | Bye | Ping;

export type AnyReply = View | Ack | Error | Pong | Obstacle;

export type Code =
  | 'message'
  | 'too-large'
  | 'too-fast'
  | 'connections'
  | 'version'
  | 'origin'
  | 'not-found'
  | 'method'
  | 'history'
  | 'storage'
  | 'no-table'
  | 'server-full'
  | 'busy'
  | 'draining'
  | 'tables'
  | 'not-followed'
  | 'variant'
  | 'variant-file'
  | 'bot'
  | 'lucky'
  | 'sheet'
  | 'name'
  | 'name-taken'
  | 'seat-taken'
  | 'full'
  | 'started'
  | 'not-started'
  | 'not-starting'
  | 'share'
  | 'no-secrets'
  | 'not-over'
  | 'secret'
  | 'not-yours'
  | 'invite'
  | 'closed'
  | 'not-host'
  | 'handover'
  | 'record'
  | 'past'
  | 'early'
  | 'not-to-act'
  | 'dice'
  | 'not-to-roll'
  | 'dice-stand'
  | 'dice-changed'
  | 'decided'
  | 'illegal'
  | 'not-decided'
  | 'no-takeback'
  | 'no-request'
  | 'limit'
  | 'late'
  | 'id-reused'
  | 'not-absent'
  | 'no-person';
