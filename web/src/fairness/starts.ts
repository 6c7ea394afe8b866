/** The starts of games for which this device has made shares, in IndexedDB: its tabs share them, and the first one writes. */
import { openDB, type DBSchema } from 'idb';
import { device } from '../storage.svelte.ts';

/** What this device has made and was promised when a game was about to start. */
export interface FairStart {
  /** Of the table to its seed. */
  commitment: string;
  /** Of this device, by name. */
  shares: Record<string, string>;
  /** The name and the commitment of every seat, as shown when this device gave its shares; null before that. */
  promised: { name: string; commitment: string | null }[] | null;
}

interface Schema extends DBSchema {
  starts: { key: string; value: FairStart[] };
}

/** What a page keeps that cannot store anything. */
const inMemory = new Map<string, FairStart[]>();

const open = () => openDB<Schema>('rowlock-shares', 1, { upgrade: (database) => void database.createObjectStore('starts'), blocking: (_, __, event) => (event.target as IDBDatabase).close() });

/** The starts of a table after a change, which sees what other tabs have stored; those of forgotten tables are deleted. */
export async function changeStarts(table: string, change: (starts: FairStart[]) => FairStart[]): Promise<FairStart[]> {
  try {
    const database = await open();
    try {
      const { store, done } = database.transaction('starts', 'readwrite', { durability: 'strict' });
      const starts = change((await store.get(table)) ?? []);
      const forgotten = (await store.getAllKeys()).filter((one) => one !== table && !device.savedTable(one));
      await Promise.all([store.put(starts, table), ...forgotten.map((one) => store.delete(one)), done]);
      return starts;
    } finally {
      database.close();
    }
  } catch {
    const starts = change(inMemory.get(table) ?? []);
    inMemory.set(table, starts);
    return starts;
  }
}

/** The starts of a table, the latest last. */
export const readStarts = (table: string): Promise<FairStart[]> => changeStarts(table, (starts) => starts);
