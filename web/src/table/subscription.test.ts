import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { View } from '../protocol.ts';

/** The server's end of a socket. */
class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  static get last(): FakeSocket {
    return this.all.at(-1)!;
  }
  readyState = 0;
  received: { type: string; id: string; secrets?: string[]; invite?: string | null; last_seq?: number; seat?: number }[] = [];
  onopen = (): void => undefined;
  onmessage = (_: { data: string }): void => undefined;
  onclose = (): void => undefined;

  constructor() {
    FakeSocket.all.push(this);
  }
  send(text: string): void {
    this.received.push(JSON.parse(text) as { type: string; id: string });
  }
  close(): void {
    this.readyState = 3;
    this.onclose();
  }
  open(): void {
    this.readyState = 1;
    this.onopen();
  }
  reply(message: object): void {
    this.onmessage({ data: JSON.stringify(message) });
  }
  /** Acknowledge the last `hello` and show the table. */
  acceptHello(view = VIEW, hash: string | null = null): void {
    this.reply({ type: 'ack', id: this.received.at(-1)!.id, table: 'ABC234', seq: view.seq, hash });
    this.reply(view);
  }
}

const seat = { name: 'Anna', kind: 'person', bot: null, connected: true, absent: false, trouble: null, sheet: null, shares: true };
const position = { turn: 3, phase: 'white', active: 0 };
const VIEW = { type: 'view', table: 'ABC234', seq: 7, now: 0, state: 'running', variant: 'classic', seats: [seat], position, own: [{ seat: 0 }], to_act: [0], log: [], roll_at: null, takeback: null, hash: 'seven', invite: null } as unknown as View;
const CHOICE = { option: 'R5', marks: ['R5'] };

class FakeStorage extends Map<string, string> {
  getItem = (key: string): string | null => this.get(key) ?? null;
  setItem = (key: string, value: string): unknown => this.set(key, value);
  removeItem = (key: string): unknown => this.delete(key);
}

const reload = vi.fn();

async function subscribe(...names: string[]) {
  const { device } = await import('../storage.svelte.ts');
  const { TableSubscription } = await import('./subscription.svelte.ts');
  device.saveTable('ABC234', { places: names.map((name) => ({ name, secret: name.toLowerCase() })) });
  return { subscription: new TableSubscription('ABC234'), device };
}

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  FakeSocket.all = [];
  reload.mockReset();
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('location', { reload });
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible', baseURI: 'http://localhost/games/', querySelector: () => null }));
  vi.stubGlobal('localStorage', new FakeStorage());
  vi.stubGlobal('sessionStorage', new FakeStorage());
  const page = new EventTarget();
  for (const name of ['addEventListener', 'removeEventListener', 'dispatchEvent'] as const) vi.stubGlobal(name, page[name].bind(page));
});
afterEach(() => vi.useRealTimers());

describe('a decision', () => {
  test('is sent at once, and kept until the view shows it', async () => {
    const { subscription } = await subscribe('Anna');
    FakeSocket.last.open();
    FakeSocket.last.acceptHello();
    subscription.decide(0, CHOICE);
    expect(FakeSocket.last.received.at(-1)).toMatchObject({ type: 'decide', seat: 0, turn: 3, phase: 'white', option: 'R5' });
    expect(subscription.sent.get(0)).toEqual(CHOICE);
    FakeSocket.last.reply({ type: 'ack', id: FakeSocket.last.received.at(-1)!.id, table: 'ABC234', seq: 8 });
    expect(subscription.sent.get(0)).toEqual(CHOICE);
    FakeSocket.last.reply({ ...VIEW, seq: 8 });
    expect(subscription.sent.size).toBe(0);
  });

  test('is sent again with the same id after a lost connection, if its phase is not over', async () => {
    const { subscription } = await subscribe('Anna');
    FakeSocket.last.open();
    FakeSocket.last.acceptHello();
    subscription.decide(0, CHOICE);
    const { id } = FakeSocket.last.received.at(-1)!;
    for (const [view, sent] of [[VIEW, [id]], [{ ...VIEW, seq: 9, position: { ...position, turn: 4 } } as View, []]] as const) {
      FakeSocket.last.close();
      expect(subscription.online).toBe(false);
      vi.advanceTimersByTime(1000);
      FakeSocket.last.open();
      FakeSocket.last.acceptHello(view);
      expect(subscription.online).toBe(true);
      expect(FakeSocket.last.received.filter((one) => one.type === 'decide').map((one) => one.id)).toEqual(sent);
    }
    expect(FakeSocket.all.length).toBe(3);
  });
});

