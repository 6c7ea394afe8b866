/** The connection to a table as a state machine: in which state it is, and which one follows when something happens. */
import type { Place } from '../storage.svelte.ts';
import type { Code } from '../protocol.ts';

export interface Trouble {
  code: Code | 'lost-seat';
  values: Record<string, unknown>;
}

/** How often no connection came about since the last one, and why the server refused the last `hello`. */
interface Attempts {
  failed: number;
  trouble: Trouble | null;
}

export type Connection = Attempts &
  (
    | { state: 'connecting' }
    /** `hello` is sent for these places; `untried` others follow one by one. `again`: the table was live before. */
    | { state: 'greeting'; places: Place[]; untried: Place[] | null; again: boolean }
    /** `hello` is acknowledged, its view is to come. */
    | { state: 'greeted'; again: boolean }
    | { state: 'live' }
    /** There is no connection; the next one is tried in a while. */
    | { state: 'lost' }
    /** There is nothing to connect to: no such table, another version. */
    | { state: 'refused' }
    | { state: 'ended' }
  );

export type ConnectionEvent =
  | { type: 'opened'; places: Place[] }
  | { type: 'acknowledged' }
  | { type: 'viewed' }
  | { type: 'rejected'; trouble: Trouble }
  | { type: 'closed' }
  | { type: 'retry' }
  /** The device is online again, or somebody looks at the page: no more waiting. */
  | { type: 'wake' }
  /** This device holds other seats than before. */
  | { type: 'seats'; places: Place[] }
  | { type: 'end' };

const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;

export const CONNECTING: Connection = { state: 'connecting', failed: 0, trouble: null };

export function step(before: Connection, event: ConnectionEvent): Connection {
  if (before.state === 'ended') return before;
  const { state, failed, trouble } = before;
  switch (event.type) {
    case 'opened':
      return state === 'connecting' ? greeting(before, event.places) : before;
    case 'seats':
      if (state === 'refused') return CONNECTING;
      return state === 'connecting' || state === 'lost' ? before : greeting(before, event.places);
    case 'acknowledged':
      if (state !== 'greeting') return before;
      return before.untried?.length ? tryNext(before, before.places) : { state: 'greeted', again: before.again, failed, trouble };
    case 'viewed':
      return state === 'greeted' ? { state: 'live', failed: 0, trouble: null } : before;
    case 'rejected':
      return state === 'greeting' ? rejected(before, event.trouble) : before;
    case 'closed':
      return state === 'lost' || state === 'refused' ? before : { state: 'lost', failed: failed + 1, trouble };
    case 'retry':
      return state === 'lost' ? { state: 'connecting', failed, trouble } : before;
    case 'wake':
      return ['connecting', 'lost', 'refused'].includes(state) ? { state: 'connecting', failed: 0, trouble } : before;
    case 'end':
      return { state: 'ended', failed, trouble };
  }
}

type Greeting = Extract<Connection, { state: 'greeting' }>;

const greeting = (before: Connection, places: Place[], untried: Place[] | null = null): Greeting => ({
  state: 'greeting',
  places,
  untried,
  again: isOnline(before),
  failed: before.failed,
  trouble: before.trouble,
});

/** A secret that opens no seat any more is found by trying them one by one; what else is wrong ends the attempt. */
function rejected(before: Greeting, trouble: Trouble): Connection {
  if (trouble.code === 'secret' && before.untried) return tryNext(before, before.places.slice(0, -1));
  if (trouble.code === 'secret') return tryNext({ ...before, untried: before.places }, []);
  if (trouble.code === 'storage') return { state: 'lost', failed: before.failed + 1, trouble };
  return { state: 'refused', failed: before.failed, trouble };
}

function tryNext(before: Greeting, kept: Place[]): Greeting {
  const [next, ...others] = before.untried ?? [];
  return next ? greeting(before, [...kept, next], others) : greeting(before, kept);
}

const held = ({ places, untried }: Greeting): number => places.length + (untried?.length ?? 0);

/** Whether one of the places that are tried belongs to this device no more. */
export const lostSeat = (before: Connection, now: Greeting): boolean =>
  before.state === 'greeting' && before.untried !== null && held(now) < held(before);

/** Whether the server is there; it still is while it is greeted again for other seats. */
export const isOnline = (one: Connection): boolean =>
  one.state === 'live' || ((one.state === 'greeting' || one.state === 'greeted') && one.again);

/** Milliseconds until the next attempt: longer each time, and not the same for all who lost the same server. */
export const waitBeforeRetry = ({ failed }: Connection, chance: number): number =>
  Math.min(FIRST_WAIT * 2 ** (failed - 1), LONGEST_WAIT) * (0.75 + chance / 2);
