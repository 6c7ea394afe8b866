import { describe, expect, test } from 'vitest';
import { CONNECTING, isOnline, lostSeat, step, waitBeforeRetry, type Connection, type ConnectionEvent } from './connection.ts';

const anna = { name: 'Anna', secret: 'a' };
const ben = { name: 'Ben', secret: 'b' };
const chloe = { name: 'Chloe', secret: 'c' };

const opened = (...places: (typeof anna)[]): ConnectionEvent => ({ type: 'opened', places });
const acknowledged: ConnectionEvent = { type: 'acknowledged' };
const viewed: ConnectionEvent = { type: 'viewed' };
const closed: ConnectionEvent = { type: 'closed' };
const retry: ConnectionEvent = { type: 'retry' };
const wake: ConnectionEvent = { type: 'wake' };
const rejected = (code: 'secret' | 'storage' | 'no-table'): ConnectionEvent => ({ type: 'rejected', trouble: { code, values: {} } });

const after = (...events: ConnectionEvent[]): Connection => events.reduce(step, CONNECTING);
const LIVE = [opened(anna), acknowledged, viewed];

describe('a connection comes about', () => {
  test('by a hello, its acknowledgement and a view', () => {
    expect(after(opened(anna))).toMatchObject({ state: 'greeting', places: [anna], untried: null });
    expect(after(opened(anna), acknowledged).state).toBe('greeted');
    expect(after(...LIVE)).toEqual({ state: 'live', failed: 0, trouble: null });
  });

  test('not by a view that came before the acknowledgement', () => {
    expect(after(opened(anna), viewed).state).toBe('greeting');
  });

  test('and is online from its first view on', () => {
    expect([[], [opened(anna)], [opened(anna), acknowledged], LIVE].map((events) => isOnline(after(...events)))).toEqual([false, false, false, true]);
  });
});

describe('a connection that is lost', () => {
  test('is tried again after a while', () => {
    const lost = after(...LIVE, closed);
    expect(lost).toMatchObject({ state: 'lost', failed: 1 });
    expect(isOnline(lost)).toBe(false);
    expect(step(lost, retry).state).toBe('connecting');
  });

  test('is tried less and less often, at most every eight seconds', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7].map((failed) => waitBeforeRetry({ state: 'lost', failed, trouble: null }, 0.5));
    expect(waits).toEqual([400, 800, 1600, 3200, 6400, 8000, 8000]);
    expect(waitBeforeRetry({ state: 'lost', failed: 1, trouble: null }, 0)).toBe(300);
  });

  test('counts its failures until it is live', () => {
    expect(after(closed, retry, closed, retry, closed)).toMatchObject({ state: 'lost', failed: 3 });
    expect(after(closed, retry, ...LIVE, closed)).toMatchObject({ state: 'lost', failed: 1 });
  });

  test('is tried at once when somebody looks at the page', () => {
    expect(after(closed, retry, closed, wake)).toEqual(CONNECTING);
    expect(after(closed, retry, wake)).toEqual(CONNECTING);
    expect(after(...LIVE, wake).state).toBe('live');
  });

  test('is lost once', () => {
    const lost = after(closed);
    expect(step(lost, closed)).toBe(lost);
  });
});

describe('a hello that is refused', () => {
  test('ends the attempts', () => {
    const refused = after(opened(), rejected('no-table'));
    expect(refused).toMatchObject({ state: 'refused', trouble: { code: 'no-table' } });
    expect(step(refused, closed)).toBe(refused);
    expect(step(refused, retry)).toBe(refused);
  });

  test('for want of storage is sent again; until then the reason is shown', () => {
    const lost = after(opened(), rejected('storage'));
    expect(lost).toMatchObject({ state: 'lost', trouble: { code: 'storage' } });
    const again = [retry, opened()].reduce(step, lost);
    expect(again).toMatchObject({ state: 'greeting', trouble: { code: 'storage' } });
    expect([acknowledged, viewed].reduce(step, again)).toEqual({ state: 'live', failed: 0, trouble: null });
  });

  test('for a secret is sent with one more secret at a time', () => {
    const first = after(opened(anna, ben, chloe), rejected('secret'));
    expect(first).toMatchObject({ state: 'greeting', places: [anna], untried: [ben, chloe] });
    const second = step(first, acknowledged);
    expect(second).toMatchObject({ places: [anna, ben], untried: [chloe] });
    const third = step(second, rejected('secret'));
    expect(third).toMatchObject({ places: [anna, chloe], untried: [] });
    expect(lostSeat(second, third as never)).toBe(true);
    expect(lostSeat(first, second as never)).toBe(false);
    expect(step(third, acknowledged).state).toBe('greeted');
  });

  test('for the last secret is sent without it', () => {
    const without = after(opened(anna, ben), rejected('secret'), acknowledged, rejected('secret'));
    expect(without).toMatchObject({ state: 'greeting', places: [anna], untried: null });
  });
});

test('a second refusal of a secret tries all of them again', () => {
  const live = after(opened(anna, ben), rejected('secret'), acknowledged, acknowledged, viewed);
  const again = [closed, retry, opened(anna, ben), rejected('secret')].reduce(step, live);
  expect(again).toMatchObject({ state: 'greeting', places: [anna], untried: [ben] });
});

describe('other seats', () => {
  const seats: ConnectionEvent = { type: 'seats', places: [anna, ben] };

  test('are greeted for at once, and the server is still there', () => {
    const again = after(...LIVE, seats);
    expect(again).toMatchObject({ state: 'greeting', places: [anna, ben] });
    expect([again, step(again, acknowledged)].map(isOnline)).toEqual([true, true]);
    expect(isOnline(step(again, closed))).toBe(false);
  });

  test('are greeted for when there is a connection', () => {
    expect(after(seats)).toEqual(CONNECTING);
    expect(after(closed, seats).state).toBe('lost');
  });
});

test('nothing happens after the end', () => {
  const ended = after(...LIVE, { type: 'end' });
  expect([closed, retry, wake, opened(anna)].reduce(step, ended)).toBe(ended);
});
