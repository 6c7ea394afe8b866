/** Forgets the people of this device: their names and secrets at the server, and all that this site has stored here. */
import { ApiError, post, send } from './api.ts';
import { device } from './storage.svelte.ts';

/** Answers after which there is nothing left to forget at a table: it is gone, or the seat is another's. */
const DONE = ['secret', 'no-table', 'history'];

/** For so long a request is held back if there are too many in a short time. */
const MOST_SECONDS = 5;

/** If the server does not answer for a seat, nothing is deleted here, so that it can be tried again. */
export async function forgetMe(): Promise<void> {
  for (const { table, secret } of device.seats) await forgetSeat(`api/tables/${encodeURIComponent(table)}/forget`, secret);
  for (const key of Object.keys(localStorage)) if (key.startsWith('rowlock.')) localStorage.removeItem(key);
  for (const name of ['rowlock', 'rowlock-shares']) await deleteDatabase(name);
}

async function forgetSeat(path: string, secret: string): Promise<void> {
  try {
    await send(path, post({ secret }));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const seconds = error.code === 'too-fast' ? Number(error.values['seconds']) : Infinity;
    if (seconds <= MOST_SECONDS) {
      await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
      return forgetSeat(path, secret);
    }
    if (!DONE.includes(error.code)) throw error;
  }
}

/** Other pages of the site close the database when they are asked to. */
function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = () => resolve();
    request.onerror = request.onblocked = () => reject(new ApiError('blocked'));
  });
}
