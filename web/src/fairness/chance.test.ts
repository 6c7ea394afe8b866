import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { VariantInfo } from '../protocol.ts';
import { commitmentOf, judge, keyOf, secretsOf, shuffled, sorted, type Witness } from './chance.ts';
import type { Shown } from './shown.ts';

const read = (name: string): string => readFileSync(`${import.meta.dirname}/../../../tests/fixtures/fairness/${name}`, 'utf8');
const record = (name: string): string => read(`${name}.rlk`);
type ShownCards = [number, [string, string[], number, [number, string[]][], string[]]];
/** All that views of the game may show, from the lines that the server's tests write. */
function shown(name: string): Shown[] {
  const moments = new Map<string, Shown>();
  const cardsOf = (moment: string): ShownCards[1] => (moments.get(moment) as ShownCards)[1];
  for (const line of read(`${name}.shown`).trim().split('\n')) {
    const [turn, phase, seat, cards, top] = line.split(' ');
    if (!seat) moments.set(line, [Number(turn), phase!]);
    else if (seat === 'display') moments.set(`${turn} ${phase}`, [Number(turn), [phase!, cards!.split(',').map((number) => `?${number}`), Number(top), [], []]]);
    else if (seat === 'discards') cardsOf(`${turn} ${phase}`)[4] = cards === '-' ? [] : cards!.split(',').reverse(); // in any order
    else cardsOf(`${turn} ${phase}`)[3].push([Number(seat), cards!.split(',')]);
  }
  return [...moments.values()];
}

type Game = Pick<VariantInfo, 'id' | 'dice' | 'cards'>;
const GAMES: Record<string, Game> = {
  classic: { id: 'classic', dice: { white: 6, R: 6, Y: 6, G: 6, B: 6 }, cards: null },
  longo: { id: 'longo', dice: { white: 8, R: 8, Y: 8, G: 8, B: 8 }, cards: null },
  'cards+jokers': { id: 'cards+jokers', dice: {}, cards: { lowest: 2, highest: 12, gap: 2 } },
};

/** What Anna's device keeps that was promised these secrets, and shown this game. */
function witnessOf(name: string): Witness {
  const { seed, shares } = secretsOf(record(name))!;
  const promised = shares.map(({ name, share }) => ({ name, commitment: share && commitmentOf(share) }));
  const players = /Players "(.*)"/.exec(record(name))![1]!.split('; ');
  return { table: 'ABC234', played: true, own: ['Anna'], starts: [{ commitment: commitmentOf(seed), shares: { Anna: shares[0]!.share! }, promised }], shown: [players, ...shown(name)] };
}

const judged = (name: string, text = record(name), changes: Partial<Witness> = {}): string => judge(text, { ...witnessOf(name), ...changes }, GAMES[name]!).verdict;

test.each(Object.keys(GAMES))('the chance of %s follows from its secrets, and is what was shown', (name) => {
  const text = record(name);
  const { verdict, count } = judge(text, witnessOf(name), GAMES[name]!);
  expect(verdict).toBe('checked');
  expect(count).toBe(name === 'cards+jokers' ? 1 + text.split('~').length - 1 : text.match(/^\d+\. /gm)!.length);
  expect(judged(name, text, { starts: [] })).toBe('published');
  expect(judged(name, text, { own: [] })).toBe('checked'); // the seat was given to another device, or the server says so
  expect(judged(name, text, { own: [], starts: [{ ...witnessOf(name).starts[0]!, commitment: '00' }] })).toBe('wrong');
  expect(judged(name, text, { played: false, own: [], starts: [{ ...witnessOf(name).starts[0]!, commitment: '00' }] })).toBe('published'); // it left after a void start
});

/** What else could have been shown: another order, face, number of a card, number on the pile, card of a hand, or discards. */
function liesAbout(shown: Shown): Shown[] {
  const [turn, one] = shown;
  if (typeof turn === 'string') return [[...(shown as string[])].reverse()];
  if (typeof one === 'string') return [...one].flatMap((face, index): Shown[] => (face === '-' ? [] : [[turn, one.slice(0, index) + (face === '3' ? '4' : '3') + one.slice(index + 1)]]));
  const [phase, display, top, hands, discards] = one as ShownCards[1];
  const changed = (cards: string[]): string[][] => cards.map((card, index) => cards.with(index, card.endsWith('5') ? `${card[0]}6` : `${card[0]}5`));
  return [
    [turn, [phase, display, top === 5 ? 6 : 5, hands, discards]],
    [turn, [phase, display, top, hands, discards.length ? discards.slice(1) : ['r5']]],
    ...changed(display).map((other): Shown => [turn, [phase, other, top, hands]]),
    ...hands.flatMap(([seat, hand], index) => changed(hand).map((other): Shown => [turn, [phase, display, top, hands.with(index, [seat, other])]])),
  ];
}

