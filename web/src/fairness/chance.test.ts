import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commitmentOf, judge, secretsOf } from './chance.ts';

const record = (name: string): string => readFileSync(new URL(`../../../tests/fixtures/fairness/${name}.rlk`, import.meta.url), 'utf8');
const CLASSIC = { dice: { white: 6, R: 6, Y: 6, G: 6, B: 6 } };
const LONGO = { dice: { white: 8, R: 8, Y: 8, G: 8, B: 8 } };

/** What a device keeps that has seen the commitments to these secrets; Anna's share is its own. */
function promisedFor(text: string) {
  const { seed, shares } = secretsOf(text)!;
  const seats = shares.map(({ name, share }) => ({ name, commitment: share && commitmentOf(share) }));
  return { commitment: commitmentOf(seed), shares: { Anna: shares[0]!.share! }, seats };
}

test.each([
  ['classic', CLASSIC],
  ['longo', LONGO],
  ['cards+jokers', { dice: {} }],
])('the chance of %s follows from its secrets', (name, variant) => {
  const text = record(name);
  const { verdict, count } = judge(text, promisedFor(text), 'ABC234', variant);
  expect(verdict).toBe('checked');
  expect(count).toBe(name === 'cards+jokers' ? 1 + text.split('~').length - 1 : text.match(/^\d+\. /gm)!.length);
  expect(judge(text, null, 'ABC234', variant).verdict).toBe('published');
});

test('every change is found', () => {
  const text = record('classic');
  const promised = promisedFor(text);
  const dice = /^2\. (\d\d)/m.exec(text)![1]!;
  const other = dice === '11' ? '12' : '11';
  const wrong = [
    text.replace(`\n2. ${dice}`, `\n2. ${other}`),
    text.replace(/FairSeed "../, 'FairSeed "ff'),
    text.replace(/FairShares "../, 'FairShares "ff'),
    text.replace('FairTable "ABC234"', 'FairTable "ABC235"'),
    text.replace(/\[FairSeed.*\n/, ''),
    text.replace(/\[Players "(.*?); (.*?); /, '[Players "$2; $1; '),
  ];
  for (const one of wrong) expect(judge(one, promised, 'ABC234', CLASSIC).verdict).toBe('wrong');
  expect(judge(text, { ...promised, commitment: commitmentOf('00'.repeat(31) + '01') }, 'ABC234', CLASSIC).verdict).toBe('wrong');
  expect(judge(text, { ...promised, shares: { Anna: '33'.repeat(32) } }, 'ABC234', CLASSIC).verdict).toBe('wrong');
  expect(judge(text, { ...promised, seats: [...promised.seats].reverse() }, 'ABC234', CLASSIC).verdict).toBe('wrong');
  const cards = record('cards+jokers');
  const swapped = cards.replace(/\[Deck "(\S+) (\S+) /, '[Deck "$2 $1 ');
  expect(judge(swapped, promisedFor(cards), 'ABC234', { dice: {} }).verdict).toBe('wrong');
});

test('people who were forgotten have new names, and names cannot be exchanged', () => {
  const text = record('classic');
  const [anna, ben, ...others] = secretsOf(text)!.shares.map(({ name }) => name);
  const judged = (changed: string): string => judge(changed, promisedFor(text), 'ABC234', CLASSIC).verdict;
  expect(judged(text.replaceAll(ben!, 'Player 2'))).toBe('checked');
  expect(judged(text.replaceAll(anna!, 'Player 1'))).toBe('wrong');
  const exchanged = (one: string, other: string): string => text.replaceAll(one, 'somebody').replaceAll(other, one).replaceAll('somebody', other);
  expect(judged(exchanged(anna!, ben!))).toBe('wrong');
  expect(judged(exchanged(ben!, others[0]!))).toBe('wrong');
});

test('a record without secrets cannot be checked', () => {
  expect(judge('[Variant "classic"]\n[Players "Anna"]\n', null, 'ABC234', CLASSIC)).toEqual({ verdict: 'none', count: 0 });
});