describe('at a table without dice', () => {
  const SHEETS = { ...VIEW, dice: 'none', to_act: [], position: { ...position, phase: 'white' } } as unknown as View;
  const inRoll = (turn: number, seq: number): View => ({ ...SHEETS, seq, position: { ...SHEETS.position!, turn } });
  const sent = () => FakeSocket.last.received.filter((one) => one.type !== 'hello');
  const refuse = (code: string, values: object): void => FakeSocket.last.reply({ type: 'error', id: FakeSocket.last.received.at(-1)!.id, table: 'ABC234', code, values });

  async function atTable() {
    const { subscription } = await subscribe('Anna');
    FakeSocket.last.open();
    FakeSocket.last.acceptHello(SHEETS);
    return subscription;
  }

  test('every command names its roll, and what is undone', async () => {
    const subscription = await atTable();
    subscription.mark(0, CHOICE);
    subscription.undo(0, CHOICE);
    subscription.newRoll();
    subscription.finish();
    expect(sent()).toMatchObject([
      { type: 'mark', seat: 0, turn: 3, option: 'R5' },
      { type: 'undo', seat: 0, turn: 3, option: 'R5' },
      { type: 'newroll', turn: 3 },
      { type: 'finish', turn: 4 },
    ]);
  });

  test('a mark that follows a new roll is for that roll, before a view shows it', async () => {
    const subscription = await atTable();
    subscription.newRoll();
    subscription.newRoll(); // the second tap of a double tap
    subscription.mark(0, CHOICE);
    expect(sent()).toMatchObject([{ turn: 3 }, { turn: 3 }, { type: 'mark', turn: 4 }]);
    FakeSocket.last.reply(inRoll(4, 8));
    subscription.mark(0, CHOICE);
    FakeSocket.last.reply(inRoll(5, 9)); // somebody else has announced it
    subscription.mark(0, CHOICE);
    expect(sent().slice(-2)).toMatchObject([{ turn: 4 }, { turn: 5 }]);
  });

  test('what was sent is sent again after a lost connection, whatever roll it is: the server knows it', async () => {
    const subscription = await atTable();
    subscription.mark(0, CHOICE);
    subscription.undo(0, CHOICE);
    const ids = sent().map((one) => one.id);
    FakeSocket.last.close();
    vi.advanceTimersByTime(1000);
    FakeSocket.last.open();
    FakeSocket.last.acceptHello(inRoll(4, 9));
    expect(sent().map((one) => one.id)).toEqual(ids);
  });

  test.each([
    ['a mark for an old roll', 'mark', 'past', { turn: 4 }, 'outdated'],
    ['a mark that is no longer possible', 'mark', 'illegal', {}, 'outdated'],
    ['an undo in an old roll', 'undo', 'past', { turn: 4 }, 'outdated'],
    ['an undo of what another device has undone', 'undo', 'past', { turn: 3 }, undefined],
    ['an undo of what a later mark needs', 'undo', 'illegal', {}, 'no-undo'],
    ['an end in an old roll', 'finish', 'past', { turn: 4 }, 'outdated'],
    ['a roll that another device has announced', 'newRoll', 'past', { turn: 4 }, undefined],
  ] as const)('%s is answered by a message, if it is not what was meant anyway', async (_, command, code, values, shown) => {
    const subscription = await atTable();
    subscription[command](0, CHOICE);
    refuse(code, values);
    expect(subscription.error?.code).toBe(shown);
    expect(subscription.error?.mark?.option).toBe(command === 'mark' ? 'R5' : undefined);
  });
});

describe('the connection', () => {
  test('is pinged when it is silent, and given up when it stays silent', async () => {
    const { subscription } = await subscribe('Anna');
    FakeSocket.last.open();
    FakeSocket.last.acceptHello();
    vi.advanceTimersByTime(13_000);
    expect(FakeSocket.last.received.at(-1)).toEqual({ type: 'ping' });
    expect(subscription.online).toBe(true);
    vi.advanceTimersByTime(15_000);
    expect(subscription.online).toBe(false);
  });

  test('is opened at once when the device is online again', async () => {
    await subscribe('Anna');
    dispatchEvent(new Event('offline'));
    expect(FakeSocket.all.length).toBe(1);
    dispatchEvent(new Event('online'));
    expect(FakeSocket.all.length).toBe(2);
  });

  test('is not opened again after it was closed', async () => {
    const { subscription } = await subscribe('Anna');
    subscription.close();
    dispatchEvent(new Event('online'));
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all.length).toBe(1);
  });

  test('of a page older than the server reloads it once', async () => {
    const { subscription } = await subscribe('Anna');
    FakeSocket.last.open();
    const refuse = (): void => FakeSocket.last.reply({ type: 'error', id: FakeSocket.last.received.at(-1)!.id, code: 'version', values: {} });
    refuse();
    await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
    expect(subscription.refused).toBe(null);
    refuse();
    expect(reload).toHaveBeenCalledOnce();
    expect(subscription.refused?.code).toBe('version');
  });
});

