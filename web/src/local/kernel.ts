/** `rowlock.wasm`: rules, chance, bots and values as functions of integers in one block of memory. */
import * as at from './layout.ts';

type Call = (...parameters: number[]) => number;

/** A state and the dice or the pile that belong to it. */
export type Snapshot = BigInt64Array<ArrayBuffer>;

export type Consequence = [name: string, first: number, second: number];

const INT_BYTES = 8;
const FLOAT_BYTES = 4;
const PAGE = 65536;
const ALIGNMENT = 16;

export class Kernel {
  #functions: Record<string, Call>;
  #memory: WebAssembly.Memory;
  /** Addresses in bytes: results of calls, the block of integers, the floats of bots, the weights of the champion. */
  #result: number;
  #block: number;
  #floats: number;
  #weights: number;
  #ints!: BigInt64Array<ArrayBuffer>;
  #tables: readonly number[] | null = null;
  #loadedWeights: Uint16Array | null = null;

  private constructor(instance: WebAssembly.Instance) {
    this.#functions = instance.exports as Record<string, Call>;
    this.#memory = instance.exports['memory'] as WebAssembly.Memory;
    const heap = (instance.exports['__heap_base'] as WebAssembly.Global).value as number;
    this.#result = Math.ceil(heap / ALIGNMENT) * ALIGNMENT;
    this.#block = this.#result + ALIGNMENT;
    this.#floats = this.#block + Math.ceil((at.SIZE * INT_BYTES) / ALIGNMENT) * ALIGNMENT;
    this.#weights = this.#floats + at.FLOATS * FLOAT_BYTES;
    this.#reserve(this.#weights);
  }

  static async load(code: BufferSource): Promise<Kernel> {
    const { instance } = await WebAssembly.instantiate(code, { env: { log: Math.log, exp: Math.exp } });
    return new Kernel(instance);
  }

