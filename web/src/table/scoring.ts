/** Taps and news at a table without dice. What can be marked is decided by the kernel, at the server or on this device. */
import { markNames, optionsByCell } from '../marks.ts';
import type { Choice, VariantInfo, View } from '../protocol.ts';
import { colourName, seatName } from '../sheet/labels.ts';
import { capitalize, formatList, n, t } from '../i18n.svelte.ts';

/** What a tap on a spot means: a mark, a question which of several, a swap field that waits for its cell, or nothing. */
type Tap = { mark: Choice } | { ask: Choice[] } | { swap: string | null } | null;

export function tapSpot(options: Choice[], swap: string | null, spot: string): Tap {
  if (spot === swap) return { swap: null };
  const found = distinct(optionsByCell(options, swap).get(spot) ?? options.filter((one) => one.swap === spot));
  if (!found.length) return null;
  if (found.length === 1) return { mark: found[0]! };
  return found[0]!.swap === spot ? { swap: spot } : { ask: found };
}

/** Without the options that make the same marks as others: a lucky number changes nothing on the sheet. */
function distinct(options: Choice[]): Choice[] {
  const key = (one: Choice): string => JSON.stringify([markNames(one), one.closed ?? [], one.swap, one.swapped]);
  return options.filter((one, index) => options.findIndex((other) => key(other) === key(one)) === index);
}

/** The row of which the phone asks whether it is closed already; null if only the marks differ. */
export const doubtfulRow = (asked: Choice[]): string | null => {
  const rows = [...new Set(asked.flatMap((one) => one.closed ?? []))];
  return rows.find((row) => asked.some((one) => !one.closed?.includes(row))) ?? null;
};

/** Whether a row is closed already, asked with the names of those who have locked it. */
export function closedQuestion({ since_roll, seats }: View, row: string): string {
  const names = (since_roll?.locks[row] ?? []).map((seat) => seatName(seats[seat]!));
  return n('scoring.is-closed', names.length, { row: colourName(row), names: formatList(names) });
}

/** Those of the options for which a row is closed already, or not. */
export const answerRow = (asked: Choice[], row: string, closed: boolean): Choice[] => asked.filter((one) => (one.closed?.includes(row) ?? false) === closed);

const namesOf = (view: View, seats: number[], own: number | null): string => {
  const others = seats.filter((seat) => seat !== own).map((seat) => seatName(view.seats[seat]!));
  return formatList(others.length < seats.length ? [t('scoring.you'), ...others] : others);
};

/** Who has locked which row since the last roll and who of this device can, too, in a sentence for each row; a person alone here is addressed. With cards nobody has to hurry: a lock closes the row for nobody else. */
export function lockMessages(view: View, { cards }: Pick<VariantInfo, 'cards'>): string[] {
  const here = view.own.map((own) => own.seat);
  const you = here.length === 1 ? here[0]! : null;
  return Object.entries(view.since_roll?.locks ?? {}).map(([row, seats]) => {
    const colour = colourName(row);
    const joining = view.own.filter((own) => !cards && !seats.includes(own.seat) && own.options.some((one) => one.locks?.includes(row))).map((own) => own.seat);
    const join = !joining.length ? '' : you === null ? t('scoring.join-of', { names: namesOf(view, joining, null) }) : t('scoring.join');
    const locked = seats.length === 1 && seats[0] === you ? t('scoring.locked-own', { row: colour }) : n('scoring.locked', seats.length, { names: namesOf(view, seats, you), row: colour });
    return capitalize(`${locked} ${join}`.trim());
  });
}

/** Locks that were undone between two views of the same roll, after which a row is open again: nobody else has locked it. */
export function reopened(before: View | null, now: View): string {
  if (!before?.since_roll || before.position?.turn !== now.position?.turn) return '';
  const lost = Object.entries(before.since_roll.locks).flatMap(([row, seats]) => (now.since_roll?.locks[row] ? [] : seats.map((seat) => ({ row, seat }))));
  return lost.map(({ row, seat }) => t('scoring.reopened', { name: seatName(now.seats[seat]!), row: colourName(row) })).join(' ');
}

/** Whether the marks have changed between two views. */
export const marksChanged = (before: View | null, now: View): boolean => before?.position?.turn !== now.position?.turn || JSON.stringify(before?.since_roll) !== JSON.stringify(now.since_roll);

/** The marks of a player since the last roll, which can be undone. */
export const latestOf = (view: View, seat: number): Choice[] => (view.since_roll?.marks ?? []).flatMap((one) => (one.seat === seat ? [one.mark] : []));
