/** The shares of this device in the chance of a game: it commits to them, gives them, and checks the chance at the end. */
import { fetchRecord, randomHex } from '../api.ts';
import type { Commit, Share, VariantInfo, View } from '../protocol.ts';
import { device } from '../storage.svelte.ts';
import { commitmentOf, judge, shareOf, type Verdict } from './chance.ts';
import { rollsIn, type Shown } from './shown.ts';
import { changeStarts, readStarts } from './starts.ts';

type Body<T> = Omit<T, 'id' | 'table'>;

/** What this page has sent for starts, so that it sends nothing twice; the server executes what two pages send once. */
const sent = new Set<string>();

/** What to send when a game is about to start: first the commitments; once all have committed, the shares. */
export async function shareCommands(view: View): Promise<(Body<Commit> | Body<Share>)[]> {
  const start = view.start!;
  const nameOf = (seat: number): string => view.seats[seat]?.name ?? '';
  const names = start.seats.filter(({ seat, shares }) => shares && view.own.some((one) => one.seat === seat)).map(({ seat }) => nameOf(seat));
  if (!names.length) return [];
  const committed = start.seats.every((one) => !one.shares || one.commitment !== null);
  // What was made and promised at first counts, also in another tab: if the same start comes again, its shares are known already.
  const starts = await changeStarts(view.table, (before) => {
    const known = before.find(({ commitment }) => commitment === start.commitment);
    const kept = known ?? { commitment: start.commitment, shares: Object.fromEntries(names.map((name) => [name, randomHex()])), promised: null };
    if (committed) kept.promised ??= start.seats.map(({ seat, commitment }) => ({ name: nameOf(seat), commitment }));
    return known ? before : [...before, kept];
  });
  const kept = starts.find(({ commitment }) => commitment === start.commitment)!;
  return start.seats.flatMap(({ seat, commitment, shared }) => {
    const share = shareOf(kept, nameOf(seat));
    const step = `${start.commitment} ${seat} ${committed}`;
    if (!share || sent.has(step) || (committed ? shared : commitment !== null)) return [];
    sent.add(step);
    return [committed ? { type: 'share' as const, seat, share } : { type: 'commit' as const, seat, commitment: commitmentOf(share) }];
  });
}

/** Check the chance of a finished game; null if no server has rolled, as far as this device knows. */
export async function checkChance(view: View, variant: VariantInfo): Promise<Verdict | null> {
  const { table } = view;
  const starts = await readStarts(table);
  if (view.dice !== 'rolled' && !starts.length) return null;
  const record = await (await fetchRecord(table, device.secrets(table))).text();
  const own = view.own.map(({ seat }) => view.seats[seat]?.name ?? '');
  const saved = device.savedTable(table);
  const kept = (saved?.shown ?? []).map((one) => JSON.parse(one) as Shown);
  return judge(record, { table, played: own.length > 0 || saved?.played === true, own, starts, shown: [...kept, ...rollsIn(view.log)] }, variant);
}
