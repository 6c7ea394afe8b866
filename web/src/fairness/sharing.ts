/** The shares of this device in the chance of a game: it commits to them, gives them, and checks the chance at the end. */
import { fetchRecord, randomHex } from '../api.ts';
import type { Commit, Share, StartState, VariantInfo, View } from '../protocol.ts';
import { device } from '../storage.svelte.ts';
import { commitmentOf, judge, type Verdict } from './chance.ts';

type Body<T> = Omit<T, 'id' | 'table'>;

/** What this page has sent for starts, so that it sends nothing twice. */
const sent = new Set<string>();

/** What to send when a game is about to start: first the commitments; once all have committed, the shares. */
export function shareCommands(view: View, start: StartState): (Body<Commit> | Body<Share>)[] {
  const nameOf = (seat: number): string => view.seats[seat]?.name ?? '';
  const own = start.seats.filter(({ seat, shares }) => shares && view.own.some((one) => one.seat === seat));
  let fair = device.savedTable(view.table)?.fair;
  if (fair?.commitment !== start.commitment) {
    fair = { commitment: start.commitment, shares: Object.fromEntries(own.map(({ seat }) => [nameOf(seat), randomHex()])), seats: null };
    device.saveTable(view.table, { fair });
  }
  const { shares } = fair;
  const committed = start.seats.every((one) => !one.shares || one.commitment !== null);
  const step = `${start.commitment} ${committed}`;
  if (sent.has(step)) return [];
  sent.add(step);
  if (!committed) {
    return own.flatMap(({ seat, commitment }) => (commitment === null && shares[nameOf(seat)] ? [{ type: 'commit', seat, commitment: commitmentOf(shares[nameOf(seat)]!) }] : []));
  }
  // What was promised is kept before anything is given.
  const seats = start.seats.map(({ seat, commitment }) => ({ name: nameOf(seat), commitment }));
  device.saveTable(view.table, { fair: { ...fair, seats } });
  return own.flatMap(({ seat, shared }) => (!shared && shares[nameOf(seat)] ? [{ type: 'share', seat, share: shares[nameOf(seat)]! }] : []));
}

/** Check the chance of a finished game. */
export async function checkChance(table: string, variant: VariantInfo): Promise<Verdict> {
  const record = await (await fetchRecord(table, device.secrets(table))).text();
  return judge(record, device.savedTable(table)?.fair ?? null, table, variant);
}
