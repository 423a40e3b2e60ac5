// A person plays a rule set in a browser against random or first-legal agents. `module.js` has the module, `rulekit.js`
// the host; nothing is fetched, so that the folder plays from a disk.
"use strict";

const MOST_COPIES = 60, AT_ONCE = 400;
const element = (id) => document.getElementById(id);
const plain = (name) => String(name).replaceAll("_", " ");

let session, seats, copies, lines, random, running = 0;

/** A small generator of random numbers below 1, the same for the same seed. */
function generator(seed) {
  let state = [...String(seed)].reduce((sum, one) => (Math.imul(sum, 31) + one.codePointAt(0)) | 0, 7);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The sides that decide anything. */
function sides() {
  const domains = new Set(session.names.choices.map((one) => one.side).filter(Boolean));
  return [...domains].flatMap((domain) => session.names.domains[domain]);
}

function showOption(option) {
  if (Array.isArray(option)) return option.map(plain).join(" · ");
  return option === null ? "none" : plain(option);
}

const about = (choice) => session.names.choices.find((one) => one.name === choice);
const cited = (rules) => (rules.length ? `[${rules.join(", ")}] ` : "");

function showQuestion(question) {
  const item = question.item === null ? "" : ` — ${plain(question.item)}`;
  return `${cited(about(question.choice).rules)}${plain(question.side)}: ${plain(question.choice)}${item}`;
}

// ------------------------------------------------------------ the log

/** The value of a cell in words; of flags and sets the members. */
function shown(state, value) {
  const name = (number) => (state.of ? plain(session.names.domains[state.of][number]) : number);
  if (typeof value === "bigint") return `{${members(value).map(name).join(", ")}}`;
  if (Array.isArray(value)) return value.map((one) => shown(state, one)).join(", ");
  return value === -(2 ** 31) ? "none" : state.type === "flag" ? (value ? "yes" : "no") : name(value);
}

function members(mask) {
  const found = [];
  for (let number = 0; mask; number++, mask >>= 1n) if (mask & 1n) found.push(number);
  return found;
}

/** The names of the keys of a cell, which is counted from 0; the last key counts fastest. */
function keysOf(keys, cell) {
  const names = [];
  for (const key of [...keys].reverse()) {
    const [low, size] = typeof key === "string" ? [0, session.names.domains[key].length] : [key[0], key[1] - key[0] + 1];
    const number = (cell % size) + low;
    names.unshift(typeof key === "string" ? plain(session.names.domains[key][number]) : number);
    cell = Math.floor(cell / size);
  }
  return names;
}

/** The open cells that have changed, in words. */
function changes(before, after) {
  const found = [];
  for (const [name, state] of Object.entries(session.names.states)) {
    if (!state.open) continue;
    const bits = state.type === "flag" && state.keys.length > 0;
    const keys = bits ? state.keys.slice(0, -1) : state.keys;
    for (let cell = 0; cell < state.cells; cell++) {
      const old = before[state.first + cell], now = after[state.first + cell];
      if (String(old) === String(now)) continue;
      const label = (more) => {
        const all = [...keysOf(keys, cell), ...more];
        return plain(name) + (all.length ? `(${all.join(", ")})` : "");
      };
      if (!bits) {
        found.push(`${label([])}: ${shown(state, old)} → ${shown(state, now)}`);
        continue;
      }
      const last = state.keys.at(-1), flag = (number) => keysOf([last], number);
      for (const number of members(now & ~old)) found.push(`${label(flag(number))}: yes`);
      for (const number of members(old & ~now)) found.push(`${label(flag(number))}: no`);
    }
  }
  return found;
}

function tell(text, className = "answer") {
  lines.push([text, className]);
}

function showLog() {
  element("log").replaceChildren(...lines.slice(-2000).map(([text, className]) => {
    const item = document.createElement("li");
    item.className = className;
    item.textContent = text;
    return item;
  }));
  element("log").scrollTop = element("log").scrollHeight;
}

// ------------------------------------------------------------ play

function showDecision(question) {
  element("undo").disabled = copies.length === 0;
  element("options").replaceChildren(...(question?.options ?? []).map((option, place) => {
    const item = document.createElement("li"), button = document.createElement("button");
    button.type = "button";
    button.textContent = showOption(option);
    button.addEventListener("click", () => answer(place));
    item.append(button);
    return item;
  }));
  if (question) element("question").textContent = showQuestion(question);
  showLog();
}

/** Take an option, and put the answer and all that it changes into the log; false after a fault. */
function take(question, place, secret) {
  const before = session.cells();
  const chosen = secret ? "a secret" : showOption(question.options[place]);
  tell(`${showQuestion(question)}: ${chosen}`);
  try {
    session.answer(place);
  } catch (error) {
    fail(error);
    return false;
  }
  for (const change of changes(before, session.cells())) tell(change, "change");
  return true;
}

function fail(error) {
  const site = error.site;
  const where = site ? ` ${cited(site.rules)}${site.file}:${site.line}` : "";
  element("question").textContent = `The rules cannot go on: ${error.kind ?? error.message}.${where}`;
  element("options").replaceChildren();
  element("undo").disabled = copies.length === 0;
  showLog();
}

function answer(place) {
  const question = session.question;
  copies.push([session.copy(), lines.length]);
  if (copies.length > MOST_COPIES) copies.shift();
  if (take(question, place, false)) goOn(++running);
}

/** Let agents answer until a person is asked, some answers at a time so that the page stays awake. */
function goOn(turn) {
  for (let count = 0; count < AT_ONCE; count++) {
    const question = session.question;
    if (!question) {
      const result = session.result;
      showDecision(null);
      element("question").textContent = result === null ? "The game is over." : `The game is over: ${plain(result)}.`;
      return;
    }
    const seat = seats.get(question.side) ?? "person";
    if (seat === "person") return showDecision(question);
    const place = seat === "first" ? 0 : Math.floor(random() * question.options.length);
    if (!take(question, place, about(question.choice).secret)) return;
  }
  element("question").textContent = "The agents play …";
  setTimeout(() => turn === running && goOn(turn), 0);
}

function undo() {
  const [copy, count] = copies.pop();
  running++;
  session.restore(copy);
  lines.length = count;
  showDecision(session.question);
}

function begin(event) {
  event.preventDefault();
  const seed = element("seed").value || "0";
  seats = new Map(sides().map((side) => [side, element(`seat-${side}`).value]));
  [copies, lines, random] = [[], [], generator(seed)];
  const scenario = session.names.scenarios.length ? element("scenario").value : null;
  try {
    session.start(/^-?\d{1,18}$/.test(seed) ? BigInt(seed) : seed, scenario);
  } catch (error) {
    return fail(error);
  }
  goOn(++running);
}

// ------------------------------------------------------------ the page

function choiceOf(name, options) {
  const list = document.createElement("select");
  list.id = name;
  for (const [value, text] of options) list.add(new Option(text, value));
  return list;
}

async function open() {
  session = await load(Uint8Array.from(atob(RULEKIT_MODULE), (one) => one.charCodeAt(0)));
  const names = session.names, options = names.options.length ? `, with ${names.options.join(", ")}` : "";
  document.title = names.title;
  element("title").textContent = names.title;
  element("about").textContent = `Edition: ${names.edition}${options}`;
  let first = 0;
  const runs = names.cells.flatMap(([count, words]) => Array(count).fill(8 * words));
  const places = new Map(runs.map((size, cell) => [(first += size) - size, cell]));
  for (const state of Object.values(names.states)) state.first = places.get(state.at);
  element("scenario-label").hidden = names.scenarios.length === 0;
  for (const one of names.scenarios) element("scenario").add(new Option(one.title || plain(one.name), one.name));
  sides().forEach((side, place) => {
    const label = document.createElement("label");
    label.append(plain(side), choiceOf(`seat-${side}`, [["person", "person"], ["random", "random"], ["first", "first legal"]]));
    label.lastChild.value = place ? "random" : "person";
    element("sides").append(label);
  });
  element("seed").value = String(Math.floor(Math.random() * 1e6));
  element("setup").addEventListener("submit", begin);
  element("undo").addEventListener("click", undo);
}

open().catch((error) => { element("question").textContent = error.message; });
