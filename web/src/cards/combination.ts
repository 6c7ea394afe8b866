/**
 * Cards and marks that are put together before they are sent. What goes with what is read from the options: cards go
 * together where an option has them all, marks where an option with exactly these cards makes exactly them.
 */
import type { Choice } from '../protocol.ts';
import { JOKER } from './card.ts';

export interface Put {
  cards: string[];
  marks: string[];
  /** A joker of the hand that is to be given a colour. */
  asking: string | null;
}

export const NOTHING: Put = { cards: [], marks: [], asking: null };

const all = (some: string[], of: string[] = []): boolean => some.every((one) => of.includes(one));
const same = (some: string[], others: string[] = []): boolean => some.length === others.length && all(some, others);

/** Whether an option calls a card by this name: jokers are played with a colour behind it. */
const isCalled = (name: string, card: string): boolean =>
  name === card || (card.startsWith(JOKER) && name.slice(0, -1) === card);

/** How a card is put with the others: under one name, or under one for each colour a joker can take. */
export function names(options: Choice[], cards: string[], card: string): string[] {
  const found = options.filter((one) => all(cards, one.cards)).flatMap((one) => one.cards ?? []);
  return [...new Set(found.filter((name) => isCalled(name, card) && !cards.includes(name)))];
}

/** The name under which a card has been put. */
export const putAs = (put: Put, card: string): string | undefined => put.cards.find((name) => isCalled(name, card));

const withCards = (options: Choice[], cards: string[]): Choice[] => options.filter((one) => same(cards, one.cards));

/** What has been put together, as an option. */
export const optionOf = (options: Choice[], put: Put): Choice | null =>
  withCards(options, put.cards).find((one) => same(put.marks, one.marks)) ?? null;

/** Marks that can be made with the cards, one more or one of them alone. */
export function markable(options: Choice[], { cards, marks }: Put): string[] {
  const found = withCards(options, cards).filter((one) => one.marks.length === marks.length + 1 && all(marks, one.marks));
  return found.flatMap((one) => one.marks.filter((mark) => !marks.includes(mark)));
}

/** Marks that the cards could have made, had others not been chosen. */
export function fallen(options: Choice[], put: Put): string[] {
  const still = [...put.marks, ...markable(options, put)];
  return markable(options, { ...put, marks: [] }).filter((mark) => !still.includes(mark));
}

/** The same cards with as many of these marks as go together. */
function marked(options: Choice[], cards: string[], marks: string[]): Put {
  const kept = marks.reduce<string[]>((before, mark) => {
    const put = { cards, marks: [...before, mark], asking: null };
    return optionOf(options, put) ? put.marks : before;
  }, []);
  return { cards, marks: kept, asking: null };
}

/** Put a card to the others or take it away; the earliest make room for one that does not go with them. */
export function tapCard(options: Choice[], put: Put, card: string): Put {
  const before = putAs(put, card);
  if (before !== undefined) return marked(options, put.cards.filter((name) => name !== before), put.marks);
  let cards = put.cards;
  while (cards.length && !names(options, cards, card).length) cards = cards.slice(1);
  const found = names(options, cards, card);
  if (found.length !== 1) return { ...marked(options, cards, put.marks), asking: found.length ? card : null };
  return marked(options, [...cards, found[0]!], put.marks);
}

/** Give the joker that is asked about its colour. */
export const nameJoker = (options: Choice[], put: Put, name: string): Put =>
  marked(options, [...put.cards, name], put.marks);

export function tapMark(options: Choice[], put: Put, mark: string): Put {
  if (!put.marks.includes(mark)) return { ...put, marks: [...put.marks, mark] };
  return marked(options, put.cards, put.marks.filter((one) => one !== mark));
}