describe('a seat', () => {
  const both = { ...VIEW, seats: [seat, { ...seat, name: 'Ben' }], own: [{ seat: 0 }, { seat: 1 }] } as View;
  const onlyBen = { ...both, own: [{ seat: 1 }] } as View;
  const refuse = (): void => FakeSocket.last.reply({ type: 'error', id: FakeSocket.last.received.at(-1)!.id, code: 'secret', values: {} });
  const secrets = (): unknown[] => FakeSocket.last.received.map((one) => one.secrets);

  test('whose secret is refused is kept and asked for again, the others are played', async () => {
    const { subscription, device } = await subscribe('Anna', 'Ben');
    FakeSocket.last.open();
    refuse();
    refuse();
    expect(secrets()).toEqual([['anna', 'ben'], ['anna'], ['ben']]);
    expect(subscription.error?.code).toBe('seat-refused');
    FakeSocket.last.acceptHello(onlyBen);
    expect(subscription.credentials.map((one) => one.name)).toEqual(['Ben']);
    expect(device.credentials('ABC234').map((one) => one.name)).toEqual(['Anna', 'Ben']);

    vi.advanceTimersByTime(1000);
    expect(secrets().at(-1)).toEqual(['anna', 'ben']);
    FakeSocket.last.acceptHello(both);
    expect(subscription.credentials.length).toBe(2);
    expect(subscription.error).toBe(null);
    expect(subscription.online).toBe(true);
  });

  test('whose secret stays refused is kept, and asked for less and less often', async () => {
    const { device } = await subscribe('Anna');
    const watching = { ...VIEW, own: [] } as unknown as View;
    FakeSocket.last.open();
    for (const seconds of [1, 2, 4, null]) {
      refuse();
      refuse();
      FakeSocket.last.acceptHello(watching);
      const before = FakeSocket.last.received.length;
      for (let second = 1; seconds !== null && second <= seconds; second++) {
        expect(FakeSocket.last.received.slice(before).filter((one) => one.type === 'hello')).toEqual([]);
        FakeSocket.last.reply({ type: 'pong', id: null, now: 0 });
        vi.advanceTimersByTime(1000);
      }
    }
    expect(secrets().filter((one) => Array.isArray(one) && one.length).length).toBe(2 * 4);
    FakeSocket.last.reply({ type: 'pong', id: null, now: 0 });
    vi.advanceTimersByTime(20_000);
    expect(secrets().filter((one) => Array.isArray(one) && one.length).length).toBe(2 * 4);
    expect(device.credentials('ABC234').map((one) => one.name)).toEqual(['Anna']);
    FakeSocket.last.close();
    vi.advanceTimersByTime(1000);
    FakeSocket.last.open();
    expect(secrets()).toEqual([['anna']]);
  });

  test('whose secret is refused is asked for again, even if the table cannot be watched', async () => {
    const { subscription } = await subscribe('Anna');
    const refuseTable = (): void => FakeSocket.last.reply({ type: 'error', id: FakeSocket.last.received.at(-1)!.id, code: 'invite', values: {} });
    FakeSocket.last.open();
    refuse();
    refuse();
    refuseTable();
    expect(subscription.refused?.code).toBe('invite');
    vi.advanceTimersByTime(1000);
    FakeSocket.last.open();
    expect(secrets()).toEqual([['anna']]);
    FakeSocket.last.acceptHello();
    expect(subscription.online).toBe(true);
    expect(subscription.error).toBe(null);
  });

  test('at a table that is deleted ends', async () => {
    const { subscription } = await subscribe('Anna');
    FakeSocket.last.open();
    FakeSocket.last.acceptHello();
    FakeSocket.last.reply({ type: 'error', id: null, table: 'ABC234', code: 'no-table', values: {} });
    expect(subscription.refused?.code).toBe('no-table');
  });

  test('that was removed by the host is reported, one that was left is not', async () => {
    for (const [leaves, code] of [[false, 'removed'], [true, undefined]] as const) {
      const { subscription } = await subscribe('Anna', 'Ben');
      const waiting = { ...both, state: 'waiting', position: null } as unknown as View;
      FakeSocket.last.open();
      FakeSocket.last.acceptHello(waiting);
      if (leaves) subscription.leave(0);
      FakeSocket.last.reply({ ...waiting, seq: 8, own: [{ seat: 1 }], seats: [{ ...seat, name: null }, waiting.seats[1]] });
      expect(subscription.error?.code).toBe(code);
    }
  });

  test('that is taken again is no longer reported as lost', async () => {
    const waiting = { ...both, state: 'waiting', position: null } as unknown as View;
    for (const [view, code] of [[waiting, 'removed'], [both, 'lost-seat']] as const) {
      const { subscription, device } = await subscribe('Anna', 'Ben');
      FakeSocket.last.open();
      FakeSocket.last.acceptHello(view);
      FakeSocket.last.reply({ ...view, seq: 8, own: [{ seat: 1 }] });
      expect(subscription.error?.code).toBe(code);
      device.saveTable('ABC234', { places: [...device.credentials('ABC234'), { name: 'Anna', secret: 'new' }] });
      subscription.setCredentials(device.credentials('ABC234'));
      FakeSocket.last.acceptHello({ ...view, seq: 9 });
      expect(subscription.error).toBe(null);
    }
  });

  test('that another device has taken over is forgotten', async () => {
    const { subscription, device } = await subscribe('Anna', 'Ben');
    FakeSocket.last.open();
    FakeSocket.last.acceptHello(both);
    FakeSocket.last.reply({ ...onlyBen, seq: 8 });
    expect(subscription.error?.code).toBe('lost-seat');
    expect(device.credentials('ABC234').map((one) => one.name)).toEqual(['Ben']);
  });
});

