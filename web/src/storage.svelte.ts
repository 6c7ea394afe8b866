/** What this device remembers: the player's name, how things look, and the tables it has been at. */
import type { Language } from './i18n.svelte.ts';

export interface Place {
  name: string;
  secret: string;
}

export interface KnownTable {
  table: string;
  variant: string;
  players: string[];
  places: Place[];
  over: boolean;
  at: number;
}

/** Seats that were asked for, by name or by the code of a handover; without an answer nobody knows whether they were given. */
export interface Asked {
  table: string;
  places: Place[];
  seat: number | null;
  handover: string | null;
}

export type Theme = 'auto' | 'light' | 'dark';

const MOST_TABLES = 12;

function read<T>(key: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(`rowlock.${key}`);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise; // storage that is switched off or was garbled
  }
}

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(`rowlock.${key}`, JSON.stringify(value));
  } catch {
    // a device that remembers nothing can still play
  }
}

class Device {
  #name = $state(read('name', ''));
  #theme = $state<Theme>(read<Theme>('theme', 'auto'));
  #language = $state<Language | null>(read<Language | null>('language', null));
  #sound = $state(read('sound', false));
  #tables = $state.raw<KnownTable[]>(read<KnownTable[]>('tables', []));

  constructor() {
    // Another tab may sit down or leave: what it has written holds here, too.
    addEventListener('storage', (event) => {
      if (event.key === 'rowlock.tables') this.#tables = read<KnownTable[]>('tables', []);
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

  /** Tables this device has been at, the latest first. */
  get tables(): KnownTable[] {
    return this.#tables;
  }

  known(table: string): KnownTable | undefined {
    return this.#tables.find((one) => one.table === table);
  }

  places(table: string): Place[] {
    return this.known(table)?.places ?? [];
  }

  /** Note what is known about a table; it comes to the front. */
  remember(table: string, changes: Partial<Omit<KnownTable, 'table'>>): void {
    this.#reread();
    const before = this.known(table) ?? { table, variant: '', players: [], places: [], over: false, at: 0 };
    const others = this.#tables.filter((one) => one.table !== table);
    let room = MOST_TABLES;
    this.#write(
      [{ ...before, ...changes, at: Date.now() }, ...others].filter((one) => (one.places.length && !one.over) || room-- > 0),
    );
  }

  forget(table: string): void {
    this.#reread();
    this.#write(this.#tables.filter((one) => one.table !== table));
  }

  /** Another tab may have written since. */
  #reread(): void {
    this.#tables = read('tables', this.#tables);
  }

  #write(tables: KnownTable[]): void {
    write('tables', (this.#tables = tables));
  }

  /** What was asked for at a table and has not been answered. */
  asked(table: string): Asked[] {
    return this.#asked().filter((one) => one.table === table);
  }

  /** Keep what is asked for before it is: the secrets in it may be all that a seat belongs to. */
  ask(asked: Asked): void {
    write('asked', [...this.#asked(asked), asked]);
  }

  answered(asked: Asked): void {
    write('asked', this.#asked(asked));
  }

  #asked(without?: Asked): Asked[] {
    return read<Asked[]>('asked', []).filter((one) => one.places[0]?.secret !== without?.places[0]?.secret);
  }
}

export const device = new Device();
