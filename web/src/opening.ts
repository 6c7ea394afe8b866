/** Creating a table and sitting down at it. */
import { device } from './device.svelte.ts';
import type { SeatWish } from './protocol.ts';
import { go } from './route.svelte.ts';
import { create, sitDown } from './server.ts';

export async function openTable(variant: string, seats: SeatWish[], names: string[], seconds?: number): Promise<void> {
  const { table } = await create({ variant, seats, ...(seconds ? { seconds } : {}) });
  device.remember(table, { variant });
  await sit(table, names);
  go(`/t/${table}`);
}

/** The people at this device take seats; the secrets stay here. */
export async function sit(table: string, names: string[], seat: number | null = null): Promise<void> {
  if (names.length === 0) return;
  const taken = await sitDown(table, names, seat);
  const places = taken.seats.map(({ name, secret }) => ({ name, secret }));
  device.remember(taken.table, { places: [...device.places(taken.table), ...places] });
}
