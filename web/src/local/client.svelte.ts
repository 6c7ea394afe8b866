/** The tables of this device, which run in a worker. */
import type { AnyMessage, LocalVariant, Obstacle, Replay, Replays, View } from '../protocol.ts';
import { ApiError } from '../apiError.ts';
import type { Lesson, LessonProgress } from './lesson.ts';
import type { Depth, Hint, Review } from './review.ts';
import type { Circumstances } from './played.ts';
import type { FromWorker, GameSource, Imported, PlayedGames, SeenState, ToWorker } from './worker.ts';
import type { TablePlan } from './events.ts';
import type { Question } from './table.ts';
import type { Pace } from '../storage.svelte.ts';

/** Whether this browser can play without a server. */
export const canPlayHere = typeof WebAssembly === 'object' && typeof Worker === 'function' && typeof BigInt64Array === 'function';

type WithoutNumber<T> = T extends unknown ? Omit<T, 'request'> : never;
type Request = WithoutNumber<Extract<ToWorker, { request: number }>>;

/** Receives the share of the work that is done. */
type Progress = (done: number) => void;

class LocalTables {
  /** Whether the last events could be stored; without storage a game is lost with its page. */
  saved = $state(true);
  /** Whether the champion waits for its weights, which cannot be loaded now. */
  waiting = $state(false);
  /** How often the games that are over have changed, here or in another tab. */
  gamesChanged = $state(0);
  #worker: Worker | null = null;
  #next = 0;
  #pace: Pace = 'normal';
  #requests = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void; progress?: Progress | undefined }>();
  #sockets = new Map<number, LocalSocket>();

  #start(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: new URL('.', document.baseURI).href });
    worker.onmessage = (event: MessageEvent<FromWorker>) => this.#receive(event.data);
    worker.onerror = () => this.#fail();
    worker.postMessage({ pace: this.#pace } satisfies ToWorker);
    return (this.#worker = worker);
  }

  #receive(message: FromWorker): void {
    if ('connection' in message) this.#sockets.get(message.connection)?.receive(JSON.stringify(message.reply));
    else if ('saved' in message) this.saved = message.saved;
    else if ('waiting' in message) this.waiting = message.waiting;
    else if ('gamesChanged' in message) this.gamesChanged++;
    else {
      const request = this.#requests.get(message.request);
      if ('progress' in message) return request?.progress?.(message.progress);
      this.#requests.delete(message.request);
      if ('error' in message) request?.reject(new ApiError(message.error.code as never, message.error.values));
      else request?.resolve(message.result as never);
    }
  }

  /** The worker does not run: nothing can be played here. */
  #fail(): void {
    this.#worker?.terminate();
    this.#worker = null;
    for (const { reject } of this.#requests.values()) reject(new ApiError('offline'));
    this.#requests.clear();
    for (const socket of this.#sockets.values()) socket.onclose?.();
  }

  post(message: ToWorker): void {
    this.#start().postMessage(message);
  }

  /** How fast bots decide; without a worker there are none. */
  setPace(pace: Pace): void {
    this.#pace = pace;
    this.#worker?.postMessage({ pace } satisfies ToWorker);
  }

  /** The answer of the worker. What takes long reports its progress, and can be stopped by the signal. */
  request<T>(request: Request, progress?: Progress, signal?: AbortSignal): Promise<T> {
    const number = this.#next++;
    return new Promise<T>((resolve, reject) => {
      this.#requests.set(number, { resolve, reject, progress });
      this.post({ ...request, request: number } as ToWorker);
      signal?.addEventListener('abort', () => this.post({ stop: number }));
    });
  }

  connect(socket: LocalSocket): number {
    const number = this.#next++;
    this.#sockets.set(number, socket);
    return number;
  }

  disconnect(number: number): void {
    this.#sockets.delete(number);
    this.post({ connection: number, message: null });
  }
}

export const localTables = new LocalTables();

/** A connection to a table on this device, used like a WebSocket: it sends messages and receives replies as JSON. */
export class LocalSocket {
  readyState: number = WebSocket.CONNECTING;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  #number = localTables.connect(this);

  constructor() {
    queueMicrotask(() => {
      this.readyState = WebSocket.OPEN;
      this.onopen?.();
    });
  }

  receive(data: string): void {
    this.onmessage?.({ data });
  }

  send(data: string): void {
    localTables.post({ connection: this.#number, message: JSON.parse(data) as AnyMessage });
  }

  close(): void {
    this.readyState = WebSocket.CLOSED;
    localTables.disconnect(this.#number);
  }
}

/** Ask the browser to keep what is stored here; some ask the person. */
const persist = (): void => void navigator.storage?.persist?.().catch(() => undefined);

export async function openLocalTable(plan: TablePlan, own: LocalVariant | null): Promise<string> {
  const code = await localTables.request<string>({ name: 'open', plan, own });
  persist();
  return code;
}
/** Open the table of a day's challenge, or go on with it. */
export async function openChallenge(date: string, player: string): Promise<string> {
  const code = await localTables.request<string>({ name: 'challenge', date, player });
  persist();
  return code;
}
export const challengePar = (date: string): Promise<number> => localTables.request({ name: 'par', date });
/** The games of this device that are over, the latest first. */
export const playedGames = (): Promise<PlayedGames> => localTables.request({ name: 'games' });
/** Whether the game of a table is among them. */
export const isKept = (table: string): Promise<boolean> => localTables.request({ name: 'kept', table });
export async function keepGame(game: GameSource, circumstances: Circumstances): Promise<void> {
  await localTables.request({ name: 'keep', game, circumstances });
  persist();
}
export const importGames = (text: string, own: LocalVariant | null, player: string): Promise<Imported> => localTables.request({ name: 'import', text, own, player });
export const forgetGame = (id: string): Promise<void> => localTables.request({ name: 'forget', id });
export const localRecord = (table: string): Promise<string> => localTables.request({ name: 'record', table });
/** The records of all games that are stored on this device. */
export const localRecords = (): Promise<string[]> => localTables.request({ name: 'records' });
export const localReplay = (table: string): Promise<Replay> => localTables.request({ name: 'replay', table });
export const localVariant = (table: string): Promise<LocalVariant> => localTables.request({ name: 'variant', table });
export const removeLocalTable = (table: string): Promise<void> => localTables.request({ name: 'remove', table });
export const lessonView = (lesson: Lesson, progress: LessonProgress, player: string): Promise<View> => localTables.request({ name: 'lesson', lesson, progress, player, question: null });
export const lessonObstacle = (lesson: Lesson, progress: LessonProgress, question: Question): Promise<Pick<Obstacle, 'obstacle' | 'values'>> =>
  localTables.request({ name: 'lesson', lesson, progress, player: '', question });
export const readLocalRecord = (record: string, own: LocalVariant | null): Promise<Replays> => localTables.request({ name: 'read', record, own });
export const reviewLocally = (game: GameSource, depth: Depth, progress: Progress, signal: AbortSignal): Promise<Review> =>
  localTables.request({ name: 'review', game, depth }, progress, signal);
/** The best options of a seat that is to act. */
export const hintLocally = (game: GameSource | SeenState, seat: number): Promise<Hint[]> => localTables.request({ name: 'hint', game, seat });