test('a view of another table is not shown: what this device keeps is of this one', async () => {
  const { subscription, device } = await subscribe('Anna');
  FakeSocket.last.open();
  FakeSocket.last.acceptHello();
  FakeSocket.last.reply({ ...VIEW, seq: 8, table: 'DEF567' });
  expect(subscription.view).toMatchObject({ table: 'ABC234', seq: 7 });
  expect(device.savedTable('DEF567')).toBe(undefined);
});

test('a game in which this device has a seat is remembered, also if the seat is lost', async () => {
  const { device } = await subscribe('Anna');
  FakeSocket.last.open();
  FakeSocket.last.acceptHello({ ...VIEW, position: null, state: 'waiting' });
  expect(device.savedTable('ABC234')?.played).toBe(undefined);
  FakeSocket.last.reply({ ...VIEW, seq: 8 });
  FakeSocket.last.reply({ ...VIEW, seq: 9, own: [] });
  expect(device.savedTable('ABC234')?.played).toBe(true);
});

describe('hello', () => {
  const hello = () => FakeSocket.last.received.findLast((one) => one.type === 'hello');

  test('carries the secret of the link; a view has it for those with a seat', async () => {
    const { device } = await subscribe();
    const { TableSubscription } = await import('./subscription.svelte.ts');
    new TableSubscription('ABC234', 'link');
    FakeSocket.last.open();
    expect(hello()?.invite).toBe('link');
    expect(device.savedTable('ABC234')?.invite).toBe(undefined); // there may be no such table
    FakeSocket.last.acceptHello({ ...VIEW, own: [] });
    expect(device.savedTable('ABC234')?.invite).toBe('link');
    FakeSocket.last.reply({ ...VIEW, seq: 8, invite: 'other' });
    new TableSubscription('ABC234');
    FakeSocket.last.open();
    expect(hello()?.invite).toBe('other');
  });

  test('names the newest event that an answer or a view has named', async () => {
    const { subscription, device } = await subscribe('Anna');
    device.saveSeq('ABC234', 4);
    FakeSocket.last.open();
    expect(hello()?.last_seq).toBe(4);
    FakeSocket.last.acceptHello();
    device.saveSeq('ABC234', 9);
    subscription.setCredentials(device.credentials('ABC234'));
    expect(hello()?.last_seq).toBe(9);
    FakeSocket.last.acceptHello({ ...VIEW, seq: 10 });
    subscription.setCredentials(device.credentials('ABC234'));
    expect(hello()?.last_seq).toBe(10);
  });

  test('finds out if the stored history has been changed, and remembers it', async () => {
    const { device } = await subscribe('Anna');
    const { TableSubscription } = await import('./subscription.svelte.ts');
    FakeSocket.last.open();
    FakeSocket.last.acceptHello(); // the hash of its view is "seven"
    expect(device.savedTable('ABC234')).toMatchObject({ seq: 7, hash: 'seven' });
    for (const [hash, changed] of [['seven', false], ['other', true], ['seven', true]] as const) {
      const again = new TableSubscription('ABC234');
      FakeSocket.last.open();
      expect(hello()?.last_seq).toBe(7);
      FakeSocket.last.acceptHello(VIEW, hash);
      expect(again.changed).toBe(changed);
      again.close();
    }
  });

  test.each([
    ['has lost its hashes', VIEW, 7],
    ['lacks events, and shows what is left', { ...VIEW, seq: 5, hash: 'five' }, 5],
  ])('finds out if the stored history %s', async (_, view, seq) => {
    const { subscription } = await subscribe('Anna');
    FakeSocket.last.open();
    FakeSocket.last.acceptHello();
    FakeSocket.last.close();
    vi.advanceTimersByTime(1000);
    FakeSocket.last.open();
    FakeSocket.last.acceptHello(view, null);
    expect(subscription.changed).toBe(true);
    expect(subscription.view?.seq).toBe(seq);
  });

  test('compares no hash with an event that only an answer has named', async () => {
    const { subscription, device } = await subscribe('Anna');
    FakeSocket.last.open();
    FakeSocket.last.acceptHello();
    device.saveSeq('ABC234', 9);
    subscription.setCredentials(device.credentials('ABC234'));
    FakeSocket.last.acceptHello({ ...VIEW, seq: 9 }, 'nine');
    expect(subscription.changed).toBe(false);
  });

  test('is sent again with the secret of another link after a refusal', async () => {
    const { subscription } = await subscribe();
    FakeSocket.last.open();
    FakeSocket.last.reply({ type: 'error', id: hello()!.id, code: 'invite', values: {} });
    expect(subscription.refused?.code).toBe('invite');
    subscription.retry('link');
    FakeSocket.last.open();
    expect(hello()?.invite).toBe('link');
  });
});

