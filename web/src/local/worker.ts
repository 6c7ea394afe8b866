/** The worker in which the tables of this device run. */
import type { AnyMessage, AnyReply, LocalGames, LocalVariant, Replay } from '../protocol.ts';
import { challengeGame, challengeOf, challengeSeed, challengeTable } from '../challenge.ts';
import { localCode } from '../pages.ts';
import { checkIsGame, splitGames } from '../record.ts';
import { Kernel } from './kernel.ts';
import { LAYOUT } from './layout.ts';
import { ApiError } from '../apiError.ts';
import { variantOf } from '../setup.ts';
import type { Pace } from '../storage.svelte.ts';
import { LocalGame } from './game.ts';
import { importedGame, playedGame, type Circumstances, type PlayedGame } from './played.ts';
import { readRecord } from './record.ts';
import { hints, review, type Depth } from './review.ts';
import { randomBelow, seed, Session, type Subscriber } from './session.ts';
import { lessonTable, type Lesson, type LessonProgress } from './lesson.ts';
import { Conflict, Store, type StoredTable } from './store.ts';
import { openingEvents, type StoredEvent, type TableEvent, type TablePlan } from './events.ts';
import { LocalTable, type Question } from './table.ts';

/** What a page sends: a message to a table over one of its connections, or a request. */
export type ToWorker =
  | { connection: number; message: AnyMessage | null }
  | { request: number; name: 'open'; plan: TablePlan; own: LocalVariant | null }
  | { request: number; name: 'record' | 'replay' | 'remove' | 'variant'; table: string }
  | { request: number; name: 'records' }
  | { request: number; name: 'lesson'; lesson: Lesson; progress: LessonProgress; player: string; question: Question | null }
  | { request: number; name: 'read'; record: string; own: LocalVariant | null }
  | { request: number; name: 'review'; game: GameSource; depth: Depth }
  | { request: number; name: 'hint'; game: GameSource | SeenState; seat: number }
  | { request: number; name: 'games' }
  | { request: number; name: 'kept'; table: string }
  | { request: number; name: 'keep'; game: GameSource; circumstances: Circumstances }
  | { request: number; name: 'import'; text: string; own: LocalVariant | null; player: string }
  | { request: number; name: 'forget'; id: string }
  | { request: number; name: 'challenge'; date: string; player: string }
  | { request: number; name: 'par'; date: string }
  | { stop: number }
  | { pace: Pace };
/** A game of a table on this device, or of a record. */
export type GameSource = { table: string } | { record: string; own: LocalVariant | null };
/** The state of a card game at a table of a server, as a player sees it. */
export interface SeenState {
  state: string;
  variant: string;
}
export type FromWorker = { connection: number; reply: AnyReply } | { request: number; result: unknown } | { request: number; progress: number } | { request: number; error: { code: string; values: Record<string, unknown> } } | { saved: boolean } | { waiting: boolean } | { gamesChanged: true };
/** The games of this device that are over; `saved` is false if one of them cannot be stored. */
export interface PlayedGames {
  games: PlayedGame[];
  saved: boolean;
}
/** What has become of the games of a file; `wrong` are errors by the line of the file at which the game begins. */
export interface Imported {
  added: number;
  known: number;
  unfinished: number;
  wrong: { line: number; code: string; values: Record<string, unknown> }[];
}

const CODE_LENGTH = 10;
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
/** What is announced to other tabs when the games that are over have changed; codes of tables are announced, too. */
const GAMES = 'games';

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
let pace: Pace = 'normal';

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
  pace: () => pace,
  announce: (code: string): void => channel.postMessage(code),
  // A game that cannot be stored now is stored when the games are asked for.
  keep: (table: LocalTable, at: number): Promise<unknown> => keep(playedAt(table, at)).catch(() => undefined),
};

channel.onmessage = (event: MessageEvent<string>) => {
  if (event.data === GAMES) return post({ gamesChanged: true });
  void sessions.get(event.data)?.then((session) => session.changedElsewhere());
};

const newCode = (): string => localCode(Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomBelow(ALPHABET.length)]).join(''));

