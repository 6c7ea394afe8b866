/** The worker in which the tables of this device run. */
import type { AnyMessage, AnyReply, LocalGames, LocalVariant, Replay } from '../protocol.ts';
import { localCode } from '../pages.ts';
import { Kernel } from './kernel.ts';
import { LAYOUT } from './layout.ts';
import { ApiError } from '../apiError.ts';
import { variantOf } from '../setup.ts';
import type { LocalGame } from './game.ts';
import { readRecord } from './record.ts';
import { hints, review, type Depth } from './review.ts';
import { randomBelow, seed, Session, type Subscriber } from './session.ts';
import { Conflict, Store, type StoredTable } from './store.ts';
import { LocalTable, openingEvents, type StoredEvent, type TableEvent, type TablePlan } from './table.ts';

/** What a page sends: a message to a table over one of its connections, or a request. */
export type ToWorker =
  | { connection: number; message: AnyMessage | null }
  | { request: number; name: 'open'; plan: TablePlan; own: LocalVariant | null }
  | { request: number; name: 'record' | 'replay' | 'remove' | 'variant'; table: string }
  | { request: number; name: 'records' }
  | { request: number; name: 'read'; record: string; own: LocalVariant | null }
  | { request: number; name: 'review'; game: GameSource; depth: Depth }
  | { request: number; name: 'hint'; game: GameSource; seat: number }
  | { stop: number };
/** A game of a table on this device, or of a record. */
export type GameSource = { table: string } | { record: string; own: LocalVariant | null };
export type FromWorker = { connection: number; reply: AnyReply } | { request: number; result: unknown } | { request: number; progress: number } | { request: number; error: { code: string; values: Record<string, unknown> } } | { saved: boolean } | { waiting: boolean };

const CODE_LENGTH = 10;
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';

/** The base of the site; the page gives it as the name of the worker. */
const base = self.name;
const post = (message: FromWorker): void => self.postMessage(message);

async function load(path: string): Promise<Response> {
  const response = await fetch(new URL(path, base)).catch(() => null);
  if (!response?.ok) throw new ApiError('offline');
  return response;
}

/** The result of the first call that succeeded, by key. */
function once<T>(make: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const made = new Map<string, Promise<T>>();
  return (key) => {
    const known = made.get(key) ?? make(key);
    made.set(key, known);
    known.catch(() => made.delete(key));
    return known;
  };
}

const kernel = once(async () => Kernel.load(await (await load('local/rowlock.wasm')).arrayBuffer()));
const games = once(async () => (await (await load('local/games.json')).json()) as LocalGames);
const builtIn = once(async (id) => (await (await load(`local/${id}.json`)).json()) as LocalVariant);
const weights = once(async (path) => new Uint16Array(await (await load(path)).arrayBuffer()));

const store = new Store();
const sessions = new Map<string, Promise<Session>>();
const channel = new BroadcastChannel('rowlock');
let lastSaved: boolean | null = null;
let waiting = false;

/** The data of a game; those of another layout come from an older or a newer site. */
async function variantData(name: string, own: LocalVariant | null): Promise<LocalVariant> {
  const variant = own ?? (await builtIn(variantOf(name)));
  if (variant.layout === LAYOUT) return { ...variant, info: { ...variant.info, id: name } };
  if (!variant.file) throw new ApiError('version');
  const response = await fetch(new URL('api/variants', base), { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ file: variant.file }) });
  if (!response.ok) throw new ApiError('version');
  return ((await response.json()) as { local: LocalVariant }).local;
}

async function rebuild({ code, variant, own }: StoredTable, events: StoredEvent[]): Promise<LocalTable> {
  const table = new LocalTable(code, await kernel(''), await variantData(variant, own));
  for (const { event, at } of events) table.apply(event, at);
  return table;
}

/** The weights of the champion for a game; own variants have none. */
async function fetchWeights({ setup, variant }: LocalGame): Promise<Uint16Array> {
  const mode = setup.players.length === 1 ? 'solo' : 'several';
  const path = variant.file ? undefined : (await games('')).weights[variantOf(variant.info.id)]?.[mode];
  if (!path) throw new ApiError('bot');
  return weights(path);
}

const services = {
  store,
  rebuild,
  weights: (table: LocalTable): Promise<Uint16Array> => fetchWeights(table.game!),
  open: openTable,
  reportSaved(saved: boolean): void {
    if (saved !== lastSaved) post({ saved: (lastSaved = saved) });
  },
  reportWaiting(now: boolean): void {
    if (now !== waiting) post({ waiting: (waiting = now) });
  },
  announce: (code: string): void => channel.postMessage(code),
};

channel.onmessage = (event: MessageEvent<string>) => {
  void sessions.get(event.data)?.then((session) => session.changedElsewhere());
};

const newCode = (): string => localCode(Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomBelow(ALPHABET.length)]).join(''));

