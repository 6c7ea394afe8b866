/** What is stored in IndexedDB: the tables of this device as their events, and the games that are over. */
import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { ApiError } from '../apiError.ts';
import type { LocalVariant } from '../protocol.ts';
import type { PlayedGame } from './played.ts';
import type { StoredEvent } from './events.ts';

export interface StoredTable {
  code: string;
  /** The variant of the table, with `+jokers` if they are used. */
  variant: string;
  /** The data of a variant that is not built in. */
  own: LocalVariant | null;
}

interface Schema extends DBSchema {
  tables: { key: string; value: StoredTable };
  events: { key: [string, number]; value: StoredEvent };
  /** Since version 2. */
  games: { key: string; value: PlayedGame; indexes: { table: string } };
}

const VERSION = 2;
const ofTable = (code: string): IDBKeyRange => IDBKeyRange.bound([code, 0], [code, Infinity]);

/** Another tab has stored an event with the same number. */
export class Conflict extends Error {}

export class Store {
  #database: Promise<IDBPDatabase<Schema>> | null = null;

  #open(): Promise<IDBPDatabase<Schema>> {
    this.#database ??= new Promise((resolve, reject) => {
      const opened = openDB<Schema>('rowlock', VERSION, {
        upgrade(database, before) {
          if (before < 1) {
            database.createObjectStore('tables', { keyPath: 'code' });
            database.createObjectStore('events');
          }
          database.createObjectStore('games', { keyPath: 'id' }).createIndex('table', 'table');
        },
        // A page of an older version keeps the database open. As soon as that page is closed, the database opens here.
        blocked: () => {
          reject(new ApiError('blocked'));
          this.#database = null;
          void opened.then((database) => (this.#database ??= Promise.resolve(database)));
        },
        // A page of a newer version waits for this one.
        blocking: () => {
          this.#database = null;
          void opened.then((database) => database.close());
        },
        terminated: () => (this.#database = null),
      });
      // The database of a newer version cannot be opened: this page is too old.
      opened.then(resolve, (error: DOMException) => reject(error.name === 'VersionError' ? new ApiError('version') : error));
    });
    this.#database.catch(() => (this.#database = null));
    return this.#database;
  }

  async read(code: string): Promise<{ table: StoredTable; events: StoredEvent[] } | null> {
    const database = await this.#open();
    const table = await database.get('tables', code);
    return table ? { table, events: await database.getAll('events', ofTable(code)) } : null;
  }

  /** Store events with the numbers from `first` on, and a new table with its first ones. */
  async append(code: string, first: number, events: StoredEvent[], table: StoredTable | null = null): Promise<void> {
    const transaction = (await this.#open()).transaction(['tables', 'events'], 'readwrite', { durability: 'strict' });
    const writes = events.map((event, index) => transaction.objectStore('events').add(event, [code, first + index]));
    if (table) writes.push(transaction.objectStore('tables').add(table) as Promise<never>);
    try {
      await Promise.all([...writes, transaction.done]);
    } catch (error) {
      await transaction.done.catch(() => undefined);
      throw error instanceof DOMException && error.name === 'ConstraintError' ? new Conflict() : error;
    }
  }

  /** The codes of all tables. */
  async codes(): Promise<string[]> {
    return (await this.#open()).getAllKeys('tables');
  }

  /** Remove a table with its game. */
  async remove(code: string): Promise<void> {
    const transaction = (await this.#open()).transaction(['tables', 'events', 'games'], 'readwrite');
    const ids = await transaction.objectStore('games').index('table').getAllKeys(code);
    await Promise.all([
      transaction.objectStore('tables').delete(code),
      transaction.objectStore('events').delete(ofTable(code)),
      ...ids.map((id) => transaction.objectStore('games').delete(id)),
      transaction.done,
    ]);
  }

  // Games that are over

  async games(): Promise<PlayedGame[]> {
    return (await this.#open()).getAll('games');
  }

  async hasGameOf(table: string): Promise<boolean> {
    return (await (await this.#open()).countFromIndex('games', 'table', table)) > 0;
  }

  /** The tables whose games are over and not among the games yet. */
  async tablesToKeep(): Promise<string[]> {
    const database = await this.#open();
    const kept = new Set((await database.getAll('games')).map(({ table }) => table));
    const codes = (await this.codes()).filter((code) => !kept.has(code));
    const ended = await Promise.all(codes.map(async (code) => (await database.getAll('events', ofTable(code))).some(({ event }) => event.kind === 'ended')));
    return codes.filter((_, index) => ended[index]);
  }

  /** Store games; those that are stored already stay as they are. Return which are new. */
  async keep(games: PlayedGame[]): Promise<PlayedGame[]> {
    const transaction = (await this.#open()).transaction('games', 'readwrite', { durability: 'strict' });
    try {
      const known = new Set(await transaction.store.getAllKeys());
      const added = games.filter(({ id }, index) => !known.has(id) && games.findIndex((one) => one.id === id) === index);
      await Promise.all([...added.map((game) => transaction.store.add(game)), transaction.done]);
      return added;
    } catch (error) {
      await transaction.done.catch(() => undefined);
      throw error;
    }
  }

  async forget(id: string): Promise<void> {
    await (await this.#open()).delete('games', id);
  }
}
