/** Loading what is needed later while the page is idle: then the connection may be gone. */

/** After the first load, in milliseconds. */
const DELAY = 3000;
const SOON = 0;

let running = 0;

/** Whether files are loaded that nobody waits for: if one is missing, the page goes on. */
export const isPreloading = (): boolean => running > 0;

/** Whether the person wants to save data; not all browsers know. */
const savesData = (): boolean => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

type Load = () => Promise<unknown>;

/** Load modules some time after the first load. */
export const preload = (...loads: Load[]): void => loadAfter(DELAY, loads);

/** Load what the page cannot do without, should the connection be lost. */
export const preloadSoon = (...loads: Load[]): void => loadAfter(SOON, loads);

function loadAfter(delay: number, loads: Load[]): void {
  const start = (): void => void setTimeout(() => loads.forEach((load) => void run(load)), delay);
  if (document.readyState === 'complete') start();
  else addEventListener('load', start, { once: true });
}

async function run(load: Load): Promise<void> {
  if (navigator.onLine && !savesData()) await loadOptional(load);
}

/** Load what the page can do without; null if that fails. */
export async function loadOptional<T>(load: () => Promise<T>): Promise<T | null> {
  running++;
  try {
    return await load();
  } catch {
    return null;
  } finally {
    running--;
  }
}
