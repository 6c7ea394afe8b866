/** Local storage: the player's name, settings, and the tables of this device with the secrets of its seats. */
import type { Language } from './i18n.svelte.ts';
import { removeLocalTable } from './local/client.svelte.ts';
import { isLocal } from './pages.ts';

export interface SeatCredentials {
  name: string;
  secret: string;
  /** The letter of the sheet that is asked for with the seat. */
  sheet?: string | null;
}

// Devices in use have stored tables and pending joins under these keys: they keep their names.
export interface SavedTable {
  table: string;
  variant: string;
  players: string[];
  /** The seats of this device. */
  places: SeatCredentials[];
  over: boolean;
  /** When it was last saved, in milliseconds since 1970. */
  at: number;
  /** The secret of the invite link. */
  invite?: string | null;
  /** The number of the newest event that is known, and its hash; null if an answer without a hash named it. */
  seq?: number;
  hash?: string | null;
  /** The server has shown another history of this table than before. */
  changed?: boolean;
  /** The players, dice and cards that were shown, as `shownIn` writes them. */
  shown?: string[];
  /** This device has had a seat in the game, not only in the lobby. */
  played?: boolean;
  /** The player has removed it from the list; opening it puts it back. */
  removed?: boolean;
}

/** A request for seats, by name or with a handover code, that got no answer: the server may have granted it. */
export interface PendingJoin {
  table: string;
  places: SeatCredentials[];
  seat: number | null;
  handover: string | null;
}

/** A seat of this device at the server. */
interface SavedSeat {
  table: string;
  secret: string;
}

const seatsOf = ({ table, places }: { table: string; places: SeatCredentials[] }): SavedSeat[] => places.map(({ secret }) => ({ table, secret }));

/** Where a learner is in a lesson: at a step, with the options chosen so far. */
interface SavedLesson {
  step: number;
  choices: string[];
  done: boolean;
}

/** The last challenge that was finished here, and on how many days in a row there was one. */
interface SavedChallenge {
  date: string;
  score: number;
  streak: number;
}

export type Theme = 'auto' | 'light' | 'dark';

/** How this device plays: what is heard and felt, and what goes by itself. */
export interface Preferences {
  vibration: boolean;
  /** Tell a person whose page is in the background that a table waits for them. */
  notify: boolean;
  /** Show the dice of an own roll after a tap. */
  tapToRoll: boolean;
  /** Mark a cell with one tap where only one option begins with it. */
  oneTap: boolean;
  /** Pass where nothing can be marked and nothing is lost. */
  autoPass: boolean;
  /** Ask for the device to be handed over when another person at it has to decide. */
  handover: boolean;
  /** Keyboard shortcuts of a single character. */
  shortcuts: boolean;
  /** How fast bots decide at tables of this device. */
  pace: Pace;
}

export type Pace = 'slow' | 'normal' | 'quick';

const PREFERENCES: Preferences = { vibration: true, notify: false, tapToRoll: false, oneTap: false, autoPass: false, handover: true, shortcuts: true, pace: 'normal' };

const MAX_FORMER_SEATS = 100; // of tables that are not in the list any more
const MAX_TABLES = 12; // not counting games on this device and running ones in which it has a seat

function read<T>(key: string, fallback: T): T {
  try {
    const text = localStorage.getItem(`rowlock.${key}`);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback; // storage is switched off, or its text is broken
  }
}

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(`rowlock.${key}`, JSON.stringify(value));
  } catch {
    // storage is full or switched off; the game works without it
  }
}

class Device {
  #name = $state(read('name', ''));
  #theme = $state<Theme>(read<Theme>('theme', 'auto'));
  #language = $state<Language | null>(read<Language | null>('language', null));
  #opponent = $state(read<string | null>('opponent', null));
  #sound = $state(read('sound', false));
  #preferences = $state.raw<Preferences>({ ...PREFERENCES, ...read<Partial<Preferences>>('preferences', {}) });
  #installDeclined = $state(read('installDeclined', false));
  #speedOffered = read('speedOffered', false);
  #lessons = $state.raw(read<Record<string, SavedLesson>>('lessons', {}));
  #challenge = $state.raw(read<SavedChallenge | null>('challenge', null));
  #tables = $state.raw<SavedTable[]>(read<SavedTable[]>('tables', []));

  constructor() {
    // Another tab may have taken or left a seat.
    addEventListener('storage', (event) => {
      if (event.key === 'rowlock.tables') this.#tables = read<SavedTable[]>('tables', []);
    });
  }

