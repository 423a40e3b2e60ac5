// A client of `rulekit serve --stdio` for Node: plays a game, or runs the conformance script.
//
//     node rulekit_client.mjs play vitp [SEED]
//     node rulekit_client.mjs conform ../../schemas/session.conformance.jsonl

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const COMMAND = ["rulekit", "serve", "--stdio"];

/** Sends requests; `changed` is called with each notification. */
export class Client {
  constructor(command, changed = () => {}) {
    this.server = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
    this.ended = new Promise((resolve) => this.server.on("close", resolve));
    this.lines = createInterface({ input: this.server.stdout })[Symbol.asyncIterator]();
    this.changed = changed;
    this.id = 0;
  }

  send(message) {
    this.server.stdin.write(message + "\n");
  }

  /** The next message. */
  async read() {
    const { value, done } = await this.lines.next();
    if (done) throw new Error("the server has ended");
    return JSON.parse(value);
  }

  /** The result of a request; an error is thrown, with `code` and `data`. */
  async call(method, params = {}) {
    const id = ++this.id;
    this.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    for (;;) {
      const message = await this.read();
      if (message.id !== id) this.changed(message.params);
      else if (message.error) throw Object.assign(new Error(message.error.message), message.error);
      else return message.result;
    }
  }

  /** End the server's input; the promise is its exit code. */
  close() {
    this.server.stdin.end();
    return this.ended;
  }
}

/** Play a game, each side in its own seat, with answers that a seed chooses; returns the result. */
export async function play(game, seed) {
  const seats = {};
  const client = new Client([...COMMAND, game], (change) => (seats[change.seat] = change));
  await client.call("initialize", { protocol: [1], client: "example in Node" });
  const opened = await client.call("session/start", { game, seed });
  for (const [side, token] of Object.entries(opened.seats)) {
    seats[side] = await client.call("session/join", { token });
  }
  let state = seed;
  while (!Object.values(seats).some((seat) => seat.over)) {
    const [side, { decision, revision }] = Object.entries(seats).find(([, seat]) => seat.decision);
    state = (state * 1103515245 + 12345) % 2147483648;
    const answer = decision.answers[state % decision.answers.length].name;
    await client.call("session/choose", { token: opened.seats[side], answer, revision });
  }
  await client.close();
  return Object.values(seats)[0].result;
}

/** Run recorded exchanges; returns how many of the messages that came are others than those recorded. */
export async function conform(script) {
  const client = new Client(COMMAND);
  const known = new Map();
  let wrong = 0;
  for (const line of readFileSync(script, "utf8").split("\n").filter(Boolean)) {
    const step = JSON.parse(line);
    if ("send" in step) client.send(JSON.stringify(filled(step.send, known)));
    else if ("raw" in step) client.send(step.raw);
    else {
      const came = await client.read();
      if (!fits(step.expect, came, known)) {
        wrong += 1;
        console.error(`expected ${JSON.stringify(step.expect)}\nfound    ${JSON.stringify(came)}`);
      }
    }
  }
  await client.close();
  return wrong;
}

/** A recorded value with what its names, such as `$host`, stand for. */
function filled(value, known) {
  if (typeof value === "string" && value.startsWith("$")) return known.get(value);
  if (Array.isArray(value)) return value.map((one) => filled(one, known));
  if (value && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, known)]));
  }
  return value;
}

/** Whether a value is the recorded one; a name such as `$host` stands for what it was first. */
function fits(expected, came, known) {
  if (typeof expected === "string" && expected.startsWith("$")) {
    if (!known.has(expected)) known.set(expected, came);
    return known.get(expected) === came;
  }
  if (Array.isArray(expected)) {
    return (
      Array.isArray(came) &&
      came.length === expected.length &&
      expected.every((one, at) => fits(one, came[at], known))
    );
  }
  if (expected && typeof expected === "object") {
    return (
      came !== null &&
      typeof came === "object" &&
      Object.keys(expected).every((key) => key in came && fits(expected[key], came[key], known))
    );
  }
  return expected === came;
}

const [what, name, seed] = process.argv.slice(2);
if (what === "play" && name) {
  console.log(await play(name, Number(seed ?? 1)));
} else if (what === "conform" && name) {
  const wrong = await conform(name);
  console.log(`${wrong} messages differ`);
  process.exitCode = Math.min(wrong, 1);
} else {
  console.error("usage: node rulekit_client.mjs play GAME [SEED] | conform SCRIPT");
  process.exitCode = 2;
}
