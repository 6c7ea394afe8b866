/** Values, losses and reasons as texts. */
import type { Consequence } from '../local/kernel.ts';
import type { DecisionEvent } from '../local/review.ts';
import { ROW_NAMES } from '../local/layout.ts';
import { bitSet, diceOf } from '../local/notation.ts';
import type { Choice, VariantInfo } from '../protocol.ts';
import { cardNames } from '../cards/card.ts';
import { choiceText, colourName } from '../sheet/labels.ts';
import { formatList, locale, n, t } from '../i18n.svelte.ts';

/** The signs of the grades, as in commented chess games. */
export const GRADE_SIGNS: Record<string, string> = { fine: '✓', doubtful: '?!', mistake: '?', blunder: '??' };

/** A value: a chance to win, in a solo game points; `signed` for a change. */
export function valueText(value: number, solo: boolean, signed = false): string {
  const format = new Intl.NumberFormat(locale(), {
    style: solo ? 'decimal' : 'percent',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
    signDisplay: signed ? 'exceptZero' : 'auto',
  });
  const text = format.format(value).replace('-', '−');
  return solo ? t('review.points', { points: text }) : text;
}

/** What dice or cards did for a player, as a word and a change of the value. */
export function luckText(luck: number, solo: boolean): string {
  const points = new Intl.NumberFormat(locale(), { style: solo ? 'decimal' : 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: 'exceptZero' }).format(luck).replace('-', '−');
  if (!/[1-9]/.test(points)) return t('review.luck-even');
  return t(luck > 0 ? 'review.luck-lucky' : 'review.luck-unlucky', { points });
}

/** Why an option of a decision is good or bad: what sets it apart from the other one that is explained. */
export function reasonsText({ consequences }: DecisionEvent, option: string): string {
  const others = Object.entries(consequences).flatMap(([name, found]) => (name === option ? [] : found.map(String)));
  return (consequences[option] ?? []).filter((one) => !others.includes(String(one))).map(consequenceText).join(', ');
}

/** What a decision cost, and how far off that may be. */
export function lossText(loss: number, error: number, solo: boolean): string {
  const text = valueText(-loss, solo, true);
  return error >= (solo ? 0.05 : 0.0005) ? t('review.with-error', { value: text, error: valueText(error, solo) }) : text;
}

/** A choice in words; in a card game with the cards. */
export function optionText(variant: VariantInfo, choice: Choice): string {
  if (!choice.cards?.length) return choiceText(variant, choice);
  const cards = cardNames(choice.cards);
  const taken = choice.cards[0]!.startsWith('?');
  return taken ? t('play.take', { cards }) : t('review.cards', { cards, marks: choiceText(variant, choice) });
}

/** A roll, a display of cards or an announced number in words. */
export function chanceText(what: string): string {
  if (what.endsWith(':')) return t('log.number', { number: what.slice(0, -1) });
  if (!what.includes('-')) return t('review.display', { cards: cardNames(what.split(' ')) });
  const { white, coloured } = diceOf(what);
  return t('log.dice', { a: white[0], b: white[1], coloured: Object.entries(coloured).map(([row, face]) => `${colourName(row)} ${face}`).join(', ') });
}

/** A reason in words. */
function consequenceText([name, first, second]: Consequence): string {
  const row = colourName(ROW_NAMES[first] ?? '');
  const id = `consequence.${name}`;
  if (name === 'lock-near') return n(id, second, { row });
  if (name === 'card-open') return n(id, second, { number: first });
  if (name === 'open') return n(id, second, { numbers: formatList(bitSet(first).map(String)) });
  return n(id, first, { row });
}

/** The reasons for each option in words, without those that all of them have, unless an option has no other. */
export function reasonTexts(options: Consequence[][]): string[] {
  const texts = options.map((one) => one.map(consequenceText));
  return texts.map((one) => {
    const own = one.filter((text) => !texts.every((other) => other.includes(text)));
    return (own.length ? own : one).join(', ');
  });
}
