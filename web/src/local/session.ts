/** A table of this device in use: runs commands, stores their events, lets bots decide, tells its subscribers. */
import type { AnyMessage, AnyReply } from '../protocol.ts';
import { ApiError } from '../apiError.ts';
import type { Pace } from '../storage.svelte.ts';
import { Conflict, type Store, type StoredTable } from './store.ts';
import type { StoredEvent, TableEvent } from './events.ts';
import { LocalTable, type Seed } from './table.ts';

/** Milliseconds that a bot waits before it decides, on average. */
const BOT_PAUSE: Record<Pace, number> = { slow: 1600, normal: 500, quick: 100 };
const WEIGHTS_RETRY = 3000;

export type Subscriber = (reply: AnyReply) => void;

export interface Services {
  store: Store;
  /** A new table for these stored events. */
  rebuild(stored: StoredTable, events: StoredEvent[]): Promise<LocalTable>;
  /** The weights of the champion for the game of a table. */
  weights(table: LocalTable): Promise<Uint16Array>;
  /** Open another table, for a rematch; return its code. */
  open(stored: Omit<StoredTable, 'code'>, events: TableEvent[]): Promise<string>;
  /** Tell the pages whether events can be stored. */
  reportSaved(saved: boolean): void;
  /** Tell the pages whether the champion waits for its weights. */
  reportWaiting(waiting: boolean): void;
  /** How fast bots decide. */
  pace(): Pace;
  /** Tell other tabs that a table has changed. */
  announce(code: string): void;
  /** Add a game that has just ended to the games of this device. */
  keep(table: LocalTable, at: number): Promise<unknown>;
}

export const seed: Seed = () => crypto.getRandomValues(new Uint32Array(2)) as unknown as [number, number];

/** A random number from 0 to `count` - 1, all equally likely. */
export function randomBelow(count: number): number {
  const limit = 2 ** 32 - (2 ** 32 % count);
  for (;;) {
    const [word] = seed();
    if (word < limit) return word % count;
  }
}

export class Session {
  table: LocalTable;
  #stored: StoredTable;
  #events: StoredEvent[];
  #services: Services;
  #subscribers = new Set<Subscriber>();
  /** Commands run one after another. */
  #queue: Promise<unknown> = Promise.resolve();
  #botTimers = new Map<string, ReturnType<typeof setTimeout>>();
  #rollTimer: ReturnType<typeof setTimeout> | undefined;
  /** How many events are stored; the others are stored with the next ones. */
  #saved: number;

  constructor(table: LocalTable, stored: StoredTable, events: StoredEvent[], services: Services, saved = events.length) {
    this.table = table;
    this.#stored = stored;
    this.#events = events;
    this.#services = services;
    this.#saved = saved;
    this.#schedule();
  }

  subscribe(subscriber: Subscriber): void {
    this.#subscribers.add(subscriber);
    subscriber(this.#view());
    this.#schedule();
  }

  unsubscribe(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber);
    if (!this.#subscribers.size) this.#stop();
  }

  #view(): AnyReply {
    return this.table.view(Date.now());
  }

