/** What a player is told who takes or plays cards: what to do, and what the cards and marks chosen so far come to. */
import type { Choice, VariantInfo } from '../protocol.ts';
import { cellName, choiceText } from '../sheet/labels.ts';
import { capital, listed, n, t } from '../i18n.svelte.ts';
import { cardName, cardNames } from './card.ts';
import { fallen, markable, optionOf, type Put } from './combination.ts';

export function sayTaking(options: Choice[], put: Put): string {
  const due = options[0]?.cards?.length ?? 0;
  if (!put.cards.length) return n('say.take', due);
  return t('say.taking', { cards: cardNames(put.cards), count: put.cards.length, due });
}

export function sayPlaying(variant: VariantInfo, options: Choice[], put: Put): string {
  if (put.asking) return t('play.which-colour', { card: cardName(put.asking) });
  const chosen = optionOf(options, put);
  if (!chosen) {
    const costly = options.some((one) => one.misthrow);
    const some = options.some((one) => one.marks.length > 0);
    return t(some ? (costly ? 'say.play-or-misthrow' : 'say.play') : costly ? 'say.play-only-misthrow' : 'say.play-none');
  }
  const cards = capital(cardNames(put.cards));
  if (!chosen.marks.length) return t(markable(options, put).length ? 'say.played' : 'say.played-none', { cards });
  return `${t('say.chosen', { mark: choiceText(variant, chosen) })} ${sayFallen(variant, options, put)}`.trim();
}

/** Why a cell that was lit is not any more. */
export function sayFallen(variant: VariantInfo, options: Choice[], put: Put): string {
  const gap = variant.cards?.gap ?? null;
  const cells = put.marks.length ? fallen(options, put) : [];
  if (!cells.length || gap === null) return '';
  return n('say.gap', gap, { cells: capital(listed(cells.map((one) => cellName(variant, one)))) });
}
