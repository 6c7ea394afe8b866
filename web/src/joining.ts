/** Creating a table and sitting down at it. */
import { device, type Asked } from './storage.svelte.ts';
import type { SeatWish } from './protocol.ts';
import { go } from './router.svelte.ts';
import { claim, create, random, Refused, sitDown } from './api.ts';

export async function openTable(variant: string, seats: SeatWish[], names: string[], seconds?: number): Promise<void> {
  checkNames(names);
  const { table } = await create({ variant, seats, ...(seconds ? { seconds } : {}) });
  device.remember(table, { variant });
  await sit(table, names);
  go(`/t/${table}`);
}

/** The people at this device take seats; the secrets stay here. */
export async function sit(table: string, names: string[], seat: number | null = null): Promise<void> {
  if (!names.length) return;
  checkNames([...device.places(table).map((place) => place.name), ...names]);
  await take(table, names, seat, null);
}

/** "Continue on another device": the code is worth the seat, once. */
export const takeOver = (table: string, handover: string): Promise<void> => take(table, [''], null, handover);

/** What has been asked for and was never answered: perhaps it was given all the same. */
export async function askAgain(table: string): Promise<void> {
  for (const asked of device.asked(table)) await ask(asked);
}

/** Whoever tries again does so with the same secrets: perhaps the first try did not fail after all. */
function take(table: string, names: string[], seat: number | null, handover: string | null): Promise<void> {
  const before = device
    .asked(table)
    .find((one) => one.handover === handover && String(one.places.map((place) => place.name)) === String(names));
  return ask({ ...(before ?? { table, handover, places: names.map((name) => ({ name, secret: random() })) }), seat });
}

async function ask(asked: Asked): Promise<void> {
  const { table, places, handover } = asked;
  device.ask(asked);
  try {
    const seats = handover ? [await claim(table, handover, places[0]!.secret)] : (await sitDown(asked)).seats;
    const taken = places.map((place, index) => ({ ...place, name: seats[index]!.name }));
    const others = device.places(table).filter((place) => !taken.some((one) => one.name === place.name));
    device.remember(table, { places: [...others, ...taken] });
  } catch (error) {
    if (error instanceof Refused && ['offline', 'storage', 'too-fast'].includes(error.code)) throw error;
    device.answered(asked);
    throw error;
  }
  device.answered(asked);
}

/** Everybody at one device has a name of their own: a seat is known by it here. */
function checkNames(names: string[]): void {
  const double = names.find((name, place) => names.indexOf(name) < place);
  if (double !== undefined) throw new Refused('name-taken', { name: double });
}
