/** The past games of this device for a page that shows them: read again whenever they change. */
import { canPlayHere, localTables, playedGames } from '../local/client.svelte.ts';
import type { PlayedGame } from '../local/played.ts';
import { describePlayedError, rememberChallenges } from './keeping.ts';
import { gameNames } from './names.ts';

export class PastGames {
  games = $state.raw<PlayedGame[] | null>(null);
  saved = $state(true);
  nameOf = $state.raw((id: string): string => id);
  errorMessage = $state('');

  constructor() {
    $effect(() => {
      void localTables.gamesChanged;
      if (canPlayHere) void this.#load();
    });
  }

  async #load(): Promise<void> {
    try {
      const { games, saved } = await playedGames();
      rememberChallenges(games);
      this.nameOf = await gameNames(games);
      [this.games, this.saved] = [games, saved];
    } catch (error) {
      this.errorMessage = describePlayedError(error);
    }
  }
}