  /** Make the memory large enough; that replaces its buffer. */
  #reserve(bytes: number): void {
    const missing = bytes - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE));
    this.#ints = new BigInt64Array(this.#memory.buffer as ArrayBuffer, this.#block, at.SIZE);
  }

  /** Call a function on the block. Compiled functions return a status and write their result to memory. */
  #call(name: string, ...parameters: number[]): number {
    return this.#callWith(name, this.#block, ...parameters);
  }

  #callWith(name: string, ...parameters: number[]): number {
    const status = this.#functions[name]!(this.#result, this.#result + INT_BYTES, ...parameters);
    if (status !== 0) throw new Error(`${name} failed with status ${status}`);
    return new DataView(this.#memory.buffer).getInt32(this.#result, true);
  }

  #out(length: number): number[] {
    return Array.from(this.#ints.subarray(at.OUT, at.OUT + length), Number);
  }

  /** The variant that the next calls are about. */
  setTables(tables: readonly number[]): void {
    if (tables === this.#tables) return;
    this.#tables = tables;
    for (const [index, value] of tables.entries()) this.#ints[at.TABLES + index] = BigInt(value);
  }

  get snapshot(): Snapshot {
    return this.#ints.slice(at.STATE, at.ACTIONS);
  }

  set snapshot(snapshot: Snapshot) {
    this.#ints.set(snapshot, at.STATE);
  }

  start(players: number, jokers: boolean): void {
    this.#ints.fill(0n, at.STATE, at.ACTIONS);
    this.#call('start', players, Number(jokers));
  }

  setLucky(player: number, low: number, high: number): void {
    this.#call('set_lucky', player, low, high);
  }

  setSheet(player: number, kind: number): void {
    this.#call('set_sheet', player, kind);
  }

  /** The dice or the shuffled cards that come next, for a seed of two words. */
  drawChance(high: number, low: number): number[] {
    const count = this.#call('draw_chance', high | 0, low | 0);
    return Array.from(this.#ints.subarray(at.DRAWN, at.DRAWN + count), Number);
  }

  /** Roll these dice, or deal these cards; a turn that needs no new pile has none. */
  letChanceAct(drawn: readonly number[]): void {
    if (drawn.length) this.#ints.fill(0n, at.DRAWN, at.ACTIONS);
    for (const [index, value] of drawn.entries()) this.#ints[at.DRAWN + index] = BigInt(value);
    this.#call('let_chance_act');
  }

  options(player: number): number[] {
    const count = this.#call('options', player);
    return Array.from(this.#ints.subarray(at.ACTIONS, at.ACTIONS + count), Number);
  }

  act(decisions: readonly number[]): void {
    for (const [player, action] of decisions.entries()) this.#ints[at.DECISIONS + player] = BigInt(action);
    this.#call('act');
  }

  describeState(revealed: boolean): number[] {
    this.#call('describe_state', Number(revealed));
    return this.#out(at.STATE_DESCRIPTION);
  }

  describeOption(player: number, action: number): number[] {
    this.#call('describe_option', player, action);
    return this.#out(at.OPTION_DESCRIPTION);
  }

  /** The number of the obstacle for a player who points at a spot, or -1, and its values. */
  whyNot(player: number, spot: number, swap: number, chosen: number, decided: boolean): { obstacle: number; values: number[] } {
    const obstacle = this.#call('why_not', player, spot, swap, chosen, Number(decided));
    return { obstacle, values: this.#out(at.OBSTACLES[obstacle]?.[1].length ?? 0) };
  }

  /** The index of the option that a bot chooses; `word` is 32 random bits. */
  choose(bot: string, player: number, word: number, weights: Uint16Array | null): number {
    if (weights) this.#loadWeights(weights);
    const count = this.#call('options', player);
    return this.#callWith('choose', this.#block, this.#floats, 0, this.#weights, at.BOTS.indexOf(bot), player, count, word | 0);
  }

  /** The value of the state for each player after the actions that some have decided on, as a spectator sees it. */
  nodeValue(decided: ReadonlyMap<number, number>, players: number, depth: number, weights: Uint16Array): number[] {
    this.#loadWeights(weights);
    let bits = 0;
    for (const [player, action] of decided) {
      this.#ints[at.DECISIONS + player] = BigInt(action);
      bits |= 1 << player;
    }
    this.#callWith('node_value', this.#block, this.#floats, this.#weights, bits, depth, 0);
    return this.#floatsAt(at.VALUES, players);
  }

  /** The values of a player's actions in the order of `options`, and the standard errors of the differences to the best one; `played` is an index, or -1. */
  optionValues(player: number, played: number, depth: number, seed: number, weights: Uint16Array): { values: number[]; errors: number[] } {
    this.#loadWeights(weights);
    const count = this.#call('options', player);
    this.#callWith('write_option_values', this.#block, this.#floats, this.#weights, player, count, played, depth, seed);
    return { values: this.#floatsAt(at.VALUES, count), errors: this.#floatsAt(at.ERRORS, count) };
  }

  /** What an action brings about: names of consequences, each with two values. */
  consequences(player: number, action: number): Consequence[] {
    const count = this.#call('write_consequences', player, action);
    const written = this.#out(count * at.CONSEQUENCE);
    return Array.from({ length: count }, (_, index) => {
      const [code, first, second] = written.slice(index * at.CONSEQUENCE);
      return [at.CONSEQUENCES[code!]!, first!, second!];
    });
  }

  // Sheets without dice

  /** What a player can mark, whatever was rolled, with a bit set of rows closed; `describeFreeOption` describes these. */
  freeOptions(player: number, closed: number): number[] {
    const count = this.#call('free_options', player, closed);
    return Array.from(this.#ints.subarray(at.ACTIONS, at.ACTIONS + count), Number);
  }

  describeFreeOption(player: number, action: number): number[] {
    this.#call('describe_free_option', player, action);
    return this.#out(at.OPTION_DESCRIPTION);
  }

  /** The bit set of rows that others have locked since the last roll. */
  lockedByOthers(player: number): number {
    return this.#call('locked_by_others', player);
  }

  /** The bit set of these rows for which it matters to an action whether they are closed already. */
  doubtfulRows(player: number, action: number): number {
    return this.#call('doubtful_rows', player, action);
  }

  markFreely(player: number, action: number, closed: number): void {
    this.#call('mark_freely', player, action, closed);
  }

  announceRoll(): void {
    this.#call('announce_roll');
  }

  endGame(): void {
    this.#call('end_game');
  }

  /** The number of the obstacle for a player who points at a spot, whatever was rolled, or -1, and its values. */
  whyNoMark(player: number, spot: number): { obstacle: number; values: number[] } {
    const obstacle = this.#call('why_no_mark', player, spot);
    return { obstacle, values: this.#out(at.OBSTACLES[obstacle]?.[1].length ?? 0) };
  }

  #floatsAt(begin: number, length: number): number[] {
    return [...new Float32Array(this.#memory.buffer, this.#floats + begin * FLOAT_BYTES, length)];
  }

  #loadWeights(weights: Uint16Array): void {
    if (weights === this.#loadedWeights) return;
    this.#reserve(this.#weights + weights.length * FLOAT_BYTES);
    const floats = new Float32Array(this.#memory.buffer, this.#weights, weights.length);
    for (const [index, half] of weights.entries()) floats[index] = halfToFloat(half);
    this.#loadedWeights = weights;
  }
}

/** A number in half precision. */
function halfToFloat(half: number): number {
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  const size = exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return half & 0x8000 ? -size : size;
}
