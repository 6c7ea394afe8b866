// A plain page that plays: it draws the views it is sent and sends back the options it is given.
"use strict";

const $ = (id) => document.getElementById(id);
const seatsOf = (table) => JSON.parse(localStorage.getItem(`rowlock ${table}`) || "[]");
const keep = (table, secrets) => localStorage.setItem(`rowlock ${table}`, JSON.stringify(secrets));
let variants = {}, bots = [], socket = null, current = null, view = null, open = new Map(), tries = 0;

const make = (tag, text, className) => {
  const node = document.createElement(tag);
  if (text !== undefined) node.textContent = text;
  if (className) node.className = className;
  return node;
};
const random = () => Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, "0")).join("");
const say = (text) => { $("message").textContent = text; };

async function ask(path, body) {
  const options = body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  // What is asked for twice is done once: an answer that was lost is asked for again.
  const answer = await fetch(path, options).catch(() => fetch(path, options));
  const data = await answer.json();
  if (!answer.ok) throw new Error(`${data.code} ${JSON.stringify(data.values)}`);
  return data;
}
const attempt = (work) => async (event) => {
  event?.preventDefault();
  try { say(""); await work(event); } catch (error) { say(String(error.message || error)); }
};

// The socket

function follow(table) {
  current = table;
  view = null;
  location.hash = `table=${table}`;
  $("lobby").hidden = true;
  $("table").hidden = false;
  if (socket && socket.readyState === WebSocket.OPEN) hello(); else connect();
}
function connect() {
  socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/socket`);
  socket.onopen = () => { tries = 0; say(""); hello(); };
  socket.onmessage = (event) => take(JSON.parse(event.data));
  socket.onclose = () => {
    say("connection lost, trying again …");
    setTimeout(connect, Math.min(10000, 500 * 2 ** tries++));
  };
}
function hello() {
  send({ type: "hello", version: 1, table: current, secrets: seatsOf(current), last_seq: view ? view.seq : 0 });
  for (const command of open.values()) send(command);
}
const send = (message) => { if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message)); };
function command(message) {
  const id = random();
  open.set(id, { ...message, table: current, id });
  send(open.get(id));
}
function take(message) {
  if (message.type === "view" && message.table === current && (!view || message.seq >= view.seq)) {
    view = message;
    draw();
  } else if (message.type === "ack" || message.type === "error") {
    open.delete(message.id);
    if (message.type === "ack") return;
    if (message.code === "version") location.reload();
    else if (message.code === "secret" && !message.id) { keep(current, []); hello(); }
    else if (message.code !== "past") say(`${message.code} ${JSON.stringify(message.values)}`);
  }
}
setInterval(() => { if (socket && socket.readyState === WebSocket.OPEN) send({ type: "ping" }); }, 15000);

// Drawing

function draw() {
  const position = view.position;
  const name = (seat) => view.seats[seat].name;
  $("head").textContent = `Table ${view.table}, ${variants[view.variant]?.name.en || view.variant}: ` + (
    view.state === "waiting" ? "waiting for players; tell them the code"
    : view.state === "over" ? `over; won by ${view.result.winners.map(name).join(" and ")}`
    : `turn ${position.turn} of ${name(position.active)}, ${position.phase} action; to decide: ${view.to_act.map(name).join(", ")}`);
  drawDice(position);
  $("seats").replaceChildren(...view.seats.map(drawSeat));
  $("own").replaceChildren(...view.own.flatMap(drawOwn));
  $("sheets").replaceChildren(...(position ? position.sheets.map(drawSheet) : []));
  drawTools();
  $("log").replaceChildren(...view.log.map((turn) => make("li",
    `${turn.dice} ${(turn.white || []).join(" ")}${turn.colour ? ` / ${turn.colour}` : ""}`)));
}
function drawDice(position) {
  const faces = position?.dice ? [...position.dice.replace("-", "")] : [];
  $("dice").replaceChildren(...faces.map((face, i) => make("span", face, ["", "", "R", "Y", "G", "B"][i])));
}
function drawSeat(seat, number) {
  const parts = [seat.name || "free", seat.bot ? `(bot ${seat.bot})` : "", seat.absent ? "absent" : ""];
  if (view.decided.includes(number)) parts.push("has decided");
  if (seat.trouble) parts.push(`trouble: ${seat.trouble}`);
  const item = make("li", parts.filter(Boolean).join(" "));
  if (seat.absent && !seat.bot && view.own.length && view.state === "running") {
    const button = make("button", "let a bot play");
    button.onclick = () => command({ type: "replace", seat: number, bot: bots.at(-1) });
    item.append(button);
  }
  return item;
}
function drawOwn(own) {
  if (!view.position) return [];
  const where = { seat: own.seat, turn: view.position.turn, phase: view.position.phase };
  const line = make("p", `${view.seats[own.seat].name}: `);
  for (const choice of own.options) {
    const button = make("button", choice.misthrow ? "misthrow" : choice.option === "-" ? "no mark" : choice.option,
      choice.marks[0]?.[0]);
    button.onclick = () => command({ type: "decide", option: choice.option, ...where });
    line.append(button);
  }
  if (own.decision) {
    const button = make("button", "take back");
    button.onclick = () => command({ type: "withdraw", ...where });
    line.append(`decided ${own.decision} `, button);
  }
  return own.options.length || own.decision ? [line] : [];
}
function drawSheet(sheet, number) {
  const table = make("table");
  table.append(make("caption", `${view.seats[number].name}: ${sheet.total} points, ${sheet.misthrows} misthrows`
    + (sheet.lucky ? `, lucky ${sheet.lucky.join("/")}` : "")));
  const variant = variants[view.variant];
  for (const row of variant ? [...variant.rows, ...variant.fields] : []) {
    const line = make("tr");
    line.append(make("th", row.name, row.name[0]));
    const marked = sheet.rows[row.name] || sheet.fields[row.name];
    row.numbers.forEach((value, cell) => line.append(
      make("td", value, marked.includes(value) ? "marked" : row.colours[cell] || "")));
    line.append(make("td", sheet.locks.includes(row.name) ? "locked" : view.position.closed.includes(row.name) ? "closed" : ""));
    table.append(line);
  }
  return table;
}
function drawTools() {
  const tools = [];
  const button = (text, work) => { const one = make("button", text); one.onclick = attempt(work); tools.push(one); };
  const secret = seatsOf(current)[0];
  if (view.state === "waiting" && view.own.length) button("Start now", () => command({ type: "start" }));
  if (secret && view.own.length) button("Hand my seat over", async () => {
    const { handover } = await ask(`/api/tables/${current}/handover`, { secret });
    say(`On the other device, within two minutes: table ${current}, code ${handover}`);
  });
  if (view.state === "over" && view.own.length) button("Rematch", async () => {
    const { table } = await ask(`/api/tables/${current}/rematch`, { secret });
    keep(table, seatsOf(current));
    follow(table);
  });
  if (view.rematch && view.state === "over") button("Go to the rematch", () => {
    keep(view.rematch, seatsOf(current));
    follow(view.rematch);
  });
  if (view.position) {
    const link = make("a", "Record");
    link.href = `/api/tables/${current}/record`;
    tools.push(link);
  }
  button("Leave the table", () => { location.hash = ""; location.reload(); });
  $("tools").replaceChildren(...tools);
}

// The lobby

$("create").onsubmit = attempt(async (event) => {
  const form = new FormData(event.target);
  const seats = [...Array(Number(form.get("people"))).fill({}), ...Array(Number(form.get("bots"))).fill({ bot: form.get("bot") })];
  const seconds = form.get("seconds") ? Number(form.get("seconds")) : null;
  const { table } = await ask("/api/tables", { variant: form.get("variant"), seats, seconds, id: random() });
  $("join").elements.table.value = table;
  say(`Table ${table} is ready: type your name and sit down; tell the others the code.`);
});
$("join").onsubmit = attempt(async (event) => {
  const form = new FormData(event.target);
  const names = form.get("names").split("\n").map((name) => name.trim()).filter(Boolean);
  const people = names.map((name) => ({ name, secret: random() }));
  const taken = await ask(`/api/tables/${encodeURIComponent(form.get("table"))}/seats`, { people });
  keep(taken.table, [...seatsOf(taken.table), ...people.map((one) => one.secret)]);
  follow(taken.table);
});
$("watch").onclick = attempt(async () => {
  const { table } = await ask(`/api/tables/${encodeURIComponent($("join").elements.table.value)}`);
  follow(table);
});
$("claim").onsubmit = attempt(async (event) => {
  const form = new FormData(event.target);
  const table = form.get("table").toUpperCase();
  const secret = random();
  await ask(`/api/tables/${encodeURIComponent(table)}/claim`, { handover: form.get("handover"), secret });
  keep(table, [...seatsOf(table), secret]);
  follow(table);
});
attempt(async () => {
  for (const variant of (await ask("/api/variants")).variants) variants[variant.id] = variant;
  bots = (await ask("/api/bots")).bots;
  $("create").elements.variant.append(...Object.values(variants).map((one) => new Option(one.name.en, one.id)));
  $("create").elements.bot.append(...bots.map((one) => new Option(one, one)));
  const asked = new URLSearchParams(location.hash.slice(1)).get("table");
  if (asked && seatsOf(asked).length) follow(asked);
  else if (asked) $("join").elements.table.value = asked;
})();
