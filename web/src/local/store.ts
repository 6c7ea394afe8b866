/** The tables of this device in IndexedDB: their events, from which they are rebuilt. */
import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { LocalVariant } from '../protocol.ts';
import type { StoredEvent } from './table.ts';

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
}

const VERSION = 1;
const ofTable = (code: string): IDBKeyRange => IDBKeyRange.bound([code, 0], [code, Infinity]);

/** Another tab has stored an event with the same number. */
export class Conflict extends Error {}

export class Store {
  #database: Promise<IDBPDatabase<Schema>> | null = null;

  #open(): Promise<IDBPDatabase<Schema>> {
    this.#database ??= openDB<Schema>('rowlock', VERSION, {
      upgrade(database) {
        database.createObjectStore('tables', { keyPath: 'code' });
        database.createObjectStore('events');
      },
      terminated: () => (this.#database = null),
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

  async remove(code: string): Promise<void> {
    const transaction = (await this.#open()).transaction(['tables', 'events'], 'readwrite');
    await Promise.all([transaction.objectStore('tables').delete(code), transaction.objectStore('events').delete(ofTable(code)), transaction.done]);
  }
}
