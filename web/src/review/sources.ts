/** Where the worker finds a game: at a table on this device, in a record, or in what a player sees of it. */
import { fetchRecord } from '../api.ts';
import { writeTurn } from '../local/notation.ts';
import type { GameSource, SeenState } from '../local/worker.ts';
import { isLocal } from '../pages.ts';
import type { View } from '../protocol.ts';
import { hasJokers, variantOf } from '../setup.ts';

/** The game of a table as a player sees it. With cards a server sends the state: a record has the order of the deck, which is hidden. */
export function sourceOfView({ table, variant, position, log, own }: View, seat: number): GameSource | SeenState {
  if (isLocal(table)) return { table };
  const state = own.find((one) => one.seat === seat)?.state;
  if (state) return { state, variant };
  const sheets = position?.sheets ?? [];
  const tags: Record<string, string[]> = {
    Variant: [variantOf(variant)],
    Players: sheets.map((_, seat) => String(seat + 1)),
    Sheets: sheets.flatMap(({ letter }) => letter ?? []),
    Lucky: sheets.flatMap(({ lucky }) => (lucky ? [lucky.join('/')] : [])),
    Jokers: hasJokers(variant) ? ['yes'] : [],
  };
  const lines = Object.entries(tags).flatMap(([name, values]) => (values.length ? [`[${name} "${values.join('; ')}"]`] : []));
  return { record: [...lines, ...log.map(({ taken: _, renewed: _renewed, ...turn }, index) => `${index + 1}. ${writeTurn(turn)}`)].join('\n'), own: null };
}

/** The game of a table that is over; `secrets` let the server show it. */
export async function sourceOfTable(table: string, secrets: string[]): Promise<GameSource> {
  return isLocal(table) ? { table } : { record: await (await fetchRecord(table, secrets)).text(), own: null };
}
