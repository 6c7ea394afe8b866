/** The players of a record at this device. */
import { isLocal } from '../pages.ts';
import { isBot, playerName } from '../sheet/labels.ts';
import type { SavedTable } from '../storage.svelte.ts';
import { t } from '../i18n.svelte.ts';

/** The names of the people at this device, at one of its tables. */
export const namesHere = ({ table, players, places }: SavedTable): string[] =>
  isLocal(table) ? players.filter((name) => name && !isBot(name)) : places.map(({ name }) => name);

/** The names of the players of a record; the only person at this device is "You". */
export const playerNames = (players: string[], here: string[]): string[] =>
  players.map((name) => (here.length === 1 && name === here[0] ? t('seat.self') : playerName(name)));
