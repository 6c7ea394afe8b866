/** A subscription to a table: its newest view, the commands without an answer, and the connection. */
import { randomHex } from '../api.ts';
import { reloadNewest } from '../serviceWorker.svelte.ts';
import { localTables, LocalSocket } from '../local/client.svelte.ts';
import { isLocal } from '../pages.ts';
import { device, type SeatCredentials } from '../storage.svelte.ts';
import { VERSION, type Ack, type AnyMessage, type AnyReply, type Choice, type Code, type Obstacle, type Plan, type TakebackRequest, type View, type Why } from '../protocol.ts';
import { CONNECTING, isOnline, lostSeat, nextState, retryDelay, secretRetryDelay, type Connection, type ConnectionEvent, type TableError } from './connection.ts';
import { shownIn } from '../fairness/shown.ts';
import { hasRealDice } from './realDice.ts';
import { reopenableTurn, seatsToAnswer, wasDeclined } from './takeback.ts';

type Command = Exclude<Extract<AnyMessage, { id: string }>, Why>;
type CommandBody = Command extends infer One ? (One extends Command ? Omit<One, 'id' | 'table'> : never) : never;

// Milliseconds; the last two are without a message from the server
const CHECK_INTERVAL = 2500;
const PING_AFTER = 10_000;
const TIMEOUT = 25_000;
/** The key in the session storage that marks a page that was reloaded because of its version. */
const RELOADED = 'rowlock.reloaded';

/** An obstacle, the seat that asked and what it pointed at. */
export type ReportedObstacle = Pick<Obstacle, 'obstacle' | 'values'> & { spot: string; seat: number };

/** What a game that is played needs of a subscription; a lesson has it too. */
export type PlaySubscription = Readonly<
  Pick<
    TableSubscription,
    | 'sent'
    | 'phaseNumber'
    | 'online'
    | 'saved'
    | 'botWaits'
    | 'changed'
    | 'error'
    | 'obstacle'
    | 'now'
    | 'decide'
    | 'withdraw'
    | 'ask'
    | 'clearObstacle'
    | 'askTakeback'
    | 'answerTakeback'
    | 'playOn'
    | 'replace'
  >
>;

export class TableSubscription {
  view = $state.raw<View | null>(null);
  /** The error of the last command, until the next one. */
  error = $state.raw<TableError | null>(null);
  /** The seats that this device plays now; storage may hold others, whose secrets the server has refused. */
  credentials = $state.raw<SeatCredentials[]>([]);
  /** Decisions that were sent in this phase and are not in a view yet, by seat; null for a withdrawal. */
  sent = $state.raw<Map<number, Choice | null>>(new Map());
  /** How many phases were shown here; after a take-back the same turn and phase come again. */
  phaseNumber = $state(0);
  /** The secret of the invite link, if it is known here. */
  invite = $state<string | null>(null);
  /** Why what was tapped last cannot be marked; until the next tap or phase. */
  obstacle = $state.raw<ReportedObstacle | null>(null);
  /** Whether the server has shown another history of the table than before. */
  changed = $state(false);

  #connection = $state.raw<Connection>(CONNECTING);
  #table: string;
  #socket: WebSocket | LocalSocket | null = null;
  #helloId = '';
  #question: Why | null = null;
  /** The newest event that is known here, as `hello` has named it. */
  #last: { seq: number; hash: string | null } = { seq: 0, hash: null };
  /** The number of the roll that was announced here last; 0 if none was. */
  #announced = 0;
  /** Commands without an answer. */
  #pending: Command[] = [];
  /** The names of people at this device who have given up their seats. */
  #left = new Set<string | null>();
  #retryTimer = 0;
  #secretTimer = 0;
  #secretRetries = 0;
  /** When the last message of the server came, in milliseconds. */
  #lastReceived = 0;
  #checkTimer = 0;
  /** How many milliseconds the server's clock is ahead of this device's. */
  #clockOffset = 0;

