/**
 * Compares the champion of rowlock.wasm with the compiled one: node web/decisions.ts MODULE FOLDER
 *
 * FOLDER is made by tests/local_decisions.py. The differences are printed as JSON: per file, decisions and differences.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kernel } from './src/local/kernel.ts';
import { ACTIONS, STATE } from './src/local/layout.ts';

const [module = '', folder = ''] = process.argv.slice(2);
const kernel = await Kernel.load(readFileSync(module));
for (const name of readdirSync(folder).filter((one) => one.endsWith('.jsonl'))) {
  const weights = new Uint16Array(new Uint8Array(readFileSync(join(folder, name.replace('.jsonl', '.bin')))).buffer);
  const [tables = '', ...lines] = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
  kernel.setTables(JSON.parse(tables) as number[]);
  const differences: number[] = [];
  const began = performance.now();
  for (const [index, line] of lines.entries()) {
    const [state, seat, expected] = JSON.parse(line) as [string[], number, number];
    const snapshot = new BigInt64Array(ACTIONS - STATE);
    snapshot.set(state.map(BigInt));
    kernel.snapshot = snapshot;
    if (kernel.choose('champion', seat, 0, weights) !== expected) differences.push(index);
  }
  console.log(JSON.stringify({ name, decisions: lines.length, differences, milliseconds: Math.round(performance.now() - began) }));
}
