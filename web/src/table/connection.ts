/** The connection to a table as a state machine without side effects. */
import type { SeatCredentials } from '../storage.svelte.ts';
import type { Code, Mark } from '../protocol.ts';

export interface TableError {
  code: Code | 'lost-seat' | 'seat-refused' | 'removed' | 'takeback-declined' | 'outdated' | 'no-undo';
  values: Record<string, unknown>;
  /** The mark on a sheet that was refused. */
  mark?: Mark;
}

/** Failed attempts since the last connection, and the error with which the server refused the last `hello`. */
interface Attempts {
  failed: number;
  error: TableError | null;
}

export type Connection = Attempts &
  (
    | { state: 'connecting' }
    /** `hello` is sent with these credentials; those in `untried` are added one by one. It is null if all are sent at once. */
    | { state: 'subscribing'; credentials: SeatCredentials[]; untried: SeatCredentials[] | null; wasOnline: boolean }
    /** `hello` is acknowledged, its view has not arrived. */
    | { state: 'subscribed'; wasOnline: boolean }
    /** The view has arrived, and commands can be sent. */
    | { state: 'live' }
    /** There is no connection; the next attempt follows after a delay. */
    | { state: 'lost' }
    /** The server refused the subscription: no such table, another version. */
    | { state: 'refused' }
    /** The page has closed the subscription. */
    | { state: 'ended' }
  );

export type ConnectionEvent =
  | { type: 'opened'; credentials: SeatCredentials[] }
  | { type: 'acknowledged' }
  | { type: 'viewed' }
  | { type: 'rejected'; error: TableError }
  /** The device may not follow the table any more; while a new `hello` has no answer, its answer decides. */
  | { type: 'expelled'; error: TableError }
  | { type: 'closed' }
  | { type: 'retry' }
  /** The device is online again or the page is visible again: try at once. */
  | { type: 'wake' }
  /** The seats of this device have changed. */
  | { type: 'seats'; credentials: SeatCredentials[] }
  | { type: 'end' };

// Milliseconds between attempts
const FIRST_DELAY = 400;
const MAX_DELAY = 8000;

export const CONNECTING: Connection = { state: 'connecting', failed: 0, error: null };

export function nextState(before: Connection, event: ConnectionEvent): Connection {
  if (before.state === 'ended') return before;
  const { state, failed, error } = before;
  switch (event.type) {
    case 'opened':
      return state === 'connecting' ? subscribing(before, event.credentials) : before;
    case 'seats':
      if (state === 'refused') return CONNECTING;
      return state === 'connecting' || state === 'lost' ? before : subscribing(before, event.credentials);
    case 'acknowledged':
      if (state !== 'subscribing') return before;
      return before.untried?.length ? tryNext(before, before.credentials) : { state: 'subscribed', wasOnline: before.wasOnline, failed, error };
    case 'viewed':
      return state === 'subscribed' ? { state: 'live', failed: 0, error: null } : before;
    case 'rejected':
      return state === 'subscribing' ? rejected(before, event.error) : before;
    case 'expelled':
      return state === 'live' || state === 'subscribed' ? { state: 'refused', failed, error: event.error } : before;
    case 'closed':
      return state === 'lost' || state === 'refused' ? before : { state: 'lost', failed: failed + 1, error };
    case 'retry':
      return state === 'lost' ? { state: 'connecting', failed, error } : before;
    case 'wake':
      return ['connecting', 'lost', 'refused'].includes(state) ? { state: 'connecting', failed: 0, error } : before;
    case 'end':
      return { state: 'ended', failed, error };
  }
}

type Subscribing = Extract<Connection, { state: 'subscribing' }>;

const subscribing = (before: Connection, credentials: SeatCredentials[], untried: SeatCredentials[] | null = null): Subscribing => ({
  state: 'subscribing',
  credentials,
  untried,
  wasOnline: isOnline(before),
  failed: before.failed,
  error: before.error,
});

/** The next state after a refused `hello`: an invalid secret is found by trying the secrets one by one; any other error ends the attempt. */
function rejected(before: Subscribing, error: TableError): Connection {
  if (error.code === 'secret' && before.untried) return tryNext(before, before.credentials.slice(0, -1));
  if (error.code === 'secret') return tryNext({ ...before, untried: before.credentials }, []);
  if (error.code === 'storage' || error.code === 'too-fast') return { state: 'lost', failed: before.failed + 1, error };
  return { state: 'refused', failed: before.failed, error };
}

function tryNext(before: Subscribing, kept: SeatCredentials[]): Subscribing {
  const [next, ...others] = before.untried ?? [];
  return next ? subscribing(before, [...kept, next], others) : subscribing(before, kept);
}

const seatCount = ({ credentials, untried }: Subscribing): number => credentials.length + (untried?.length ?? 0);

/** Whether one of the secrets that were tried turned out to be invalid. */
export const lostSeat = (before: Connection, now: Subscribing): boolean =>
  before.state === 'subscribing' && before.untried !== null && seatCount(now) < seatCount(before);

/** Whether the table is live, also while `hello` is sent again for other seats. */
export const isOnline = (connection: Connection): boolean =>
  connection.state === 'live' || ((connection.state === 'subscribing' || connection.state === 'subscribed') && connection.wasOnline);

/** How often `hello` is sent again with refused secrets: a server may not have read the newest events, but a moved seat stays refused. */
const MAX_SECRET_RETRIES = 3;

/** Milliseconds until refused secrets are sent again; null when they were sent often enough on this connection. */
export const secretRetryDelay = (retries: number): number | null => (retries < MAX_SECRET_RETRIES ? 1000 * 2 ** retries : null);

/** Milliseconds until the next attempt: exponential backoff, 25% more or less so that clients do not reconnect all at once; `random` is from 0 to 1. */
export const retryDelay = ({ failed }: Connection, random: number): number =>
  Math.min(FIRST_DELAY * 2 ** (failed - 1), MAX_DELAY) * (0.75 + random / 2);
