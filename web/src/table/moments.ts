/** Moments of a game that are worth a second: what a new view shows that the last one did not. */
import type { Choice, Position, VariantInfo, View } from '../protocol.ts';
import { colourName, isYou, nameAt } from '../sheet/labels.ts';
import { formatList, n, t } from '../i18n.svelte.ts';

export type Moment =
  /** The game has begun; who has just joined. */
  | { kind: 'start'; seats: number[] }
  | { kind: 'lock'; seats: number[]; row: string }
  /** One decision has made several marks. */
  | { kind: 'chain'; seats: number[]; marks: number }
  | { kind: 'misthrow'; seats: number[] }
  /** One more row or misthrow ends the game. */
  | { kind: 'last-row' | 'last-misthrow'; seats: number[] }
  | { kind: 'end'; seats: number[] };

/** A decision with fewer marks is seen on the sheet alone. */
const CHAIN = 3;

/** The decisions that `after` reveals, with their seats. After a longer absence these are only those of the latest turn. */
function revealed(before: View, after: View): { seat: number; choice: Choice }[] {
  const last = after.log.length - 1;
  return [last - 1, last].flatMap((index) => {
    const [old, turn] = [before.log[index], after.log[index]];
    if (!turn || (index < last && !old)) return [];
    const white = !old?.white && turn.white ? turn.white.map((choice, seat) => ({ seat, choice })) : [];
    const own = [!old?.colour && turn.colour, !old?.played && turn.played].flatMap((choice) => (choice ? [{ seat: turn.active, choice }] : []));
    return [...white, ...own];
  });
}

/** The people elsewhere who were not in the lobby a view ago. */
const joined = (before: View, after: View): number[] =>
  after.seats.flatMap(({ kind, name }, seat) => (kind === 'person' && !after.own.some((one) => one.seat === seat) && !before.seats.some((one) => one.name === name) ? [seat] : []));

/** What ends the game if it happens once more: a row, a misthrow, or either; null if more is needed. */
export function endIsNear({ last_row, last_misthrow }: Position): string | null {
  if (last_row && last_misthrow.length) return t('moment.last-both');
  if (last_row) return t('moment.last-row');
  return last_misthrow.length ? t('moment.last-misthrow') : null;
}

/** In the order in which they are shown. */
export function momentsBetween(before: View, after: View, variant: VariantInfo): Moment[] {
  if (before.table !== after.table || !after.position || before.state === 'over') return [];
  if (before.state === 'waiting') return after.seats.length === 1 ? [] : [{ kind: 'start', seats: joined(before, after) }];
  if (!before.position) return [];
  const decisions = revealed(before, after);
  const moments: Moment[] = decisions.flatMap(({ seat, choice }) => (choice.marks.length >= CHAIN ? [{ kind: 'chain', seats: [seat], marks: choice.marks.length }] : []));
  for (const { name: row } of variant.rows) {
    const seats = decisions.flatMap(({ seat, choice }) => (choice.locks?.includes(row) ? [seat] : []));
    if (seats.length) moments.push({ kind: 'lock', seats, row });
  }
  const misthrows = decisions.flatMap(({ seat, choice }) => (choice.misthrow ? [seat] : []));
  if (misthrows.length) moments.push({ kind: 'misthrow', seats: misthrows });
  if (after.state === 'over') return [...moments, { kind: 'end', seats: after.result?.winners ?? [] }];
  if (after.position.last_row && !before.position.last_row) moments.push({ kind: 'last-row', seats: [] });
  if (misthrows.some((seat) => after.position!.last_misthrow.includes(seat))) moments.push({ kind: 'last-misthrow', seats: misthrows });
  return moments;
}

export function momentText(moment: Moment, view: View, variant: VariantInfo): string {
  const names = formatList(moment.seats.map((seat) => nameAt(view, seat)));
  switch (moment.kind) {
    case 'start':
      return names ? n('moment.joined', moment.seats.length, { names }) : t('moment.start');
    case 'lock':
      if (moment.seats.length === 1 && isYou(view, moment.seats[0]!)) return t('moment.you-lock', { row: colourName(moment.row) });
      return n('moment.lock', moment.seats.length, { names, row: colourName(moment.row) });
    case 'chain':
      return t('moment.chain', { name: names, marks: moment.marks });
    case 'misthrow':
      return t('moment.misthrow', { name: names, cost: variant.misthrow_cost });
    case 'last-row':
      return t('moment.last-row');
    case 'last-misthrow':
      return t('moment.last-misthrow');
    case 'end':
      if (!isOwn(moment, view) || view.seats.length === 1) return t('play.over');
      if (view.own.length === 1) return t('moment.win');
      return moment.seats.length === 1 ? t('result.wins', { name: names }) : t('play.over'); // of several at this device some have lost
  }
}

/** Whether a person at this device has made it. */
export const isOwn = ({ seats }: Moment, view: View): boolean => view.own.some((one) => seats.includes(one.seat));