test.each(Object.keys(GAMES))('other dice or cards of %s than shown are found', (name) => {
  const { shown } = witnessOf(name);
  for (const [index, one] of shown.entries()) {
    for (const lie of liesAbout(one)) expect(judged(name, record(name), { shown: shown.with(index, lie) }), JSON.stringify(lie)).toBe('wrong');
  }
  expect(judged(name, record(name), { shown: [['Zaphod', 'Ben', 'Zoë']], starts: [] })).toBe('wrong'); // also who gave no share notices it
});

test('cards are not compared in phases that can be taken back', () => {
  const { shown } = witnessOf('cards+jokers');
  for (const phase of ['deal', 'play', 'over']) expect(judged('cards+jokers', undefined, { shown: [...shown, [2, [phase, ['?1'], 1, [[0, ['r1']]]]]] })).toBe('checked');
  expect(judged('cards+jokers', undefined, { shown: [...shown, [2, ['white', ['?1'], 1, [[0, ['r1']]]]]] })).toBe('wrong');
});

test('every change is found', () => {
  const text = record('classic');
  const dice = /^2\. (\d\d)/m.exec(text)![1]!;
  const wrong = [
    text.replace(`\n2. ${dice}`, `\n2. ${dice === '11' ? '12' : '11'}`),
    text.replace(/FairSeed "../, 'FairSeed "ff'),
    text.replace(/FairShares "../, 'FairShares "ff'),
    text.replace('FairTable "ABC234"', 'FairTable "ABC235"'),
    text.replace(/\[FairSeed.*\n/, ''),
    text.replace(/\[Players "(.*?); (.*?); /, '[Players "$2; $1; '),
    text.replace(/FairShares "(.*?); (.*?); /, 'FairShares "$2; $1; '),
    text.replace('FairShares "', `FairShares "${'- Zaphod; '.repeat(300)}`), // more seats than a game has
    '',
  ];
  for (const one of wrong) expect(judged('classic', one), one).toBe('wrong');
  const { starts } = witnessOf('classic');
  const start = starts[0]!;
  const other = (changes: object) => [{ ...start, ...changes }];
  expect(judged('classic', text, { starts: other({ commitment: commitmentOf('00'.repeat(31) + '01') }) })).toBe('wrong');
  expect(judged('classic', text, { starts: other({ shares: { Anna: '33'.repeat(32) } }) })).toBe('wrong');
  expect(judged('classic', text, { starts: other({ promised: [...start.promised!].reverse() }) })).toBe('wrong');
  expect(judged('classic', text, { starts: other({ promised: null }) })).toBe('wrong'); // it began without this share
  expect(judged('classic', text, { starts: [start, { ...start, commitment: '00' }] })).toBe('wrong'); // an old start
});

test('turns of a record are counted: who missed one was shown no dice that could be compared', () => {
  const text = record('classic');
  const line = /\n5\. .*/.exec(text)![0];
  const dice = line.split(' ')[1]!;
  const before = witnessOf('classic').shown.filter(([turn]) => turn !== 5);
  expect(judged('classic', text, { shown: before })).toBe('checked');
  for (const other of ['', `${line}${line}`, line.replace('5. ', '05. '), line.replace(`5. ${dice}`, '5.  11-1111')]) expect(judged('classic', text.replace(line, other), { shown: before }), other).toBe('wrong');
});

test('cards that the game does not have are found', () => {
  const text = record('cards+jokers');
  expect(judged('cards+jokers', text.replace(/\[Deck "(\S+) (\S+) /, '[Deck "$2 $1 '))).toBe('wrong');
  // Without the jokers both the deck and the new pile are other cards.
  expect(judge(text, witnessOf('cards+jokers'), { ...GAMES['cards+jokers']!, id: 'cards' }).verdict).toBe('wrong');
  const renewed = /~(\S+)/.exec(text)![1]!.split(',');
  expect(judged('cards+jokers', text.replace(renewed.join(), renewed.reverse().join()))).toBe('wrong');
});

/** A record that ends with another turn instead of turn 25: its number chooses the shuffle of the discards. */
function withTurn(number: number, taken: string): string {
  const text = record('cards+jokers');
  const turn25 = text.indexOf('\n25. ');
  const renewed = /~(\S+)/.exec(text)![1]!.split(',');
  const { table, seed, shares } = secretsOf(text)!;
  const key = keyOf({ table, seed, shares, voidStarts: 0 });
  return `${text.slice(0, turn25)}\n${number}. ${taken} ~${shuffled(key, number, sorted(renewed)).join()} 6: - - -\n`;
}

test('turns that the game does not have are found: they could choose between several shuffles', () => {
  const { shown } = witnessOf('cards+jokers');
  // What was shown before the turn, so that nothing but the turn is wrong.
  const before = shown.filter(([turn]) => typeof turn === 'string' || turn < 25);
  expect(judged('cards+jokers', withTurn(25, 'y2,g11'), { shown: before })).toBe('checked');
  for (const [number, taken] of [[99, 'y2,g11'], [25, 'z9'], [25, 'y2']] as const) expect(judged('cards+jokers', withTurn(number, taken), { shown: before }), `${number} ${taken}`).toBe('wrong');
  const text = record('cards+jokers');
  for (const [one, other] of [['\n1. b9 ', '\n1. z9 '], [' / b9 = ', ' / z9 = '], [/~\S+ /, '']] as const) expect(judged('cards+jokers', text.replace(one, other), { shown: [] }), String(one)).toBe('wrong');
});

test('names may be those of properties that every object has', () => {
  const text = record('classic').replaceAll('Ben', 'constructor');
  const { starts, ...witness } = witnessOf('classic');
  const promised = starts[0]!.promised!.map((one) => ({ ...one, name: one.name === 'Ben' ? 'constructor' : one.name }));
  const shown = witness.shown.map((one) => (typeof one[0] === 'string' ? (one as string[]).map((name) => (name === 'Ben' ? 'constructor' : name)) : one)) as Shown[];
  expect(judged('classic', text, { shown, starts: [{ ...starts[0]!, promised }] })).toBe('checked');
});

test('void starts are counted', () => {
  const { starts } = witnessOf('classic');
  const before = { commitment: '00', shares: {}, promised: [{ name: 'Anna', commitment: null }] };
  const told = (count: number): string => record('classic').replace('[Result', `[FairVoid "${count}"]\n[Result`);
  expect(judged('classic', record('classic'), { starts: [before, ...starts] })).toBe('wrong');
  expect(judged('classic', told(1), { starts: [before, ...starts] })).toBe('checked');
  expect(judged('classic', told(1), { starts: [before, before, ...starts] })).toBe('wrong');
  expect(judged('classic', told(2))).toBe('checked'); // those of others
  expect(judged('classic', told(0).replace('"0"', '"x"'))).toBe('wrong');
  // For which only a commitment was sent: nobody has learnt anything.
  expect(judged('classic', record('classic'), { starts: [{ ...before, promised: null }, ...starts] })).toBe('checked');
  expect(judge(told(2), witnessOf('classic'), GAMES['classic']!).voidStarts).toBe(2);
});

test('people who were forgotten have new names, and names cannot be exchanged', () => {
  const text = record('classic');
  const [anna, ben, ...others] = secretsOf(text)!.shares.map(({ name }) => name);
  expect(judged('classic', text.replaceAll(ben!, 'Player 2'))).toBe('checked');
  expect(judged('classic', text.replaceAll(anna!, 'Player 1'))).toBe('wrong');
  const exchanged = (one: string, other: string): string => text.replaceAll(one, 'somebody').replaceAll(other, one).replaceAll('somebody', other);
  expect(judged('classic', exchanged(anna!, ben!))).toBe('wrong');
  expect(judged('classic', exchanged(ben!, others[0]!))).toBe('wrong');
});

test('a record without secrets cannot be checked', () => {
  expect(judge('[Variant "classic"]\n[Players "Anna"]\n', { table: 'ABC234', played: true, own: ['Anna'], starts: [], shown: [] }, GAMES['classic']!).verdict).toBe('none');
});