test('the people at one device answer a rematch together', async () => {
  const { subscription } = await subscribe('Anna', 'Ben');
  FakeSocket.last.open();
  FakeSocket.last.acceptHello({ ...VIEW, state: 'over', seats: [seat, { ...seat, name: 'Ben', bot: 'greedy' }], own: [{ seat: 0 }, { seat: 1 }] } as unknown as View);
  subscription.answerRematch(true);
  expect(FakeSocket.last.received.slice(1)).toMatchObject([
    { type: 'rematch', seat: 0, agree: true },
    { type: 'return', seat: 1 },
    { type: 'rematch', seat: 1, agree: true },
  ]);
});

test('a request to take back that is declined is reported', async () => {
  const { subscription } = await subscribe('Anna');
  FakeSocket.last.open();
  FakeSocket.last.acceptHello({ ...VIEW, takeback: { seat: 0, turn: 2, phase: 'white', agreed: [], until: 9 } });
  FakeSocket.last.reply({ ...VIEW, seq: 8 });
  expect(subscription.error?.code).toBe('takeback-declined');
});

describe('an answer to a request to take back', () => {
  const takeback = { seat: 1, turn: 2, phase: 'white', agreed: [], until: 9 };
  const asked = { ...VIEW, seats: [seat, { ...seat, name: 'Ben' }], takeback } as View;

  test.each([
    ['is sent again while the request is open', { ...takeback, agreed: [2] }, 1],
    ['is dropped when another request is open', { ...takeback, phase: 'colour' }, 0],
    ['is dropped when no request is open', null, 0],
  ])('%s', async (_, request, sent) => {
    const { subscription } = await subscribe('Anna');
    FakeSocket.last.open();
    FakeSocket.last.acceptHello(asked);
    FakeSocket.last.close();
    subscription.answerTakeback(true);
    vi.advanceTimersByTime(1000);
    FakeSocket.last.open();
    FakeSocket.last.acceptHello({ ...asked, takeback: request } as View);
    expect(FakeSocket.last.received.filter((one) => one.type === 'agree').length).toBe(sent);
  });
});

test('a phase that comes again after a take-back is another one', async () => {
  const { subscription } = await subscribe('Anna');
  FakeSocket.last.open();
  FakeSocket.last.acceptHello();
  const numbers = [subscription.phaseNumber];
  for (const [seq, phase] of ['white', 'colour', 'white'].entries()) {
    FakeSocket.last.reply({ ...VIEW, seq: 8 + seq, position: { ...position, phase } });
    numbers.push(subscription.phaseNumber);
  }
  expect(numbers).toEqual([1, 1, 2, 3]);
});
