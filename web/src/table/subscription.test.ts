import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { View } from '../protocol.ts';

/** A server's end of the socket: what was sent to it, and what it answers. */
class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  static get last(): FakeSocket {
    return this.all.at(-1)!;
  }
  readyState = 0;
  heard: { type: string; id: string; secrets?: string[] }[] = [];
  onopen = (): void => undefined;
  onmessage = (_: { data: string }): void => undefined;
  onclose = (): void => undefined;

  constructor() {
    FakeSocket.all.push(this);
  }
  send(text: string): void {
    this.heard.push(JSON.parse(text) as { type: string; id: string });
  }
  close(): void {
    this.readyState = 3;
    this.onclose();
  }
  open(): void {
    this.readyState = 1;
    this.onopen();
  }
  say(reply: object): void {
    this.onmessage({ data: JSON.stringify(reply) });
  }
  /** Acknowledge the last `hello` and show the table. */
  welcome(view = VIEW): void {
    this.say({ type: 'ack', id: this.heard.at(-1)!.id, table: 'ABC234', seq: view.seq });
    this.say(view);
  }
}

const seat = { name: 'Anna', kind: 'person', bot: null, connected: true, absent: false, trouble: null };
const position = { turn: 3, phase: 'white', active: 0 };
const VIEW = { type: 'view', table: 'ABC234', seq: 7, now: 0, state: 'running', variant: 'classic', seats: [seat], position, own: [{ seat: 0 }], to_act: [0] } as unknown as View;
const CHOICE = { option: 'R5', marks: ['R5'] };

class FakeStorage extends Map<string, string> {
  getItem = (key: string): string | null => this.get(key) ?? null;
  setItem = (key: string, value: string): unknown => this.set(key, value);
  removeItem = (key: string): unknown => this.delete(key);
}

const reload = vi.fn();

async function follow(...names: string[]) {
  const { device } = await import('../storage.svelte.ts');
  const { Following } = await import('./subscription.svelte.ts');
  device.remember('ABC234', { places: names.map((name) => ({ name, secret: name.toLowerCase() })) });
  return { following: new Following('ABC234'), device };
}

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  FakeSocket.all = [];
  reload.mockReset();
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('location', { origin: 'http://localhost', reload });
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
  vi.stubGlobal('localStorage', new FakeStorage());
  vi.stubGlobal('sessionStorage', new FakeStorage());
  const page = new EventTarget();
  for (const name of ['addEventListener', 'removeEventListener', 'dispatchEvent'] as const) vi.stubGlobal(name, page[name].bind(page));
});
afterEach(() => vi.useRealTimers());

describe('a decision', () => {
  test('is sent at once, and remembered until the view shows it', async () => {
    const { following } = await follow('Anna');
    FakeSocket.last.open();
    FakeSocket.last.welcome();
    following.decide(0, CHOICE);
    expect(FakeSocket.last.heard.at(-1)).toMatchObject({ type: 'decide', seat: 0, turn: 3, phase: 'white', option: 'R5' });
    expect(following.sent.get(0)).toEqual(CHOICE);
    FakeSocket.last.say({ type: 'ack', id: FakeSocket.last.heard.at(-1)!.id, table: 'ABC234', seq: 8 });
    expect(following.sent.get(0)).toEqual(CHOICE);
    FakeSocket.last.say({ ...VIEW, seq: 8 });
    expect(following.sent.size).toBe(0);
  });

  test('that a break has kept back is sent under the same id, if the table still waits for it', async () => {
    const { following } = await follow('Anna');
    FakeSocket.last.open();
    FakeSocket.last.welcome();
    following.decide(0, CHOICE);
    const { id } = FakeSocket.last.heard.at(-1)!;
    for (const [view, sent] of [[VIEW, [id]], [{ ...VIEW, seq: 9, position: { ...position, turn: 4 } } as View, []]] as const) {
      FakeSocket.last.close();
      expect(following.online).toBe(false);
      vi.advanceTimersByTime(1000);
      FakeSocket.last.open();
      FakeSocket.last.welcome(view);
      expect(following.online).toBe(true);
      expect(FakeSocket.last.heard.filter((one) => one.type === 'decide').map((one) => one.id)).toEqual(sent);
    }
    expect(FakeSocket.all.length).toBe(3);
  });
});

describe('the connection', () => {
  test('is asked when it is silent, and given up when it stays so', async () => {
    const { following } = await follow('Anna');
    FakeSocket.last.open();
    FakeSocket.last.welcome();
    vi.advanceTimersByTime(13_000);
    expect(FakeSocket.last.heard.at(-1)).toEqual({ type: 'ping' });
    expect(following.online).toBe(true);
    vi.advanceTimersByTime(15_000);
    expect(following.online).toBe(false);
  });

  test('is opened at once when the device is online again', async () => {
    await follow('Anna');
    dispatchEvent(new Event('offline'));
    expect(FakeSocket.all.length).toBe(1);
    dispatchEvent(new Event('online'));
    expect(FakeSocket.all.length).toBe(2);
  });

  test('is not opened again after the end', async () => {
    const { following } = await follow('Anna');
    following.end();
    dispatchEvent(new Event('online'));
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all.length).toBe(1);
  });

  test('of a page older than the server reloads it once', async () => {
    const { following } = await follow('Anna');
    FakeSocket.last.open();
    const refuse = (): void => FakeSocket.last.say({ type: 'error', id: FakeSocket.last.heard.at(-1)!.id, code: 'version', values: {} });
    refuse();
    expect(reload).toHaveBeenCalledOnce();
    expect(following.refused).toBe(null);
    refuse();
    expect(reload).toHaveBeenCalledOnce();
    expect(following.refused?.code).toBe('version');
  });
});

test('a seat that another device has taken over is forgotten, the others stay', async () => {
  const { following, device } = await follow('Anna', 'Ben');
  const socket = FakeSocket.last;
  socket.open();
  const refuse = (): void => socket.say({ type: 'error', id: socket.heard.at(-1)!.id, code: 'secret', values: {} });
  refuse();
  refuse();
  expect(socket.heard.map((one) => one.secrets)).toEqual([['anna', 'ben'], ['anna'], ['ben']]);
  expect(following.trouble?.code).toBe('lost-seat');
  socket.welcome({ ...VIEW, seats: [{ ...seat, name: 'Ben' }] } as View);
  expect(following.online).toBe(true);
  expect(device.places('ABC234').map((place) => place.name)).toEqual(['Ben']);
});
