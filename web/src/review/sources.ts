/** Where the worker finds a game: at a table on this device, or in a record. */
import { fetchRecord } from '../api.ts';
import { writeTurn } from '../local/notation.ts';
import type { GameSource } from '../local/worker.ts';
import { isLocal } from '../pages.ts';
import type { View } from '../protocol.ts';
import { hasJokers, variantOf } from '../setup.ts';

/** The game of a table as its view shows it; without a server's secrets that is possible for games without cards. */
export function sourceOfView({ table, variant, position, log }: View): GameSource {
  if (isLocal(table)) return { table };
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
