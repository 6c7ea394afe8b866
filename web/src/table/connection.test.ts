import { describe, expect, test } from 'vitest';
import { CONNECTING, isOnline, lostSeat, nextState, retryDelay, type Connection, type ConnectionEvent } from './connection.ts';

const anna = { name: 'Anna', secret: 'a' };
const ben = { name: 'Ben', secret: 'b' };
const chloe = { name: 'Chloe', secret: 'c' };

const opened = (...credentials: (typeof anna)[]): ConnectionEvent => ({ type: 'opened', credentials });
const acknowledged: ConnectionEvent = { type: 'acknowledged' };
const viewed: ConnectionEvent = { type: 'viewed' };
const closed: ConnectionEvent = { type: 'closed' };
const retry: ConnectionEvent = { type: 'retry' };
const wake: ConnectionEvent = { type: 'wake' };
const rejected = (code: 'secret' | 'storage' | 'no-table'): ConnectionEvent => ({ type: 'rejected', error: { code, values: {} } });

const after = (...events: ConnectionEvent[]): Connection => events.reduce(nextState, CONNECTING);
const LIVE = [opened(anna), acknowledged, viewed];

describe('a connection is live', () => {
  test('after a hello, its acknowledgement and a view', () => {
    expect(after(opened(anna))).toMatchObject({ state: 'subscribing', credentials: [anna], untried: null });
    expect(after(opened(anna), acknowledged).state).toBe('subscribed');
    expect(after(...LIVE)).toEqual({ state: 'live', failed: 0, error: null });
  });

  test('not after a view that came before the acknowledgement', () => {
    expect(after(opened(anna), viewed).state).toBe('subscribing');
  });

  test('and online from its first view on', () => {
    expect([[], [opened(anna)], [opened(anna), acknowledged], LIVE].map((events) => isOnline(after(...events)))).toEqual([false, false, false, true]);
  });
});

describe('a connection that is lost', () => {
  test('is tried again after a while', () => {
    const lost = after(...LIVE, closed);
    expect(lost).toMatchObject({ state: 'lost', failed: 1 });
    expect(isOnline(lost)).toBe(false);
    expect(nextState(lost, retry).state).toBe('connecting');
  });

  test('is tried less and less often, at most every eight seconds', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7].map((failed) => retryDelay({ state: 'lost', failed, error: null }, 0.5));
    expect(waits).toEqual([400, 800, 1600, 3200, 6400, 8000, 8000]);
    expect(retryDelay({ state: 'lost', failed: 1, error: null }, 0)).toBe(300);
  });

  test('counts its failures until it is live', () => {
    expect(after(closed, retry, closed, retry, closed)).toMatchObject({ state: 'lost', failed: 3 });
    expect(after(closed, retry, ...LIVE, closed)).toMatchObject({ state: 'lost', failed: 1 });
  });

  test('is tried at once when the page is visible again', () => {
    expect(after(closed, retry, closed, wake)).toEqual(CONNECTING);
    expect(after(closed, retry, wake)).toEqual(CONNECTING);
    expect(after(...LIVE, wake).state).toBe('live');
  });

  test('counts as lost once', () => {
    const lost = after(closed);
    expect(nextState(lost, closed)).toBe(lost);
  });
});

describe('a hello that is refused', () => {
  test('ends the attempts', () => {
    const refused = after(opened(), rejected('no-table'));
    expect(refused).toMatchObject({ state: 'refused', error: { code: 'no-table' } });
    expect(nextState(refused, closed)).toBe(refused);
    expect(nextState(refused, retry)).toBe(refused);
  });

  test('because of the storage is sent again; until then the error is shown', () => {
    const lost = after(opened(), rejected('storage'));
    expect(lost).toMatchObject({ state: 'lost', error: { code: 'storage' } });
    const again = [retry, opened()].reduce(nextState, lost);
    expect(again).toMatchObject({ state: 'subscribing', error: { code: 'storage' } });
    expect([acknowledged, viewed].reduce(nextState, again)).toEqual({ state: 'live', failed: 0, error: null });
  });

  test('because of a secret is sent with one more secret at a time', () => {
    const first = after(opened(anna, ben, chloe), rejected('secret'));
    expect(first).toMatchObject({ state: 'subscribing', credentials: [anna], untried: [ben, chloe] });
    const second = nextState(first, acknowledged);
    expect(second).toMatchObject({ credentials: [anna, ben], untried: [chloe] });
    const third = nextState(second, rejected('secret'));
    expect(third).toMatchObject({ credentials: [anna, chloe], untried: [] });
    expect(lostSeat(second, third as never)).toBe(true);
    expect(lostSeat(first, second as never)).toBe(false);
    expect(nextState(third, acknowledged).state).toBe('subscribed');
  });

  test('because of the last secret is sent without it', () => {
    const without = after(opened(anna, ben), rejected('secret'), acknowledged, rejected('secret'));
    expect(without).toMatchObject({ state: 'subscribing', credentials: [anna], untried: null });
  });
});

test('a second refusal of a secret tries all of them again', () => {
  const live = after(opened(anna, ben), rejected('secret'), acknowledged, acknowledged, viewed);
  const again = [closed, retry, opened(anna, ben), rejected('secret')].reduce(nextState, live);
  expect(again).toMatchObject({ state: 'subscribing', credentials: [anna], untried: [ben] });
});

describe('other seats', () => {
  const seats: ConnectionEvent = { type: 'seats', credentials: [anna, ben] };

  test('are sent at once, and the table stays online', () => {
    const again = after(...LIVE, seats);
    expect(again).toMatchObject({ state: 'subscribing', credentials: [anna, ben] });
    expect([again, nextState(again, acknowledged)].map(isOnline)).toEqual([true, true]);
    expect(isOnline(nextState(again, closed))).toBe(false);
  });

  test('are sent when there is a connection', () => {
    expect(after(seats)).toEqual(CONNECTING);
    expect(after(closed, seats).state).toBe('lost');
  });
});

test('nothing happens after the end', () => {
  const ended = after(...LIVE, { type: 'end' });
  expect([closed, retry, wake, opened(anna)].reduce(nextState, ended)).toBe(ended);
});

describe('a spectator who may not watch any more', () => {
  const expelled: ConnectionEvent = { type: 'expelled', error: { code: 'invite', values: {} } };

  test('is told so', () => {
    expect(after(...LIVE, expelled)).toMatchObject({ state: 'refused', error: { code: 'invite' } });
  });

  test('is told so if that happens before the first view', () => {
    expect(after(opened(), acknowledged, expelled)).toMatchObject({ state: 'refused', error: { code: 'invite' } });
  });

  test('but not while taking a seat', () => {
    const seats: ConnectionEvent = { type: 'seats', credentials: [anna] };
    expect(after(...LIVE, seats, expelled).state).toBe('subscribing');
    expect(after(...LIVE, expelled, seats).state).toBe('connecting');
  });
});
