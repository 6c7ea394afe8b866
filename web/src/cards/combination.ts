/**
 * A combination of cards and marks that is put together before it is sent. The options say what fits: cards fit where an
 * option has them all, marks fit where an option with exactly these cards makes exactly these marks.
 */
import type { Choice } from '../protocol.ts';
import { JOKER } from './card.ts';

export interface Combination {
  cards: string[];
  marks: string[];
  /** A joker of the hand whose colour the player has to choose. */
  jokerToColour: string | null;
}

export const EMPTY_COMBINATION: Combination = { cards: [], marks: [], jokerToColour: null };

const containsAll = (list: string[] = [], items: string[]): boolean => items.every((one) => list.includes(one));
const sameItems = (list: string[] = [], items: string[]): boolean => list.length === items.length && containsAll(list, items);

/** Whether `name` is the card's name in an option: a joker `j7` is played with a colour, as `j7r`. */
const isNameOf = (name: string, card: string): boolean =>
  name === card || (card.startsWith(JOKER) && name.slice(0, -1) === card);

/** Whether an option takes or plays a card. */
export const hasCard = (option: Choice | null, card: string): boolean => option?.cards?.some((name) => isNameOf(name, card)) ?? false;

/** The names under which a card fits the others: one, or for a joker one per possible colour. */
export function fittingNames(options: Choice[], cards: string[], card: string): string[] {
  const names = options.filter((one) => containsAll(one.cards, cards)).flatMap((one) => one.cards ?? []);
  return [...new Set(names.filter((name) => isNameOf(name, card) && !cards.includes(name)))];
}

/** The name under which a card is in the combination. */
export const nameInCombination = ({ cards }: Combination, card: string): string | undefined =>
  cards.find((name) => isNameOf(name, card));

const withCards = (options: Choice[], cards: string[]): Choice[] => options.filter((one) => sameItems(one.cards, cards));

/** The option with exactly these cards and marks. */
export const findOption = (options: Choice[], { cards, marks }: Combination): Choice | null =>
  withCards(options, cards).find((one) => sameItems(one.marks, marks)) ?? null;

/** Cells that can be marked in addition. */
export function availableMarks(options: Choice[], { cards, marks }: Combination): string[] {
  const larger = withCards(options, cards).filter((one) => one.marks.length === marks.length + 1 && containsAll(one.marks, marks));
  return larger.flatMap((one) => one.marks.filter((mark) => !marks.includes(mark)));
}

/** Cells that could be marked with these cards if no other cell were chosen. */
export function blockedMarks(options: Choice[], combination: Combination): string[] {
  const possible = [...combination.marks, ...availableMarks(options, combination)];
  return availableMarks(options, { ...combination, marks: [] }).filter((mark) => !possible.includes(mark));
}

/** These cards with as many of the marks as fit together. */
function combine(options: Choice[], cards: string[], marks: string[]): Combination {
  const kept = marks.reduce<string[]>((before, mark) => {
    const next = { cards, marks: [...before, mark], jokerToColour: null };
    return findOption(options, next) ? next.marks : before;
  }, []);
  return { cards, marks: kept, jokerToColour: null };
}

/** Add or remove a card; if it does not fit, the cards chosen first are removed until it does. */
export function toggleCard(options: Choice[], combination: Combination, card: string): Combination {
  const { marks } = combination;
  const selected = nameInCombination(combination, card);
  if (selected !== undefined) return combine(options, combination.cards.filter((name) => name !== selected), marks);
  let { cards } = combination;
  while (cards.length && !fittingNames(options, cards, card).length) cards = cards.slice(1);
  const names = fittingNames(options, cards, card);
  if (names.length !== 1) return { ...combine(options, cards, marks), jokerToColour: names.length ? card : null };
  return combine(options, [...cards, names[0]!], marks);
}

/** Add a joker in the chosen colour: `j7r`. */
export const addJoker = (options: Choice[], { cards, marks }: Combination, name: string): Combination =>
  combine(options, [...cards, name], marks);

/** Add a mark, which must be one of the available ones, or remove it. */
export function toggleMark(options: Choice[], combination: Combination, mark: string): Combination {
  const { cards, marks } = combination;
  if (!marks.includes(mark)) return { ...combination, marks: [...marks, mark] };
  return combine(options, cards, marks.filter((one) => one !== mark));
}
