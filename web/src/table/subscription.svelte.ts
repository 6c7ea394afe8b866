/** A table as this device follows it: the newest view, what has been sent and not been answered, and the connection. */
import { device, type Place } from '../storage.svelte.ts';
import { VERSION, type AnyMessage, type AnyReply, type Choice, type Code, type View } from '../protocol.ts';
import { CONNECTING, isOnline, lostSeat, step, waitBeforeRetry, type Connection, type ConnectionEvent, type Trouble } from './connection.ts';

type Command = Extract<AnyMessage, { id: string }>;
type Wish = Command extends infer One ? (One extends Command ? Omit<One, 'id' | 'table'> : never) : never;

const LISTEN_EVERY = 2500;
const PING_EVERY = 10_000;
const SILENCE = 25_000;
const RELOADED = 'rowlock.reloaded';

export class Following {
  view = $state.raw<View | null>(null);
  /** What was refused last, until the next command. */
  trouble = $state.raw<Trouble | null>(null);
  places = $state.raw<Place[]>([]);
  /** Decisions of the moment shown that are under way, by seat: shown as made before the server has said so. */
  sent = $state.raw<Map<number, Choice | null>>(new Map());

  #connection = $state.raw<Connection>(CONNECTING);
  #table: string;
  #socket: WebSocket | null = null;
  #greeting = '';
  #waiting: Command[] = [];
  #retry = 0;
  #heard = 0;
  #beat = 0;
  #clock = 0;

