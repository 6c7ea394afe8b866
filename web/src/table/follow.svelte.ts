/** A table as this device follows it: the newest view, what has been sent and not been answered, and the connection. */
import { device, type Place } from '../device.svelte.ts';
import { VERSION, type AnyMessage, type AnyReply, type Choice, type Code, type View } from '../protocol.ts';

type Command = Extract<AnyMessage, { id: string }>;
type Wish = Command extends infer One ? (One extends Command ? Omit<One, 'id' | 'table'> : never) : never;

export interface Trouble {
  code: Code | 'lost-seat';
  values: Record<string, unknown>;
}

const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;
const PING_EVERY = 10_000;
const SILENCE = 25_000;
const RELOADED = 'rowlock.reloaded';

export class Following {
  view = $state.raw<View | null>(null);
  /** Whether the server is there; a table that has been seen stays on the screen without it. */
  online = $state(false);
  /** Why there is nothing to follow: no such table, another version. */
  refused = $state.raw<Trouble | null>(null);
  /** What was refused last, until the next command. */
  trouble = $state.raw<Trouble | null>(null);
  places = $state.raw<Place[]>([]);
  /** Decisions of the moment shown that are under way, by seat: shown as made before the server has said so. */
  sent = $state.raw<Map<number, Choice | null>>(new Map());

  #table: string;
  #socket: WebSocket | null = null;
  #greeting = '';
  #greeted = false;
  #answered = false;
  #testing = false;
  #untried: Place[] = [];
  #waiting: Command[] = [];
  #wait = FIRST_WAIT;
  #retry = 0;
  #heard = 0;
  #beat = 0;
  #ended = false;
  #clock = 0;

  constructor(table: string) {
    this.#table = table;
    this.places = device.places(table);
    this.#beat = setInterval(() => this.#listen(), 2500) as unknown as number;
    addEventListener('online', this.#now);
    addEventListener('offline', this.#gone);
    document.addEventListener('visibilitychange', this.#seen);
    this.#open();
  }

  /** Follow no more. */
  end(): void {
    this.#ended = true;
    clearInterval(this.#beat);
    clearTimeout(this.#retry);
    removeEventListener('online', this.#now);
    removeEventListener('offline', this.#gone);
    document.removeEventListener('visibilitychange', this.#seen);
    this.#socket?.close();
  }

  /** The seats that belong to this device here have changed. */
  take(places: Place[]): void {
    this.places = places;
    device.remember(this.#table, { places });
    if (this.#socket?.readyState === WebSocket.OPEN) this.#greet();
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
    if (this.#greeted) this.#send(command);
  }

  // The connection

  #open(): void {
    if (this.#ended || this.#socket) return;
    const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/api/socket`);
    this.#socket = socket;
    this.#heard = Date.now();
    socket.onopen = () => this.#greet();
    socket.onmessage = (event) => {
      this.#heard = Date.now();
      this.#receive(JSON.parse(event.data as string) as AnyReply);
    };
    socket.onclose = () => {
      if (this.#socket === socket) this.#lost();
    };
  }

  #greet(): void {
    this.#greeted = this.#answered = false;
    this.#greeting = fresh();
    this.#send({
      type: 'hello',
      version: VERSION,
      table: this.#table,
      secrets: this.places.map((place) => place.secret),
      last_seq: this.view?.seq ?? 0,
      id: this.#greeting,
    });
  }

  #send(message: AnyMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #lost(): void {
    this.#socket?.close();
    this.#socket = null;
    this.#greeted = this.online = false;
    clearTimeout(this.#retry);
    if (this.#ended || (this.refused && this.refused.code !== 'storage')) return;
    this.#retry = setTimeout(() => this.#open(), this.#wait * (0.75 + Math.random() / 2)) as unknown as number;
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
  }

  #now = (): void => {
    this.#wait = FIRST_WAIT;
    clearTimeout(this.#retry);
    this.#open();
  };

  #gone = (): void => {
    if (this.#socket) this.#lost();
  };

  #seen = (): void => {
    if (document.visibilityState === 'visible') this.#now();
  };

  /** A connection that says nothing for long, though it was asked, is no connection. */
  #listen(): void {
    const silent = Date.now() - this.#heard;
    if (!this.#socket) return;
    if (silent > SILENCE) this.#lost();
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
    if (this.#greeted) this.#settle(view);
    else if (this.#answered) this.#arrived(view);
  }

  /** The first view after a greeting: now it is clear what still fits. */
  #arrived(view: View): void {
    this.#greeted = this.online = true;
    this.refused = null;
    this.#wait = FIRST_WAIT;
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
    if (id === this.#greeting) {
      if (this.#testing && this.#untried.length > 0) this.#tryNext();
      else this.#answered = true;
      return;
    }
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
      if (code === 'secret') this.#findSeatsThatAreOurs();
      else if (code === 'version') this.#reload();
      else {
        this.refused = { code, values };
        if (code === 'storage') this.#lost();
      }
      return;
    }
    this.#waiting = this.#waiting.filter((one) => one.id !== id);
    this.sent = new Map();
    // Such a decision came too late to matter, or was made twice: the view shows what is.
    if (id !== null && code !== 'past' && code !== 'decided' && code !== 'not-decided') this.trouble = { code, values };
  }

  /** One of the secrets opens no seat any more: they are tried one by one. */
  #findSeatsThatAreOurs(): void {
    if (this.#testing) {
      this.places = this.places.slice(0, -1);
      this.trouble = { code: 'lost-seat', values: {} };
    } else {
      this.#testing = true;
      this.#untried = this.places;
      this.places = [];
    }
    this.#tryNext();
  }

  #tryNext(): void {
    const [next, ...others] = this.#untried;
    this.#untried = others;
    if (next) this.places = [...this.places, next];
    else this.#testing = false;
    device.remember(this.#table, { places: [...this.places, ...others] });
    this.#greet();
  }

  /** This page is older than the server: a fresh one speaks its language; once is enough to find out. */
  #reload(): void {
    if (sessionStorage.getItem(RELOADED)) {
      this.refused = { code: 'version', values: {} };
    } else {
      sessionStorage.setItem(RELOADED, '1');
      location.reload();
    }
  }
}

/** An id of one's own, also where the page is not served securely. */
function fresh(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
