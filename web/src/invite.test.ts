import { expect, test } from 'vitest';
import { inviteIn, invitePath } from './invite.ts';

const SECRET = 'aZ_9-aZ_9-aZ_9-aZ_9-aZ';

test('an invite link carries the secret where browsers do not send it', () => {
  expect(invitePath('ABC234', SECRET)).toBe(`t/ABC234#${SECRET}`);
  expect(inviteIn(`#${SECRET}`)).toBe(SECRET);
});

test('tables of protocol 1 have no secret', () => {
  expect(invitePath('ABC234', null)).toBe('t/ABC234');
});

test('handover codes and headings are no invite secrets', () => {
  expect(['', '#main', '#take=ABCD2345EFGH6789'].map(inviteIn)).toEqual([null, null, null]);
});
