/** Creating a table and taking seats at it. */
import { device, type PendingJoin } from './storage.svelte.ts';
import type { SeatRequest, TableRequest } from './protocol.ts';
import { navigate } from './router.svelte.ts';
import { canPlayHere, openLocalTable } from './local/client.svelte.ts';
import { duplicateName, isName } from './names.ts';
import { tablePath } from './pages.ts';
import { hasServer } from './server.ts';
import { ApiError, chosenVariant, claimSeat, createTable, fetchLocalBots, playableBot, randomHex, requestSeats } from './api.ts';

type TableOptions = Pick<TableRequest, 'seconds' | 'pause' | 'hints' | 'dice'>;

/** Create a table, take seats for the people at this device and show the table. */
export async function openTable(variant: string, seats: SeatRequest[], names: string[], more: TableOptions = {}): Promise<void> {
  checkNames(names);
  const here = await openHere(variant, seats, names, more);
  if (here) return navigate(tablePath(here));
  if (!hasServer) throw new ApiError('unsupported');
  const { table, invite, seq } = await createTable({ variant, seats, ...more });
  device.saveTable(table, { variant, invite });
  device.saveSeq(table, seq);
  await joinTable(table, names);
  navigate(tablePath(table));
}

/** Play against the bot of last time, or one about as strong that knows the game. */
export async function playNow(variant: string, name: string): Promise<void> {
  const { opponent } = device;
  const bot = await playableBot(opponent, variant, 2);
  device.opponent = opponent;
  await openTable(variant, [{ bot: null }, { bot: bot ?? null }], [name]);
}

/** Open a table on this device if everybody plays here and no clock runs; null if it has to be the server's. */
async function openHere(variant: string, seats: SeatRequest[], names: string[], { seconds, pause = 1, hints = false, dice = 'rolled' }: TableOptions): Promise<string | null> {
  const bots = seats.flatMap(({ bot }) => bot ?? []);
  if (!canPlayHere || seconds || bots.length + names.length !== seats.length) return null;
  try {
    const known = await fetchLocalBots(variant, seats.length);
    if (bots.some((bot) => !known.includes(bot))) return null;
    for (const name of names) checkName(name, bots);
    const table = await openLocalTable({ variant, seats, names, pause, hints, dice }, chosenVariant(variant));
    device.saveTable(table, { variant, players: names });
    return table;
  } catch (error) {
    if (hasServer && error instanceof ApiError && error.code !== 'name' && error.code !== 'name-taken') return null;
    throw error;
  }
}

/** Refuse a name that a record cannot contain, or that looks like that of a bot. */
function checkName(name: string, bots: string[]): void {
  if (!isName(name)) throw new ApiError('name', { reason: name });
  if (bots.some((bot) => bot === name.toLowerCase())) throw new ApiError('name-taken', { name });
}

/** Take seats for the people at this device, with the sheets that they have chosen. */
export async function joinTable(table: string, names: string[], seat: number | null = null, sheets: (string | null)[] = []): Promise<void> {
  if (!names.length) return;
  checkNames(names);
  await join(table, names, seat, null, sheets);
}

/** Move a seat from another device to this one; the code works once, and the answer has the player's name. */
export const claimHandover = (table: string, handover: string): Promise<void> => join(table, [''], null, handover);

/** Repeat the requests for seats that got no answer: the server may have granted them. */
export async function retryPendingJoins(table: string): Promise<void> {
  for (const pending of device.pendingJoins(table)) await sendJoin(pending);
}

/** Request seats; a second attempt uses the secrets of the first, which may have succeeded. */
function join(table: string, names: string[], seat: number | null, handover: string | null, sheets: (string | null)[] = []): Promise<void> {
  const earlier = device
    .pendingJoins(table)
    .find((one) => one.handover === handover && String(one.places.map((place) => place.name)) === String(names));
  const places = earlier?.places ?? names.map((name) => ({ name, secret: randomHex() }));
  return sendJoin({ table, handover, places: places.map((place, index) => ({ ...place, sheet: sheets[index] ?? null })), seat });
}

async function sendJoin(pending: PendingJoin): Promise<void> {
  const { table, places, handover } = pending;
  device.addPendingJoin(pending);
  try {
    const answer = handover ? await claimSeat(table, handover, places[0]!.secret) : await requestSeats(pending, device.savedTable(table)?.invite ?? null);
    const seats = 'seats' in answer ? answer.seats : [answer];
    const taken = places.map(({ secret }, index) => ({ secret, name: seats[index]!.name }));
    const others = device.credentials(table).filter((place) => !taken.some((one) => one.name === place.name));
    device.saveTable(table, { places: [...others, ...taken] });
    device.saveSeq(table, answer.seq);
  } catch (error) {
    // After these errors the request is repeated later, with the same secrets.
    if (error instanceof ApiError && ['offline', 'storage', 'too-fast'].includes(error.code)) throw error;
    device.removePendingJoin(pending);
    throw error;
  }
  device.removePendingJoin(pending);
}

/** Refuse a name that occurs twice: this device finds its seats by name. */
function checkNames(names: string[]): void {
  const duplicate = duplicateName(names);
  if (duplicate !== undefined) throw new ApiError('name-taken', { name: duplicate });
}