  /** Run a command of a page; its answer comes before the view with its effect. */
  command(message: AnyMessage & { id: string }, subscriber: Subscriber): void {
    const { id } = message;
    const table = this.table.code;
    void this.#run(async () => {
      try {
        if (message.type === 'why') return subscriber({ type: 'obstacle', id, table, ...this.table.whyNot(message) });
        for (;;) {
          const events = this.table.command(message, Date.now());
          const first = this.table.seq + 1;
          const answer = (): void => subscriber({ type: 'ack', id, table, seq: events.length ? first : this.table.seq, hash: null });
          if (await this.#append(events, answer)) return;
        }
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        subscriber({ type: 'error', code: error.code, values: error.values, id, table });
      }
    });
  }

  #run<T>(work: () => Promise<T>): Promise<T | undefined> {
    const done = this.#queue.then(work).catch((error: unknown) => {
      console.error(error); // a bug; the next command may still work
      return undefined;
    });
    this.#queue = done;
    return done;
  }

  /** Apply events and what follows from them, store them, and show the new view; false if another tab was faster: then its events count. */
  async #append(events: TableEvent[], before: () => void = () => undefined): Promise<boolean> {
    const at = Date.now();
    const all = events.length ? this.table.append(events, at, seed) : [];
    const appended = await this.#store(all, at);
    if (appended) before();
    this.publish();
    if (!appended) return false;
    if (all.some(({ kind }) => kind === 'ended')) await this.#services.keep(this.table, at);
    if (this.table.rematchDue) await this.#rematch();
    return true;
  }

  /** Store events that are applied already; false if another tab was faster: then its events count. Without storage the game goes on. */
  async #store(events: TableEvent[], at: number): Promise<boolean> {
    this.#events.push(...events.map((event) => ({ at, event })));
    try {
      await this.#services.store.append(this.table.code, this.#saved + 1, this.#events.slice(this.#saved), this.#saved ? null : this.#stored);
      this.#saved = this.#events.length;
      this.#services.reportSaved(true);
      this.#services.announce(this.table.code);
    } catch (error) {
      if (error instanceof Conflict) return !(await this.#reload());
      this.#services.reportSaved(false);
    }
    return true;
  }

  /** Another tab has stored events of this table. */
  changedElsewhere(): Promise<unknown> {
    return this.#run(async () => {
      await this.#reload();
      this.publish();
    });
  }

  /** Read the table anew; false if it is there no more. */
  async #reload(): Promise<boolean> {
    const found = await this.#services.store.read(this.table.code);
    if (!found) return false;
    this.#events = found.events;
    this.#saved = found.events.length;
    this.table = await this.#services.rebuild(found.table, found.events);
    return true;
  }

  publish(): void {
    const view = this.#view();
    for (const subscriber of this.#subscribers) subscriber(view);
    this.#schedule();
  }

  async #rematch(): Promise<void> {
    const { seats, events } = this.table.rematchEvents(randomBelow);
    const { variant, own } = this.#stored;
    const code = await this.#services.open({ variant, own }, events);
    await this.#append([{ kind: 'rematched', table: code, seats }]);
  }

  // Bots and pauses

  #stop(): void {
    clearTimeout(this.#rollTimer);
    for (const timer of this.#botTimers.values()) clearTimeout(timer);
    this.#botTimers.clear();
  }

  /** Start the bots that are to decide, and the next turn after its pause. */
  #schedule(): void {
    const { table } = this;
    clearTimeout(this.#rollTimer);
    if (!this.#subscribers.size) return;
    if (table.rollAt !== null) {
      this.#rollTimer = setTimeout(() => void this.#run(() => this.#beginTurn()), Math.max(0, table.rollAt - Date.now()));
    }
    const waiting = new Map(table.botsToAct.map(({ seat, bot }) => [`${table.game!.turn} ${table.game!.phase} ${seat}`, { seat, bot }]));
    for (const [key, timer] of this.#botTimers) {
      if (waiting.has(key)) continue;
      clearTimeout(timer);
      this.#botTimers.delete(key);
    }
    for (const [key, { seat, bot }] of waiting) {
      if (!this.#botTimers.has(key)) this.#startBot(key, seat, bot, BOT_PAUSE[this.#services.pace()] * (0.5 + Math.random()));
    }
  }

  #startBot(key: string, seat: number, bot: string, delay: number): void {
    this.#botTimers.set(
      key,
      setTimeout(() => void this.#run(() => this.#decide(key, seat, bot)), delay),
    );
  }

  async #beginTurn(): Promise<void> {
    const at = Date.now();
    const events = this.table.beginTurn(at, seed);
    if (!events.length) return;
    await this.#store(events, at);
    this.publish();
  }

  async #decide(key: string, seat: number, bot: string): Promise<void> {
    const { table } = this;
    if (!this.#botTimers.delete(key) || !table.botsToAct.some((one) => one.seat === seat)) return;
    let weights: Uint16Array | null = null;
    if (bot === 'champion') {
      try {
        weights = await this.#services.weights(table);
        this.#services.reportWaiting(false);
      } catch {
        this.#services.reportWaiting(true);
        return this.#startBot(key, seat, bot, WEIGHTS_RETRY);
      }
    }
    await this.#append(table.decideByBot(seat, table.chooseForBot(seat, bot, seed()[0], weights)));
  }

  // Records

  /** The game in notation. */
  record(): string {
    return this.table.record();
  }
}
