/** The status line of a player who takes or plays cards. */
import type { Choice, VariantInfo } from '../protocol.ts';
import { cellName, choiceText } from '../sheet/labels.ts';
import { capitalize, formatList, n, t } from '../i18n.svelte.ts';
import { cardName, cardNames } from './card.ts';
import { availableMarks, blockedMarks, findOption, type Combination } from './combination.ts';

export function takeMessage(options: Choice[], { cards }: Combination): string {
  const due = options[0]?.cards?.length ?? 0;
  if (!cards.length) return n('say.take', due);
  return n('say.taking', due, { cards: cardNames(cards), count: cards.length, due });
}

export function playMessage(variant: VariantInfo, options: Choice[], combination: Combination): string {
  if (combination.jokerToColour) return t('play.which-colour', { card: cardName(combination.jokerToColour) });
  const chosen = findOption(options, combination);
  if (!chosen) {
    const misthrow = options.some((one) => one.misthrow);
    const canMark = options.some((one) => one.marks.length > 0);
    return t(canMark ? (misthrow ? 'say.play-or-misthrow' : 'say.play') : misthrow ? 'say.play-only-misthrow' : 'say.play-none');
  }
  const cards = capitalize(cardNames(combination.cards));
  if (!chosen.marks.length) return t(availableMarks(options, combination).length ? 'say.played' : 'say.played-none', { cards });
  return `${t('say.chosen', { mark: choiceText(variant, chosen) })} ${blockedMarksMessage(variant, options, combination)}`.trim();
}

/** Why some cells cannot be marked any more after others were chosen. */
export function blockedMarksMessage(variant: VariantInfo, options: Choice[], combination: Combination): string {
  const gap = variant.cards?.gap ?? null;
  const cells = combination.marks.length ? blockedMarks(options, combination) : [];
  if (!cells.length || gap === null) return '';
  return n('say.gap', gap, { cells: capitalize(formatList(cells.map((one) => cellName(variant, one)))) });
}