  get name(): string {
    return this.#name;
  }
  set name(name: string) {
    write('name', (this.#name = name));
  }

  get theme(): Theme {
    return this.#theme;
  }
  set theme(theme: Theme) {
    write('theme', (this.#theme = theme));
    document.documentElement.dataset['theme'] = theme;
  }

  get language(): Language | null {
    return this.#language;
  }
  set language(language: Language | null) {
    write('language', (this.#language = language));
  }

  /** The bot that was chosen last; a newcomer begins with an easy one. */
  get opponent(): string {
    return this.#opponent ?? (this.#tables.length ? 'greedy' : 'eager');
  }
  set opponent(bot: string) {
    write('opponent', (this.#opponent = bot));
  }

  get sound(): boolean {
    return this.#sound;
  }
  set sound(sound: boolean) {
    write('sound', (this.#sound = sound));
  }

  get preferences(): Readonly<Preferences> {
    return this.#preferences;
  }
  prefer(changes: Partial<Preferences>): void {
    write('preferences', (this.#preferences = { ...this.#preferences, ...changes }));
  }

  /** Whether the player has declined to install the app. */
  get installDeclined(): boolean {
    return this.#installDeclined;
  }
  set installDeclined(declined: boolean) {
    write('installDeclined', (this.#installDeclined = declined));
  }

  /** Whether the faster ways to play have been offered. */
  get speedOffered(): boolean {
    return this.#speedOffered;
  }
  set speedOffered(offered: boolean) {
    write('speedOffered', (this.#speedOffered = offered));
  }

  lesson(variant: string): SavedLesson | undefined {
    return this.#lessons[variant];
  }

  /** A lesson that was finished once stays done. */
  saveLesson(variant: string, saved: SavedLesson): void {
    write('lessons', (this.#lessons = { ...this.#lessons, [variant]: saved }));
  }

  get challenge(): SavedChallenge | null {
    return this.#challenge;
  }
  set challenge(challenge: SavedChallenge | null) {
    write('challenge', (this.#challenge = challenge));
  }

  /** Tables that were opened on this device, the latest first. */
  get tables(): SavedTable[] {
    return this.#tables.filter((one) => !one.removed);
  }

  /** Tables that were removed from the list; their secrets are kept. */
  get removedTables(): SavedTable[] {
    return this.#tables.filter((one) => one.removed);
  }

  savedTable(table: string): SavedTable | undefined {
    return this.#tables.find((one) => one.table === table);
  }

  /** All seats of this device at the server, with those of removed and former tables and of requests without an answer. */
  get seats(): SavedSeat[] {
    const tables = [...this.#tables, ...this.#pendingJoins()].filter(({ table }) => !isLocal(table));
    return [...tables.flatMap(seatsOf), ...read<SavedSeat[]>('former', [])];
  }

  /** The names and secrets of this device's seats at a table. */
  credentials(table: string): SeatCredentials[] {
    return this.savedTable(table)?.places ?? [];
  }

  /** Secrets with which the server shows a table: that of a seat, which works even if the table is closed to others, and the invite secret. */
  secrets(table: string): string[] {
    return [this.credentials(table)[0]?.secret, this.savedTable(table)?.invite].filter((one) => typeof one === 'string');
  }

  /** Save the number of an event that an answer has named: the next `hello` sends it, and is answered once the server knows it. */
  saveSeq(table: string, seq: number): void {
    if (seq > (this.savedTable(table)?.seq ?? 0)) this.saveTable(table, { seq, hash: null });
  }

  /** Save changes of a table and move it to the front. Games on this device and running ones with a seat are kept, others up to a limit. */
  saveTable(table: string, changes: Partial<Omit<SavedTable, 'table'>>): void {
    this.#reload();
    const before = this.savedTable(table) ?? { table, variant: '', players: [], places: [], over: false, at: 0 };
    const others = this.#tables.filter((one) => one.table !== table);
    let remaining = MAX_TABLES;
    const all = [{ ...before, ...changes, at: Date.now(), removed: false }, ...others];
    const kept = all.filter((one) => isLocal(one.table) || (one.places.length && !one.over) || remaining-- > 0);
    const former = all.filter((one) => !kept.includes(one)).flatMap(seatsOf);
    if (former.length) write('former', [...former, ...read<SavedSeat[]>('former', [])].slice(0, MAX_FORMER_SEATS)); // their people may ask to be forgotten
    this.#write(kept);
  }

  removeTable(table: string): void {
    this.#setRemoved(table, true);
  }

  restoreTable(table: string): void {
    this.#setRemoved(table, false);
  }

  #setRemoved(table: string, removed: boolean): void {
    this.#reload();
    this.#write(this.#tables.map((one) => (one.table === table ? { ...one, removed } : one)));
  }

  /** Forget a table with its secrets: nobody can take these seats again. A table of this device is lost. */
  deleteTable(table: string): void {
    if (isLocal(table)) void removeLocalTable(table);
    this.#reload();
    this.#write(this.#tables.filter((one) => one.table !== table));
  }

  /** Read what another tab may have written. */
  #reload(): void {
    this.#tables = read('tables', this.#tables);
  }

  #write(tables: SavedTable[]): void {
    write('tables', (this.#tables = tables));
  }

  pendingJoins(table: string): PendingJoin[] {
    return this.#pendingJoins().filter((one) => one.table === table);
  }

  /** Save a request before it is sent: if its answer is lost, only these secrets give access to the seats. */
  addPendingJoin(pending: PendingJoin): void {
    write('asked', [...this.#pendingJoins(pending), pending]);
  }

  removePendingJoin(pending: PendingJoin): void {
    write('asked', this.#pendingJoins(pending));
  }

  /** All pending joins, except one; they are told apart by the secret of their first seat. */
  #pendingJoins(without?: PendingJoin): PendingJoin[] {
    return read<PendingJoin[]>('asked', []).filter((one) => one.places[0]?.secret !== without?.places[0]?.secret);
  }
}

export const device = new Device();