/** Open a table with its first events; without storage it exists as long as this worker. */
async function openTable({ variant, own }: Omit<StoredTable, 'code'>, first: TableEvent[], code = newCode()): Promise<string> {
  const stored = { code, variant, own };
  const table = new LocalTable(stored.code, await kernel(''), await variantData(variant, own));
  const at = Date.now();
  const events = table.append(first, at, seed).map((event) => ({ at, event }));
  if (events[0]!.event.kind === 'created' && events[0]!.event.seats.some(({ bot }) => bot === 'champion')) await fetchWeights(table.game!);
  let saved = events.length;
  try {
    await store.append(stored.code, 1, events, stored);
    services.reportSaved(true);
  } catch (error) {
    if (error instanceof Conflict) return challengeOf(code) ? code : openTable({ variant, own }, first);
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
  const found = await store.read(code).catch((error: unknown) => {
    if (error instanceof ApiError) throw error;
    return null;
  });
  if (!found) throw new ApiError('no-table');
  const table = await rebuild(found.table, found.events);
  table.resume(found.events.at(-1)?.at ?? 0, Date.now());
  return new Session(table, found.table, found.events, services);
}

// Games that are over

/** The game of a table; sheets without dice are none. */
const playedAt = (table: LocalTable, at: number): PlayedGame[] => {
  const game = table.game!;
  return table.sheets ? [] : [playedGame(game, { at, table: table.code, here: table.people.map((seat) => game.setup.players[seat]!) })];
};

async function keep(games: PlayedGame[]): Promise<PlayedGame[]> {
  const added = await store.keep(games);
  if (added.length) changed();
  return added;
}

function changed(): void {
  channel.postMessage(GAMES);
  post({ gamesChanged: true });
}

/** All games that are over, also those of tables that are not among them yet. */
async function playedGames(): Promise<PlayedGames> {
  const games = await store.games();
  const missing: PlayedGame[] = [];
  for (const code of await store.tablesToKeep()) {
    const { table, events } = (await store.read(code))!;
    missing.push(...playedAt(await rebuild(table, events), events.find(({ event }) => event.kind === 'ended')!.at));
  }
  const saved = await store.keep(missing).then(() => true, () => false);
  return { games: [...games, ...missing].sort((one, other) => other.at - one.at), saved };
}

/** Add the games of a record file that are over; one that cannot be read does not keep the others out. */
async function importGames(text: string, own: LocalVariant | null, player: string): Promise<Imported> {
  const owns = [...(own ? [own] : []), ...(await store.games()).flatMap((one) => one.own ?? [])];
  const games: PlayedGame[] = [];
  const result: Imported = { added: 0, known: 0, unfinished: 0, wrong: [] };
  let line = 0;
  for (const record of splitGames(text)) {
    try {
      const game = await readGame(record, owns);
      if (game.over) games.push(importedGame(game, player, Date.now()));
      else result.unfinished++;
    } catch (error) {
      const { code, values } = problemOf(error);
      result.wrong.push({ line, code, values });
    }
    line += record.split('\n').length - 1;
  }
  result.added = (await keep(games)).length;
  result.known = games.length - result.added;
  return result;
}

// The challenge of a day

/** Open the table of a day, or go on with it. */
async function openChallenge(date: string, player: string): Promise<string> {
  const table = challengeTable(date);
  if (sessions.has(table) || (await store.read(table).catch(() => null))) return table;
  const variant = challengeGame(date);
  const plan = { variant, seats: [{ bot: null }], names: [player], pause: 0 };
  return openTable({ variant, own: null }, openingEvents(plan, await variantData(variant, null), 0), table);
}

/** What the champion scores with the dice of a day, without looking ahead. */
async function parOf(date: string): Promise<number> {
  const variant = await variantData(challengeGame(date), null);
  const game = new LocalGame(await kernel(''), variant, { players: ['champion'], jokers: false, lucky: [], sheets: [] });
  const weights = await fetchWeights(game);
  while (!game.over) {
    if (game.toAct.length) game.play(0, game.chooseForBot(0, 'champion', 0, weights).choice.option);
    else game.chance(null, challengeSeed(date));
  }
  return game.scores[0]!;
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

async function gameOf(source: GameSource | SeenState): Promise<LocalGame> {
  if ('state' in source) return LocalGame.seen(await kernel(''), await variantData(source.variant, null), source.state);
  if ('table' in source) {
    const { game, sheets } = (await find(source.table)).table;
    if (sheets) throw new ApiError('record', { line: 0, error: 'no-dice' });
    return game!;
  }
  return readGame(source.record, source.own ? [source.own] : []);
}

/** The game of a record; `owns` are variants that are not built in. */
async function readGame(record: string, owns: LocalVariant[]): Promise<LocalGame> {
  checkIsGame(record);
  return readRecord(record, await kernel(''), async (id) => {
    const own = owns.find(({ info }) => info.id === id);
    if (own) return variantData(id, own);
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
      return (await gameOf(message)).replay(message.table);
    }
    case 'variant':
      return (await find(message.table)).table.variant;
    case 'remove':
      sessions.delete(message.table);
      await store.remove(message.table);
      return changed();
    case 'lesson': {
      const { lesson, progress, player, question } = message;
      const table = await lessonTable(lesson, progress, player, await kernel(''), await variantData(lesson.variant, null));
      return question ? table.whyNot(question) : table.view(Date.now());
    }
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
    case 'games':
      return playedGames();
    case 'kept':
      return store.hasGameOf(message.table);
    case 'keep':
      return keep([playedGame(await gameOf(message.game), message.circumstances)]);
    case 'import':
      return importGames(message.text, message.own, message.player);
    case 'forget':
      await store.forget(message.id);
      return changed();
    case 'challenge':
      return openChallenge(message.date, message.player);
    case 'par':
      return parOf(message.date);
  }
}

self.onmessage = (event: MessageEvent<ToWorker>) => {
  const message = event.data;
  if ('connection' in message) void receive(message.connection, message.message);
  else if ('stop' in message) stopped.add(message.stop);
  else if ('pace' in message) pace = message.pace;
  else {
    answer(message).then(
      (result) => post({ request: message.request, result }),
      (error: unknown) => post({ request: message.request, error: problemOf(error) }),
    );
  }
};
