/**
 * Compares tables on the device with tables of the server: node web/differential.ts MODULE FILE
 *
 * MODULE is rowlock.wasm, FILE is made by tests/local_games.py. The first difference is printed, and the status is 1.
 */
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';
import type { AnyMessage, LocalVariant, Obstacle, Own, Replay, View, Why } from './src/protocol.ts';
import { ApiError } from './src/apiError.ts';
import { LocalGame } from './src/local/game.ts';
import { Kernel } from './src/local/kernel.ts';
import { openingEvents, type TableEvent, type TablePlan } from './src/local/events.ts';
import { LocalTable } from './src/local/table.ts';

interface Step {
  do: (AnyMessage & { refused?: string }) | { type: 'open'; first: number } | { type: 'new'; first: number } | { type: 'begin' } | { type: 'bot'; seat: number; option: string };
  at: number;
  seeds: [number, number][];
  events: Record<string, unknown>[];
  view: View;
  record: string;
  why: { ask: Why; answer: Obstacle }[];
}
interface Game {
  variant: LocalVariant;
  plan: TablePlan;
  steps: Step[];
  replay: Replay;
}

const CODE = 'ABC234';

class Difference extends Error {}

/** Compare JSON values; the message names the path to the first difference. */
function compare(local: unknown, server: unknown, path: string): void {
  if (isDeepStrictEqual(local, server)) return;
  if (local && server && typeof local === 'object' && typeof server === 'object') {
    for (const key of new Set([...Object.keys(local), ...Object.keys(server)])) {
      compare((local as Record<string, unknown>)[key], (server as Record<string, unknown>)[key], `${path}.${key}`);
    }
    return;
  }
  throw new Difference(`${path}: local ${JSON.stringify(local)}, server ${JSON.stringify(server)}`);
}

const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** What the events of local and server's tables share. */
const comparable = (events: TableEvent[]): unknown => plain(events).map((event) => ({ ...event, secret_hash: undefined })).map(plain);

function perform(table: LocalTable, game: Game, step: Step): TableEvent[] {
  const seeds = [...step.seeds];
  const seed = (): [number, number] => seeds.shift()!;
  if (step.do.type === 'open') return table.append(openingEvents(game.plan, game.variant, step.do.first), step.at, seed);
  if (step.do.type === 'new') {
    const { first } = step.do;
    return table.rematchEvents(() => first).events;
  }
  if (step.do.type === 'begin') return table.beginTurn(step.at, seed);
  if (step.do.type === 'bot') return table.append(table.decideByBot(step.do.seat, step.do.option), step.at, seed);
  const { refused, ...message } = step.do;
  try {
    return table.append(table.command(message as AnyMessage, step.at), step.at, seed);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== refused) throw error;
    return [];
  }
}

/** The state of a card game that the server sends for hints gives the player's position and options. */
function checkState(kernel: Kernel, variant: LocalVariant, { hints, position, to_act }: View, { seat, state, options }: Own, path: string): void {
  if (!hints || !variant.info.cards || !to_act.includes(seat)) return compare(state, undefined, `${path}: state`);
  const seen = LocalGame.seen(kernel, variant, state!);
  compare(plain(seen.position(false)), position, `${path}: position of the state`);
  compare(plain([...seen.options(seat).values()].map(({ choice }) => choice)), options, `${path}: options of the state`);
}

function check(kernel: Kernel, game: Game): number {
  const table = new LocalTable(CODE, kernel, game.variant);
  const stored: { at: number; event: TableEvent }[] = [];
  for (const [index, step] of game.steps.entries()) {
    const path = `${game.variant.info.id} for ${game.plan.seats.length}, step ${index} (${JSON.stringify(step.do)})`;
    const events = perform(table, game, step);
    compare(comparable(events), step.events, `${path}: events`);
    if (step.do.type === 'new') break;
    stored.push(...events.map((event) => ({ at: step.at, event })));
    for (const one of step.view.own) checkState(kernel, game.variant, step.view, one, path);
    const own = step.view.own.map(({ state: _, ...one }) => one);
    compare(plain(table.view(step.at)), { ...step.view, own, invite: null, hash: '' }, `${path}: view`);
    compare(table.record(), step.record, `${path}: record`);
    for (const { ask, answer } of step.why) compare({ type: 'obstacle', id: ask.id, table: ask.table, ...table.whyNot(ask) }, answer, `${path}: ${JSON.stringify(ask)}`);
  }
  if (!table.sheets) compare(plain(table.game!.replay(CODE)), game.replay, `${game.variant.info.id}: replay`);
  const rebuilt = new LocalTable(CODE, kernel, game.variant);
  for (const { at, event } of stored) rebuilt.apply(event, at);
  compare(plain(rebuilt.view(0)), plain(table.view(0)), `${game.variant.info.id}: the table rebuilt from its events`);
  return game.steps.length;
}

const [module = '', file = ''] = process.argv.slice(2);
const kernel = await Kernel.load(readFileSync(module));
let games = 0;
let steps = 0;
for await (const line of createInterface({ input: createReadStream(file) })) {
  steps += check(kernel, JSON.parse(line) as Game);
  games++;
}
console.log(`${games} games, ${steps} steps: no difference`);
