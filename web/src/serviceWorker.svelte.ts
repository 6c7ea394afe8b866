/** The service worker, which keeps the client on the device, and its new versions. Browsers have it on https and localhost only. */

const CHECK_INTERVAL = 60 * 60_000; // milliseconds
/** How long a new version may take to take over, in milliseconds; then the page is loaded again as it is. */
const TAKE_OVER_TIMEOUT = 20_000;

let waiting = $state(false);

/** Whether a new version is on the device, and waits until no page of the old one is open. */
export const updateIsReady = (): boolean => waiting;

const container = (): ServiceWorkerContainer | null => ('serviceWorker' in navigator ? navigator.serviceWorker : null);

/** Start the service worker; without one the client works, but not without a connection. */
export async function startServiceWorker(): Promise<void> {
  const registration = await container()
    ?.register('sw.js')
    .catch(() => null); // switched off, or no space
  if (!registration) return;
  const update = (): void => {
    // Before the first version is active nothing is replaced.
    waiting = registration.waiting !== null && registration.active !== null;
  };
  const watch = (worker: ServiceWorker | null): void => worker?.addEventListener('statechange', update);
  registration.addEventListener('updatefound', () => watch(registration.installing));
  watch(registration.installing);
  watch(registration.waiting);
  update();

  // Browsers look for a new version when a page is loaded; an installed app may stay open for days.
  let checked = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - checked < CHECK_INTERVAL) return;
    checked = Date.now();
    registration.update().catch(() => undefined);
  });
}

/** Load the page again in the newest version. */
export async function reloadNewest(): Promise<void> {
  let timer = 0;
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, TAKE_OVER_TIMEOUT) as unknown as number));
  await Promise.race([takeOver().catch(() => undefined), timeout]);
  clearTimeout(timer);
  location.reload();
}

/** Let the newest service worker replace the active one. */
async function takeOver(): Promise<void> {
  const registration = await container()?.getRegistration();
  if (!registration) return;
  await registration.update().catch(() => undefined); // without a connection the one that waits is the newest
  const worker = registration.installing ?? registration.waiting;
  if (!worker) return;
  await new Promise<void>((resolve) => {
    const onchange = (): void => {
      if (worker.state === 'installed') worker.postMessage('take-over');
      else if (worker.state === 'activated' || worker.state === 'redundant') resolve();
    };
    worker.addEventListener('statechange', onchange);
    onchange();
  });
}

/** The key in the session storage for when this page was loaded again because a file was missing. */
const RELOADED_AT = 'rowlock.reloaded-at';

/** Reload a page whose chunk is gone, because another page has let a new version take over; once a minute at most. */
export function reloadWithoutChunk(): void {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED_AT)) < 60_000) return;
  sessionStorage.setItem(RELOADED_AT, String(Date.now()));
  void reloadNewest();
}
