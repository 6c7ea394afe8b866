/** The game of a replay: of a table, of a file, of the history, or in the address itself. */
import { ApiError, addVariant, chosenVariant, fetchReplay, fetchTableVariant, fetchVariant, replayRecord } from '../api.ts';
import { describeError } from '../errors.ts';
import { inviteIn } from '../invite.ts';
import { canPlayHere, playedGames, readLocalRecord } from '../local/client.svelte.ts';
import type { LocalVariant, Replay, VariantInfo } from '../protocol.ts';
import { splitGames } from '../record.ts';
import { device } from '../storage.svelte.ts';
import { sharedGame } from './sharedRecord.ts';

export class ReplayedGame {
  /** The games of a file. Only the one that is shown is sent to the server: a file may be long. */
  records = $state.raw<string[]>([]);
  /** Which of them is shown. */
  selected = $state(0);
  fileName = $state('');
  /** The variant of the game, if it is not built in. */
  own = $state.raw<LocalVariant | null>(null);
  /** Whether the game is in the address. */
  shared = $state(false);
  /** The names of the people of this device, for a game of the history. */
  ownNames = $state.raw<string[]>([]);
  replay = $state.raw<Replay | null>(null);
  variant = $state.raw<VariantInfo | null>(null);
  errorMessage = $state('');
  /** The line of the file in which the error is. */
  wrongLine = $state('');
  #code: string | null;
  #played: string | null;
  /** When another game is requested before this one has arrived, the later request wins. */
  #latest: Promise<Replay> | null = null;

  /** The code of a table, or the game of the history that the address names; neither for files. */
  constructor(code: string | null, played: string | null) {
    this.#code = code;
    this.#played = played;
  }

  /** The secrets with which the server shows the table; a shared link has the one of the invite. */
  get secrets(): string[] {
    return this.#code ? [...device.secrets(this.#code), inviteIn(location.hash) ?? ''].filter(Boolean) : [];
  }

  /** The record that is shown; empty for a table. */
  get record(): string {
    return this.records[this.selected] ?? '';
  }

  /** Open the game of the table, or the one that the address names or contains. */
  async open(): Promise<void> {
    if (this.#code) return this.#load(fetchReplay(this.#code, this.secrets));
    try {
      if (this.#played) await this.#openPlayed(this.#played);
      else await this.#openShared();
    } catch (error) {
      [this.replay, this.shared] = [null, true];
      this.errorMessage = describeError(error);
      return;
    }
    if (this.records.length) await this.select(0);
  }

  async #openPlayed(id: string): Promise<void> {
    const found = (await playedGames()).games.find((game) => game.id === id);
    if (!found) throw new ApiError('no-game');
    this.ownNames = found.here.map((seat) => found.players[seat]!.name);
    [this.records, this.own] = [[found.record], found.own];
  }

  async #openShared(): Promise<void> {
    const found = await sharedGame(location.hash);
    this.shared = found !== null;
    if (found?.file) this.own = chosenVariant((await addVariant(found.file)).id);
    if (found) this.records = splitGames(found.record).slice(0, 1);
  }

  /** Open a record, and the file of its variant if that was chosen with it or before. */
  async openFiles(files: File[]): Promise<void> {
    const [file, record] = [files.find(({ name }) => name.endsWith('.toml')), files.find(({ name }) => !name.endsWith('.toml'))];
    try {
      if (file) this.own = chosenVariant((await addVariant(await file.text())).id);
    } catch (error) {
      this.errorMessage = describeError(error);
      return;
    }
    if (record) {
      this.fileName = record.name;
      this.records = splitGames(await record.text());
    }
    if (this.records.length) await this.select(0);
  }

  select(number: number): Promise<void> {
    this.selected = number;
    // What is in the address or in the history stays on this device.
    const read = (this.#played || this.shared) && canPlayHere ? readLocalRecord : replayRecord;
    return this.#load(read(this.record, this.own).then(({ games }) => games[0]!));
  }

  async #load(request: Promise<Replay>): Promise<void> {
    this.#latest = request;
    this.errorMessage = this.wrongLine = '';
    try {
      const replay = await request;
      const variant = await this.#fetchVariant(replay);
      if (this.#latest === request) [this.replay, this.variant] = [replay, variant];
    } catch (error) {
      if (this.#latest !== request) return;
      this.replay = null;
      this.errorMessage = describeError(this.#withFileLine(error));
    }
  }

  async #fetchVariant({ variant, variant_hash }: Replay): Promise<VariantInfo> {
    if (this.#code) return fetchTableVariant(this.#code, variant, variant_hash, this.secrets);
    return this.own ? this.own.info : fetchVariant(variant);
  }

  /** An error in a game, with the line number in its file; also sets `wrongLine` to the text of that line. */
  #withFileLine(error: unknown): unknown {
    if (!(error instanceof ApiError && error.code === 'record')) return error;
    const line = Number(error.values['line']);
    this.wrongLine = this.record.split('\n')[line - 1] ?? '';
    const before = this.records.slice(0, this.selected).join('').split('\n').length - 1;
    return new ApiError('record', { ...error.values, line: line && before + line });
  }
}
