/**
 * Reads records on the device and compares them with what the server reads: node web/records.ts MODULE FILE
 *
 * MODULE is rowlock.wasm, FILE is made by tests/local_records.py. Differences are printed, one a line.
 */
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { ApiError } from './src/apiError.ts';
import type { LocalVariant, Replay } from './src/protocol.ts';
import { Kernel } from './src/local/kernel.ts';
import { readRecord } from './src/local/record.ts';

interface Case {
  name: string;
  record: string;
  /** The game that the server reads, or the line and the code of its error. */
  replay: Replay | null;
  error: [number, string] | null;
}

const [module = '', file = ''] = process.argv.slice(2);
const kernel = await Kernel.load(readFileSync(module));
const { variants, cases } = JSON.parse(readFileSync(file, 'utf8')) as { variants: LocalVariant[]; cases: Case[] };

function find(id: string): Promise<LocalVariant> {
  const variant = variants.find(({ info }) => info.id === id);
  return variant ? Promise.resolve(variant) : Promise.reject(new ApiError('variant'));
}

/** Whether both have read the same, or found the same error; which rule a mark breaks only the server says. */
function agree(local: unknown, server: unknown): boolean {
  if (isDeepStrictEqual(local, server)) return true;
  return Array.isArray(local) && Array.isArray(server) && local[0] === server[0] && local[1] === 'illegal';
}

const shorten = (value: unknown): string => JSON.stringify(value).slice(0, 200);

for (const { name, record, replay, error } of cases) {
  const local: unknown = await readRecord(record, kernel, find).then(
    (game) => JSON.parse(JSON.stringify(game.replay(null))) as unknown,
    (problem: unknown) => (problem instanceof ApiError ? [problem.values['line'], problem.values['error']] : [String(problem)]),
  );
  if (!agree(local, replay ?? error)) console.log(`${name}: local ${shorten(local)}, server ${shorten(replay ?? error)}`);
}
console.log(`${cases.length} records read`);