/** Open a table with its first events; without storage it lives as long as this worker. */
async function openTable({ variant, own }: Omit<StoredTable, 'code'>, first: TableEvent[]): Promise<string> {
  const stored = { code: newCode(), variant, own };
  const table = new LocalTable(stored.code, await kernel(''), await variantData(variant, own));
  const at = Date.now();
  const events = table.append(first, at, seed).map((event) => ({ at, event }));
  if (events[0]!.event.kind === 'created' && events[0]!.event.seats.some(({ bot }) => bot === 'champion')) await fetchWeights(table.game!);
  let saved = events.length;
  try {
    await store.append(stored.code, 1, events, stored);
    services.reportSaved(true);
  } catch (error) {
    if (error instanceof Conflict) return openTable({ variant, own }, first);
    services.reportSaved(false);
    saved = 0;
  }
  sessions.set(stored.code, Promise.resolve(new Session(table, stored, events, services, saved)));
  return stored.code;
}

/** The session of a table, in memory or from the storage. */
function find(code: string): Promise<Session> {
  const known = sessions.get(code) ?? read(code);
  sessions.set(code, known);
  known.catch(() => sessions.delete(code));
  return known;
}

async function read(code: string): Promise<Session> {
  const found = await store.read(code).catch(() => null);
  if (!found) throw new ApiError('no-table');
  const table = await rebuild(found.table, found.events);
  table.resume(found.events.at(-1)?.at ?? 0, Date.now());
  return new Session(table, found.table, found.events, services);
}

// Connections of the page

interface Connection {
  code: string;
  reply: Subscriber;
}
const connections = new Map<number, Connection>();

async function receive(number: number, message: AnyMessage | null): Promise<void> {
  const reply: Subscriber = (one) => post({ connection: number, reply: one });
  const connection = connections.get(number);
  if (message === null || message.type === 'bye') {
    connections.delete(number);
    if (connection) (await find(connection.code)).unsubscribe(connection.reply);
  } else if (message.type === 'ping') reply({ type: 'pong', id: message.id ?? null, now: Date.now() });
  else if (message.type === 'hello') {
    const { table, id = null } = message;
    try {
      const session = await find(table);
      connections.set(number, { code: table, reply });
      reply({ type: 'ack', id, table, seq: session.table.seq, hash: null });
      session.subscribe(reply);
    } catch (error) {
      reply({ type: 'error', ...problemOf(error), id, table });
    }
  } else if (connection) (await find(connection.code)).command(message, connection.reply);
}

function problemOf(error: unknown): { code: string; values: Record<string, unknown> } {
  if (error instanceof ApiError) return { code: error.code, values: error.values };
  if (!(error instanceof DOMException)) console.error(error); // a bug; exceptions of the DOM come from the storage
  return { code: 'storage', values: {} };
}

// Requests of the page

const MAX_HINTS = 3;
/** The reviews that a page needs no longer. */
const stopped = new Set<number>();

async function gameOf(source: GameSource): Promise<LocalGame> {
  if ('table' in source) return (await find(source.table)).table.game!;
  const { own, record } = source;
  return readRecord(record, await kernel(''), async (id) => {
    if (own?.info.id === id) return own;
    if (!(await games('')).variants.some((variant) => variant.id === id)) throw new ApiError('variant');
    return variantData(id, null);
  });
}

async function answer(message: Extract<ToWorker, { request: number }>): Promise<unknown> {
  switch (message.name) {
    case 'open': {
      const { plan, own } = message;
      const variant = await variantData(plan.variant, own);
      return openTable({ variant: plan.variant, own }, openingEvents(plan, variant, randomBelow(plan.seats.length)));
    }
    case 'record':
      return (await find(message.table)).record();
    case 'records': {
      const found = await Promise.all((await store.codes()).map(find));
      return found.map((session) => session.record());
    }
    case 'replay': {
      const { table } = await find(message.table);
      return table.game!.replay(table.code);
    }
    case 'variant':
      return (await find(message.table)).table.variant;
    case 'remove':
      sessions.delete(message.table);
      return store.remove(message.table);
    case 'read': {
      const game = await gameOf(message);
      return { games: [game.replay(null)] satisfies Replay[] };
    }
    case 'review': {
      const { request, depth } = message;
      const game = await gameOf(message.game);
      const progress = (done: number): void => {
        if (stopped.delete(request)) throw new ApiError('past');
        post({ request, progress: done });
      };
      return review(game, depth, await fetchWeights(game), progress);
    }
    case 'hint': {
      const game = await gameOf(message.game);
      return hints(game, message.seat, await fetchWeights(game), MAX_HINTS);
    }
  }
}

self.onmessage = (event: MessageEvent<ToWorker>) => {
  const message = event.data;
  if ('connection' in message) void receive(message.connection, message.message);
  else if ('stop' in message) stopped.add(message.stop);
  else {
    answer(message).then(
      (result) => post({ request: message.request, result }),
      (error: unknown) => post({ request: message.request, error: problemOf(error) }),
    );
  }
};
