// A person plays a rule set in a browser against random or first-legal agents. `module.js` has the module, `rulekit.js`
// the host; nothing is fetched, so that the folder plays from a disk.
"use strict";

const MOST_COPIES = 60, MOST_LINES = 2000, MOST_NAMED = 12, AT_ONCE = 400;
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

/** A value of an event in words. */
function inWords(value) {
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(inWords).join(", ");
  if (typeof value !== "object") return plain(value);
  return Object.entries(value).map(([name, one]) => `${plain(name)} ${inWords(one)}`).join(", ");
}

/** Many values in words: the first of them, and how many more there are. */
function some(values) {
  const more = values.length - MOST_NAMED;
  return more > 1 ? `${inWords(values.slice(0, MOST_NAMED))} and ${more} more` : inWords(values);
}

/** An event in words; empty for what the log shows in another way, and for what changes nothing. */
function eventInWords(event) {
  const keys = event.keys?.length ? `(${event.keys.map(inWords).join(", ")})` : "";
  const given = Object.values(event.arguments ?? {}), about = given.length ? `(${inWords(given)})` : "";
  const subject = plain(event.subject.replace(/^\w+\./, "")) + keys + about;
  const many = (values, words) => (values.length ? `${subject}: ${words} ${some(values)}` : "");
  const now = "value" in event ? ` → ${inWords(event.value)}` : "";
  switch (event.kind) {
    case "set": case "land": case "reveal": return `${subject}: ${inWords(event.value)}`;
    case "add": return `${subject}: + ${event.amount}${now}`;
    case "subtract": return `${subject}: − ${event.amount}${now}`;
    case "mark": return `${subject}: yes`;
    case "unmark": return `${subject}: no`;
    case "mark_all": return many(event.members, "yes for");
    case "unmark_all": return many(event.members, "no for");
    case "include": return many(event.value, "with");
    case "exclude": return many(event.value, "without");
    case "append": return `${subject}: with ${inWords(event.value)} at the end`;
    case "drop": return `${subject}: without ${inWords(event.value)}`;
    case "move": {
      const where = event.space === null ? "off the board" : inWords(event.space);
      return event.pieces.length ? `${inWords(event.pieces)} → ${where}` : "";
    }
    case "put_top": return many(event.values, "on top");
    case "put_under": return many(event.values, "at the bottom");
    case "take": case "draw": return `${subject}: drawn ${inWords(event.drawn) || "nothing"}`;
    case "shuffle": return `${subject}: shuffled`;
    case "form": return `${subject}: ${inWords(event.group)} begins`;
    case "dissolve": return `${subject}: ${inWords(event.group)} ends`;
    case "roll": return `${subject}: rolled ${event.raw}${event.result === event.raw ? "" : ` → ${event.result}`}`;
    case "phase": case "segment": case "step": return `— ${subject} —`;
    case "say": return event.subject;
    default: return "";
  }
}

/** Put the events of the last answer, as far as all may see them, into the log. */
function tellEvents() {
  for (const event of session.events(true)) {
    const text = eventInWords(event);
    if (text) tell(cited(event.rules) + text, "change");
  }
}

function tell(text, className = "answer") {
  const item = document.createElement("li");
  item.className = className;
  item.textContent = text;
  lines.push(item);
}

/** Bring the log up to date; what it shows already stays, because a long log takes a while to lay out. */
function showLog() {
  const log = element("log"), shown = lines.slice(-MOST_LINES);
  while (log.firstChild && log.firstChild !== shown[0]) log.firstChild.remove();
  while (log.lastChild && log.lastChild !== shown[log.childElementCount - 1]) log.lastChild.remove();
  log.append(...shown.slice(log.childElementCount));
  log.scrollTop = log.scrollHeight;
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
  const chosen = secret ? "a secret" : showOption(question.options[place]);
  tell(`${showQuestion(question)}: ${chosen}`);
  try {
    session.answer(place);
  } catch (error) {
    tellEvents();
    fail(error);
    return false;
  }
  tellEvents();
  return true;
}

function fail(error) {
  const site = error.site;
  const where = site ? ` ${cited(site.rules)}${site.file}:${site.line}` : "";
  element("question").textContent = `The rules cannot go on: ${error.why || error.kind || error.message}.${where}`;
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
    tellEvents();
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
