import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** A service worker, and what it does when a page lets it take over. */
class FakeWorker extends EventTarget {
  constructor(public state: ServiceWorkerState) {
    super();
  }
  change(state: ServiceWorkerState): void {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }
  postMessage = vi.fn(() => this.change('activated'));
}

class FakeRegistration extends EventTarget {
  installing: FakeWorker | null = null;
  waiting: FakeWorker | null = null;
  active: FakeWorker | null = null;
  update = vi.fn(() => Promise.resolve());
}

const reload = vi.fn();
let registration: FakeRegistration;

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  reload.mockReset();
  registration = new FakeRegistration();
  const found = (): Promise<FakeRegistration> => Promise.resolve(registration);
  vi.stubGlobal('navigator', { serviceWorker: { register: found, getRegistration: found } });
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
  vi.stubGlobal('location', { reload });
});
afterEach(() => vi.useRealTimers());

test('a new version is reported while it waits', async () => {
  const { startServiceWorker, updateIsReady } = await import('./serviceWorker.svelte.ts');
  registration.active = new FakeWorker('activated');
  await startServiceWorker();
  expect(updateIsReady()).toBe(false);
  const next = (registration.installing = new FakeWorker('installing'));
  registration.dispatchEvent(new Event('updatefound'));
  [registration.installing, registration.waiting] = [null, next];
  next.change('installed');
  expect(updateIsReady()).toBe(true);
  [registration.waiting, registration.active] = [null, next];
  next.change('activating');
  expect(updateIsReady()).toBe(false);
});

test('the first version is not reported', async () => {
  const { startServiceWorker, updateIsReady } = await import('./serviceWorker.svelte.ts');
  const first = (registration.installing = new FakeWorker('installing'));
  await startServiceWorker();
  [registration.installing, registration.waiting] = [null, first];
  first.change('installed');
  expect(updateIsReady()).toBe(false);
});

test('before the page is loaded again, the newest version takes over', async () => {
  const { reloadNewest } = await import('./serviceWorker.svelte.ts');
  const next = new FakeWorker('installing');
  registration.update.mockImplementation(() => {
    registration.installing = next;
    return Promise.resolve();
  });
  const done = reloadNewest();
  await vi.advanceTimersByTimeAsync(1000);
  expect([next.postMessage.mock.calls.length, reload.mock.calls.length]).toEqual([0, 0]);
  next.change('installed');
  await done;
  expect(next.postMessage).toHaveBeenCalledWith('take-over');
  expect(reload).toHaveBeenCalledOnce();
});

test('without a connection the version that waits takes over', async () => {
  const { reloadNewest } = await import('./serviceWorker.svelte.ts');
  registration.update.mockRejectedValue(new TypeError());
  registration.waiting = new FakeWorker('installed');
  await reloadNewest();
  expect(registration.waiting.postMessage).toHaveBeenCalledWith('take-over');
  expect(reload).toHaveBeenCalledOnce();
});

test('a version that does not take over is not waited for', async () => {
  const { reloadNewest } = await import('./serviceWorker.svelte.ts');
  registration.installing = new FakeWorker('installing');
  const done = reloadNewest();
  await vi.advanceTimersByTimeAsync(60_000);
  await done;
  expect(reload).toHaveBeenCalledOnce();
});

test('on plain http there is no service worker, and the page is just loaded again', async () => {
  vi.stubGlobal('navigator', {});
  const { reloadNewest, startServiceWorker, updateIsReady } = await import('./serviceWorker.svelte.ts');
  await startServiceWorker();
  expect(updateIsReady()).toBe(false);
  await reloadNewest();
  expect(reload).toHaveBeenCalledOnce();
});
