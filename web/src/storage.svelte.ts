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

export type Theme = 'auto' | 'light' | 'dark';

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
  #sound = $state(read('sound', false));
  #installDeclined = $state(read('installDeclined', false));
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

  get sound(): boolean {
    return this.#sound;
  }
  set sound(sound: boolean) {
    write('sound', (this.#sound = sound));
  }

  /** Whether the player has declined to install the app. */
  get installDeclined(): boolean {
    return this.#installDeclined;
  }
  set installDeclined(declined: boolean) {
    write('installDeclined', (this.#installDeclined = declined));
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
    this.#write(
      [{ ...before, ...changes, at: Date.now(), removed: false }, ...others].filter((one) => isLocal(one.table) || (one.places.length && !one.over) || remaining-- > 0),
    );
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