  constructor(table: string, invite: string | null = null) {
    this.#table = table;
    this.invite = invite ?? device.savedTable(table)?.invite ?? null;
    this.changed = device.savedTable(table)?.changed ?? false;
    this.credentials = device.credentials(table);
    this.#checkTimer = setInterval(() => this.#checkConnection(), CHECK_INTERVAL) as unknown as number;
    if (this.shared) {
      addEventListener('online', this.#onOnline);
      addEventListener('offline', this.#onOffline);
    }
    document.addEventListener('visibilitychange', this.#onVisibilityChange);
    this.#openSocket();
  }

  /** Whether the table is live; without a connection the last view stays on the screen. */
  get online(): boolean {
    return isOnline(this.#connection);
  }

  /** Whether other devices can take part: the table is on a server. */
  get shared(): boolean {
    return !isLocal(this.#table);
  }

  /** Whether everything is stored; a server always stores first. */
  get saved(): boolean {
    return this.shared || localTables.saved;
  }

  /** Whether a bot waits for its weights, which cannot be loaded now. */
  get botWaits(): boolean {
    return !this.shared && localTables.waiting;
  }

  /** Why the server refused the subscription: no such table, another version. */
  get refused(): TableError | null {
    return this.#connection.error;
  }

  close(): void {
    clearInterval(this.#checkTimer);
    removeEventListener('online', this.#onOnline);
    removeEventListener('offline', this.#onOffline);
    document.removeEventListener('visibilitychange', this.#onVisibilityChange);
    this.#dispatch({ type: 'end' });
  }

  /** Connect again after a refusal, with the invite secret of a link if there is a new one. */
  retry(invite: string | null = null): void {
    this.invite = invite ?? this.invite;
    this.#dispatch({ type: 'wake' });
  }

  /** Change the seats of this device. */
  setCredentials(credentials: SeatCredentials[]): void {
    this.credentials = credentials;
    if (this.error && ['removed', 'lost-seat', 'seat-refused'].includes(this.error.code)) this.error = null;
    device.saveTable(this.#table, { places: credentials });
    this.#dispatch({ type: 'seats', credentials });
  }

  /** The server's time in milliseconds. */
  now(): number {
    return Date.now() + this.#clockOffset;
  }

  // Commands

  decide(seat: number, choice: Choice): void {
    const position = this.view?.position;
    if (!position) return;
    this.sent = new Map(this.sent).set(seat, choice);
    const dice = hasRealDice(this.view!) && position.dice ? { dice: position.dice.roll } : {}; // they may be corrected meanwhile
    this.#command({ type: 'decide', seat, turn: position.turn, phase: position.phase, option: choice.option, ...dice });
  }

  /** Enter the dice of this turn, or correct those that lie there. */
  enterDice(seat: number, dice: string): void {
    const position = this.view?.position;
    if (position) this.#command({ type: 'roll', seat, turn: position.turn, dice, corrects: position.dice?.roll ?? null });
  }

  withdraw(seat: number): void {
    const position = this.view?.position;
    if (!position) return;
    this.sent = new Map(this.sent).set(seat, null);
    this.#command({ type: 'withdraw', seat, turn: position.turn, phase: position.phase });
  }

  start(): void {
    this.#command({ type: 'start' });
  }

  /** Change game, seats and options before the start, as the host. */
  plan(plan: Omit<Plan, 'type' | 'id' | 'table'>): void {
    this.#command({ type: 'plan', ...plan });
  }

  leave(seat: number): void {
    this.#left.add(this.view?.seats[seat]?.name ?? null);
    this.#command({ type: 'leave', seat });
  }

  replace(seat: number, bot: string): void {
    this.#command({ type: 'replace', seat, bot });
  }

  // At a table without dice

  /** The number of the roll in which marks are made: a new one that was announced here may not be in a view yet. */
  get #roll(): number {
    return Math.max(this.view?.position?.turn ?? 0, this.#announced);
  }

  mark(seat: number, choice: Choice): void {
    const { option, closed = [] } = choice;
    this.sent = new Map(this.sent).set(seat, choice);
    this.#command({ type: 'mark', seat, turn: this.#roll, option, closed: closed.join('') });
  }

  /** Undo a mark, if it is the last one of its player. */
  undo(seat: number, { option }: Choice): void {
    this.sent = new Map(this.sent).set(seat, null);
    this.#command({ type: 'undo', seat, turn: this.#roll, option });
  }

  /** Say that the dice are rolled again. */
  newRoll(): void {
    const turn = this.view?.position?.turn;
    if (turn === undefined) return;
    this.#command({ type: 'newroll', turn });
    this.#announced = turn + 1;
  }

  /** End the game. */
  finish(): void {
    this.#command({ type: 'finish', turn: this.#roll });
  }

  /** Ask the others to take back a revealed decision. */
  askTakeback(decision: Pick<TakebackRequest, 'seat' | 'turn' | 'phase'>): void {
    this.#command({ type: 'takeback', ...decision });
  }

  /** Answer a request to take back for all people at this device; one refusal is enough. */
  answerTakeback(agree: boolean): void {
    const request = this.view?.takeback;
    if (!this.view || !request) return;
    const { seat: asker, turn, phase } = request;
    const seats = seatsToAnswer(this.view, request);
    for (const seat of agree ? seats : seats.slice(0, 1)) this.#command({ type: 'agree', seat, asker, turn, phase, agree });
  }

  /** Free the seat of somebody else, as the host. */
  remove(seat: number): void {
    this.#command({ type: 'remove', seat });
  }

  /** Open the table to others or close it, as the host. */
  setAccess(open: boolean): void {
    this.#command({ type: 'access', open });
  }

  /** Answer for all people at this device whether they play a rematch. If they agree, those for whom a bot plays take their seats back. */
  answerRematch(agree: boolean): void {
    for (const { seat } of this.view?.own ?? []) {
      if (agree) this.playOn(seat);
      this.#command({ type: 'rematch', seat, agree });
    }
  }

  /** Play again on a seat for which the others let a bot play. */
  playOn(seat: number): void {
    if (this.view?.seats[seat]?.bot) this.#command({ type: 'return', seat });
  }

  /** Ask why a cell, box or field cannot be marked; the answer is `obstacle`. */
  ask(question: Omit<Why, 'type' | 'id' | 'table'>): void {
    this.obstacle = null;
    this.#question = { type: 'why', ...question, table: this.#table, id: randomHex(12) };
    this.#send(this.#question);
  }

  /** Forget the last question and its answer. */
  clearObstacle(): void {
    this.#question = this.obstacle = null;
  }

  /** Send a command, now or when the table is live again; the server executes commands with the same id once. */
  #command(body: CommandBody): void {
    this.error = null;
    const command = { ...body, table: this.#table, id: randomHex(12) } as Command;
    this.#pending = [...this.#pending, command];
    if (this.#connection.state === 'live') this.#send(command);
  }

  // The connection

  #dispatch(event: ConnectionEvent): void {
    const before = this.#connection;
    const now = (this.#connection = nextState(before, event));
    if (now.state === 'subscribing' && now !== before) {
      if (lostSeat(before, now)) this.error = { code: 'seat-refused', values: {} };
      this.#sendHello(now.credentials);
    }
    if (now.state === before.state) return;
    clearTimeout(this.#retryTimer);
    clearTimeout(this.#secretTimer);
    if (now.state === 'connecting') this.#openSocket();
    else if (now.state === 'lost' || now.state === 'refused' || now.state === 'ended') this.#closeSocket();
    if (now.state === 'refused') this.#retrySecrets();
    if (now.state === 'lost') {
      this.#retryTimer = setTimeout(() => this.#dispatch({ type: 'retry' }), retryDelay(now, Math.random())) as unknown as number;
    }
  }

  #openSocket(): void {
    const socket = this.shared ? new WebSocket(new URL('api/socket', document.baseURI).href.replace('http', 'ws')) : new LocalSocket();
    this.#socket = socket;
    this.#lastReceived = Date.now();
    socket.onopen = () => {
      this.#secretRetries = 0;
      this.#dispatch({ type: 'opened', credentials: device.credentials(this.#table) });
    };
    socket.onmessage = (event: { data: unknown }) => {
      this.#lastReceived = Date.now();
      this.#receive(JSON.parse(event.data as string) as AnyReply);
    };
    socket.onclose = () => {
      if (this.#socket === socket) this.#dispatch({ type: 'closed' });
    };
  }

  #closeSocket(): void {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #sendHello(credentials: SeatCredentials[]): void {
    this.credentials = credentials;
    this.#helloId = randomHex(12);
    // The last answer may name a later event than the last view; only a view has the hash of its event.
    const { seq = 0, hash = null } = device.savedTable(this.#table) ?? {};
    this.#last = this.view && this.view.seq >= seq ? this.view : { seq, hash };
    this.#send({
      type: 'hello',
      version: VERSION,
      table: this.#table,
      secrets: credentials.map((one) => one.secret),
      invite: this.invite,
      last_seq: this.#last.seq,
      id: this.#helloId,
    });
  }

  #send(message: AnyMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #onOnline = (): void => this.#dispatch({ type: 'wake' });

  #onOffline = (): void => this.#dispatch({ type: 'closed' });

  #onVisibilityChange = (): void => {
    if (document.visibilityState === 'visible') this.#onOnline();
  };

  /** Ping a silent connection, and give it up if it stays silent. */
  #checkConnection(): void {
    const silence = Date.now() - this.#lastReceived;
    if (!this.#socket) return;
    if (silence > TIMEOUT) this.#onOffline();
    else if (silence > PING_AFTER) this.#send({ type: 'ping' });
  }

  // Replies

  #receive(reply: AnyReply): void {
    if (reply.type === 'view') this.#onView(reply);
    else if (reply.type === 'ack') this.#onAck(reply);
    else if (reply.type === 'obstacle') this.#onObstacle(reply);
    else if (reply.type === 'error') this.#onError(reply.id, reply.code as Code, reply.values);
  }

  #onObstacle(reply: Obstacle): void {
    if (reply.id === this.#question?.id) this.obstacle = { ...reply, spot: this.#question.spot, seat: this.#question.seat };
  }

  #onView(view: View): void {
    // What this device keeps of its table would not be compared with the game of another one.
    if (view.table !== this.#table || (this.view && view.seq < this.view.seq)) return;
    this.#clockOffset = view.now - Date.now();
    const [before, now] = [this.view?.position, view.position];
    // Dice that were corrected begin the phase anew.
    if (before?.turn !== now?.turn || before?.phase !== now?.phase || before?.dice?.roll !== now?.dice?.roll) {
      this.sent = new Map();
      this.clearObstacle();
      this.phaseNumber++;
    }
    if (wasDeclined(this.view, view)) this.error = { code: 'takeback-declined', values: {} };
    this.view = view;
    if (this.#connection.state === 'subscribed') this.#onFirstView(view);
    else if (this.#connection.state === 'live') this.#sync(view);
    if (view.start && view.own.length) void this.#giveShares(view);
  }

  /** Commit to the shares of this device when the game is about to start, and give them when all have committed. */
  async #giveShares(view: View): Promise<void> {
    const { shareCommands } = await import('../fairness/sharing.ts');
    for (const command of await shareCommands(view)) this.#command(command);
  }

  /** The first view after `hello` shows which commands are still valid. */
  #onFirstView(view: View): void {
    this.#dispatch({ type: 'viewed' });
    sessionStorage.removeItem(RELOADED);
    this.#resendPending(view);
    this.#sync(view);
    this.#retrySecrets();
  }

  /** Refused secrets stay in storage and are sent again: the server may not have read the event with the seat yet. */
  #retrySecrets(): void {
    const stored = device.credentials(this.#table);
    if (stored.length <= this.credentials.length) {
      if (this.error?.code === 'seat-refused') this.error = null;
      return;
    }
    const delay = secretRetryDelay(this.#secretRetries++);
    if (delay !== null) this.#secretTimer = setTimeout(() => this.#dispatch({ type: 'seats', credentials: stored }), delay) as unknown as number;
  }

  /** Drop lost seats and acknowledged decisions, and save what the view says about the table. */
  #sync(view: View): void {
    this.#dropLostSeats(view);
    const pendingSeats = new Set(this.#pending.map((one) => ('seat' in one ? one.seat : null)));
    this.sent = new Map([...this.sent].filter(([seat]) => pendingSeats.has(seat)));
    device.saveTable(this.#table, {
      seq: view.seq,
      hash: view.hash,
      changed: this.changed,
      invite: (this.invite = view.invite ?? this.invite),
      variant: view.variant,
      players: view.seats.map((seat) => seat.name ?? ''),
      over: view.state === 'over',
      ...(view.position && view.own.length ? { played: true } : {}),
      ...(this.shared ? { shown: [...new Set([...(device.savedTable(this.#table)?.shown ?? []), ...shownIn(view)])] } : {}),
    });
  }

  /** Forget the seats that were given up: their player stood up, was removed by the host, or continues on another device. */
  #dropLostSeats(view: View): void {
    const names = new Set(view.own.map((own) => view.seats[own.seat]?.name));
    const lost = this.credentials.filter((one) => !names.has(one.name));
    if (!lost.length) return;
    if (view.state !== 'waiting') this.error = { code: 'lost-seat', values: {} };
    else if (lost.some((one) => !this.#left.has(one.name))) this.error = { code: 'removed', values: {} };
    this.#left.clear();
    this.credentials = this.credentials.filter((one) => !lost.includes(one));
    const secrets = lost.map((one) => one.secret);
    device.saveTable(this.#table, { places: device.credentials(this.#table).filter((one) => !secrets.includes(one.secret)) });
  }

  #onAck({ id, seq, hash }: Ack): void {
    if (id === this.#helloId) {
      // The server answers with the hash of the last event that this device has seen; this device may not know it.
      if (this.#last.hash && hash !== this.#last.hash) this.changed = true;
      if (seq < this.#last.seq) {
        this.changed = true; // events are missing, for example because a backup was restored
        this.view = null;
      }
      return this.#dispatch({ type: 'acknowledged' });
    }
    this.#pending = this.#pending.filter((one) => one.id !== id);
    if (this.view && this.view.seq >= seq) this.#sync(this.view);
  }

  /** After a lost connection: send commands again with the same id, without decisions of an older phase. */
  #resendPending(view: View): void {
    const now = view.position;
    this.#pending = this.#pending.filter((one) => {
      if (!('phase' in one) || !now) return true;
      if (one.type === 'agree') return one.asker === view.takeback?.seat && one.turn === view.takeback.turn && one.phase === view.takeback.phase;
      return one.type === 'takeback' ? one.turn === reopenableTurn(view) : one.turn === now.turn && one.phase === now.phase;
    });
    for (const one of this.#pending) this.#send(one);
  }

  #onError(id: string | null, code: Code, values: Record<string, unknown>): void {
    if (id === this.#helloId) {
      if (code === 'version' && this.#reload()) return;
      return this.#dispatch({ type: 'rejected', error: { code, values } });
    }
    if (id === this.#question?.id) return; // then there is no answer
    if (id === null && ['invite', 'closed', 'no-table'].includes(code)) return this.#dispatch({ type: 'expelled', error: { code, values } });
    const refused = this.#pending.find((one) => one.id === id);
    this.#pending = this.#pending.filter((one) => one.id !== id);
    if (refused?.type === 'commit' || refused?.type === 'share') return; // the start is over, which the view shows
    this.sent = new Map();
    if (refused?.type === 'newroll' && code !== 'past') this.#announced = 0;
    const inOtherRoll = ['past', 'early'].includes(code) && refused && 'turn' in refused && values['turn'] !== refused.turn;
    if (refused?.type === 'mark' && (code === 'illegal' || inOtherRoll)) this.error = { code: 'outdated', values, mark: refused };
    else if (refused?.type === 'undo' && code === 'illegal') this.error = { code: 'no-undo', values };
    else if ((refused?.type === 'undo' || refused?.type === 'finish') && inOtherRoll) this.error = { code: 'outdated', values };
    // These decisions came too late or were sent twice; the view shows the result.
    else if (id !== null && code !== 'past' && code !== 'decided' && code !== 'not-decided') this.error = { code, values };
  }

  /** Reload a page that is older than the server, once; false if it was reloaded before. */
  #reload(): boolean {
    if (sessionStorage.getItem(RELOADED)) return false;
    sessionStorage.setItem(RELOADED, '1');
    void reloadNewest();
    return true;
  }
}
