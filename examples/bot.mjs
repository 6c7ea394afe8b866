// A bot in JavaScript that plays by the line protocol:
//   rowlock arena "cmd:node bot.mjs" greedy
import { createInterface } from "node:readline";

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

/** The next line as its word and its JSON value; the program ends with its input. */
async function read() {
  const { value, done } = await lines.next();
  if (done) process.exit();
  const [, word, json] = value.match(/^(\S+) ?(.*)$/);
  return [word, json ? JSON.parse(json) : null];
}

/** The own sheet after an option, which Rowlock knows. */
async function after(option) {
  console.log(`after ${option}`);
  const [, sheet] = await read();
  return sheet;
}

const lost = (sheet) => Object.values(sheet.cells).flat().filter((state) => state === "lost").length;

/** Replace this by your strategy: it loses as few cells as possible, and waits rather than lose two. */
async function choose(options, now) {
  let [best, lowest] = [options[0], Infinity];
  for (const option of options) {
    const sheet = await after(option);
    let cost = lost(sheet) - lost(now);
    if (sheet.misthrows > now.misthrows) cost = 4;
    else if (sheet.notation === now.notation) cost = 1.5; // nothing is marked
    if (cost < lowest) [best, lowest] = [option, cost];
  }
  return best;
}

let game, position;
while (true) {
  const [word, value] = await read();
  if (word === "rowlock") console.log("name Example\nready");
  else if (word === "newgame") game = value;
  else if (word === "position") position = value;
  else if (word === "decide") console.log(`choose ${await choose(value, position.sheets[game.seat])}`);
}