  constructor(table: string) {
    this.#table = table;
    this.places = device.places(table);
    this.#beat = setInterval(() => this.#listen(), LISTEN_EVERY) as unknown as number;
    addEventListener('online', this.#wake);
    addEventListener('offline', this.#gone);
    document.addEventListener('visibilitychange', this.#seen);
    this.#open();
  }

  /** Whether the server is there; a table that has been seen stays on the screen without it. */
  get online(): boolean {
    return isOnline(this.#connection);
  }

  /** Why there is nothing to follow: no such table, another version. */
  get refused(): Trouble | null {
    return this.#connection.trouble;
  }

  /** Follow no more. */
  end(): void {
    clearInterval(this.#beat);
    removeEventListener('online', this.#wake);
    removeEventListener('offline', this.#gone);
    document.removeEventListener('visibilitychange', this.#seen);
    this.#happened({ type: 'end' });
  }

  /** The seats that belong to this device here have changed. */
  take(places: Place[]): void {
    this.places = places;
    device.remember(this.#table, { places });
    this.#happened({ type: 'seats', places });
  }

  /** The server's clock, milliseconds. */
  now(): number {
    return Date.now() + this.#clock;
  }

  // What a player does

  decide(seat: number, choice: Choice): void {
    const position = this.view?.position;
    if (!position) return;
    this.sent = new Map(this.sent).set(seat, choice);
    this.#do({ type: 'decide', seat, turn: position.turn, phase: position.phase, option: choice.option });
  }

  withdraw(seat: number): void {
    const position = this.view?.position;
    if (!position) return;
    this.sent = new Map(this.sent).set(seat, null);
    this.#do({ type: 'withdraw', seat, turn: position.turn, phase: position.phase });
  }

  start(): void {
    this.#do({ type: 'start' });
  }

  leave(seat: number): void {
    this.#do({ type: 'leave', seat });
  }

  replace(seat: number, bot: string): void {
    this.#do({ type: 'replace', seat, bot });
  }

  /** Send a command, now or as soon as the server is there; under the same id it is done once. */
  #do(wish: Wish): void {
    this.trouble = null;
    const command = { ...wish, table: this.#table, id: fresh() } as Command;
    this.#waiting = [...this.#waiting, command];
    if (this.#connection.state === 'live') this.#send(command);
  }

  // The connection

  #happened(event: ConnectionEvent): void {
    const before = this.#connection;
    const now = (this.#connection = step(before, event));
    if (now.state === 'greeting' && now !== before) {
      if (lostSeat(before, now)) this.trouble = { code: 'lost-seat', values: {} };
      this.#greet(now.places, now.untried ?? []);
    }
    if (now.state === before.state) return;
    clearTimeout(this.#retry);
    if (now.state === 'connecting') this.#open();
    else if (now.state === 'lost' || now.state === 'refused' || now.state === 'ended') this.#close();
    if (now.state === 'lost') {
      this.#retry = setTimeout(() => this.#happened({ type: 'retry' }), waitBeforeRetry(now, Math.random())) as unknown as number;
    }
  }

  #open(): void {
    const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/api/socket`);
    this.#socket = socket;
    this.#heard = Date.now();
    socket.onopen = () => this.#happened({ type: 'opened', places: this.places });
    socket.onmessage = (event) => {
      this.#heard = Date.now();
      this.#receive(JSON.parse(event.data as string) as AnyReply);
    };
    socket.onclose = () => {
      if (this.#socket === socket) this.#happened({ type: 'closed' });
    };
  }

  #close(): void {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #greet(places: Place[], untried: Place[]): void {
    if (places !== this.places) {
      this.places = places;
      device.remember(this.#table, { places: [...places, ...untried] });
    }
    this.#greeting = fresh();
    this.#send({
      type: 'hello',
      version: VERSION,
      table: this.#table,
      secrets: places.map((place) => place.secret),
      last_seq: this.view?.seq ?? 0,
      id: this.#greeting,
    });
  }

  #send(message: AnyMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #wake = (): void => this.#happened({ type: 'wake' });

  #gone = (): void => this.#happened({ type: 'closed' });

  #seen = (): void => {
    if (document.visibilityState === 'visible') this.#wake();
  };

  /** A connection that says nothing for long, though it was asked, is no connection. */
  #listen(): void {
    const silent = Date.now() - this.#heard;
    if (!this.#socket) return;
    if (silent > SILENCE) this.#gone();
    else if (silent > PING_EVERY) this.#send({ type: 'ping' });
  }

  // What the server says

  #receive(reply: AnyReply): void {
    if (reply.type === 'view') this.#see(reply);
    else if (reply.type === 'ack') this.#acknowledged(reply.id, reply.seq);
    else if (reply.type === 'error') this.#refusedBy(reply.id, reply.code as Code, reply.values);
  }

  #see(view: View): void {
    if (this.view && view.seq < this.view.seq) return;
    this.#clock = view.now - Date.now();
    const [before, now] = [this.view?.position, view.position];
    if (before?.turn !== now?.turn || before?.phase !== now?.phase) this.sent = new Map();
    this.view = view;
    if (this.#connection.state === 'greeted') this.#arrived(view);
    else if (this.#connection.state === 'live') this.#settle(view);
  }

  /** The first view after a greeting: now it is clear what still fits. */
  #arrived(view: View): void {
    this.#happened({ type: 'viewed' });
    sessionStorage.removeItem(RELOADED);
    this.#sendWhatWaits(view);
    this.#settle(view);
  }

  /** What the view says itself need not be remembered as sent. */
  #settle(view: View): void {
    this.#keepSeatsThatAreOurs(view);
    const open = new Set(this.#waiting.map((one) => ('seat' in one ? one.seat : -1)));
    this.sent = new Map([...this.sent].filter(([seat]) => open.has(seat)));
    device.remember(this.#table, {
      variant: view.variant,
      players: view.seats.map((seat) => seat.name ?? ''),
      over: view.state === 'over',
    });
  }

  #keepSeatsThatAreOurs(view: View): void {
    const names = new Set(view.own.map((own) => view.seats[own.seat]?.name));
    const kept = this.places.filter((place) => names.has(place.name));
    if (kept.length === this.places.length) return;
    if (view.state !== 'waiting') this.trouble = { code: 'lost-seat', values: {} };
    this.places = kept;
    device.remember(this.#table, { places: kept });
  }

  #acknowledged(id: string | null, seq: number): void {
    if (id === this.#greeting) return this.#happened({ type: 'acknowledged' });
    this.#waiting = this.#waiting.filter((one) => one.id !== id);
    if (this.view && this.view.seq >= seq) this.#settle(this.view);
  }

  /** After a break: what still fits is sent, with the id it had; what the table has moved past is let go. */
  #sendWhatWaits(view: View): void {
    const stands = view.position;
    this.#waiting = this.#waiting.filter(
      (one) => !('turn' in one) || !stands || (one.turn === stands.turn && one.phase === stands.phase),
    );
    for (const one of this.#waiting) this.#send(one);
  }

  #refusedBy(id: string | null, code: Code, values: Record<string, unknown>): void {
    if (id === this.#greeting) {
      if (code === 'version' && this.#reload()) return;
      return this.#happened({ type: 'rejected', trouble: { code, values } });
    }
    this.#waiting = this.#waiting.filter((one) => one.id !== id);
    this.sent = new Map();
    // Such a decision came too late to matter, or was made twice: the view shows what is.
    if (id !== null && code !== 'past' && code !== 'decided' && code !== 'not-decided') this.trouble = { code, values };
  }

  /** This page is older than the server: a fresh one speaks its language; once is enough to find out. */
  #reload(): boolean {
    if (sessionStorage.getItem(RELOADED)) return false;
    sessionStorage.setItem(RELOADED, '1');
    location.reload();
    return true;
  }
}

/** An id of one's own, also where the page is not served securely. */
function fresh(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
