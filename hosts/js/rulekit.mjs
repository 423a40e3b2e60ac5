// A host for modules that `rulekit build` makes, in browsers and in Node; no dependencies.
// Chapter 15 of the specification of rulekit is the interface. A module knows everything that is hidden in a game.

const VERSION = 1;
const MAGIC = 0x74696b656c7572n; // the letters `rulekit` and a zero byte, as a word
const NONE = -(2 ** 31);
const DONE = NONE + 2;
const AT = {
  magic: 0, version: 8, status: 16, fault: 24, site: 32, result: 56, state: 64, size: 72,
  results: 80, room: 88, changing: 104, budget: 112, question: 120, log: 144, logRoom: 152, message: 160, values: 168,
  tape: 176, tapeRoom: 184,
};
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
// The shape of a module's names: the kind of a value, or the shapes of its parts; "*" stands before or for any number of
// equal ones. A `domain` is a text that names a domain or is empty. A member whose name ends in "?" may be missing.
const FIELD = ["text", "domain", "number", "number", "number"], NAMED = ["*", ["text", "number"]], TEXTS = ["*", "text"];
const SECTION = {
  domains: { "*": TEXTS }, stops: "flag", title: "text", options: TEXTS,
  scenarios: ["*", { name: "text", title: "text" }],
  choices: ["*", {
    name: "text", side: "domain", item: "domain", options: "domain", rules: TEXTS, secret: "flag", "fields?": ["*", FIELD],
  }],
  points: ["*", { name: "text", "low?": "number", "high?": "number", "things?": "domain", "orders?": "flag" }],
  result: "domain", faults: TEXTS, messages: ["*", ["text", ["*", "type"]]], texts: TEXTS,
  sites: { "*": ["text", TEXTS, "text", "number", "number"] },
  states: { "*": { at: "number", step: "number", cells: "number", of: "domain", open: "flag" } },
  cells: ["*", ["number", "number", "text", "number"]],
  "events?": ["*", {
    kind: "text", subject: "text", site: "number", "keys?": ["*", "domain"], fields: NAMED, "arguments?": NAMED, "open?": "flag",
  }],
  "types?": ["*", "type"],
};
const TYPES = {
  number: [], flag: [], month: [], text: [], ratio: [], nothing: [], member: ["domain"], record: [["*", FIELD]],
  optional: ["type"], part: ["type"], set: ["number", "type"], list: ["number", "type"],
  map: ["number", "number", "number", "domain", "type"],
};
const KINDS = { text: (one) => typeof one === "string", number: Number.isInteger, flag: (one) => typeof one === "boolean" };
const ASKING = 4, FAULTY = 3;
// Large buffers begin 16 bytes after a page does, where processors of AMD took ten times as long to copy a memory into them.
const OFFSET = 64;
const ITEMS = { list: "number", sets: "set", ratios: "ratio" }; // the sort of the items in each sort of list

/** The bytes are not a module that this host can play. */
export class NotAModule extends Error {}

/** The rules cannot go on: `kind` is the name of the fault, `why` one sentence, `site` its place in the rules, or null. */
export class Fault extends Error {
  constructor(kind, site, why = "") {
    super(`${kind}${site ? ` at ${site.file}:${site.line}` : ""}${why ? `: ${why}` : ""}`);
    this.kind = kind;
    this.site = site;
    this.why = why;
  }
}

/** Load a module from its bytes: a `Game`, or a `Session` if it was built with `--stops`. */
export async function load(bytes) {
  let module;
  try {
    module = await WebAssembly.compile(bytes);
  } catch (error) {
    throw new NotAModule(`not a WebAssembly 1.0 module: ${error.message}`);
  }
  const [section] = WebAssembly.Module.customSections(module, "rulekit");
  if (!section) throw new NotAModule("a WebAssembly module, but not of a rule set");
  const names = parse(section);
  if (names.rulekit !== VERSION) {
    throw new NotAModule(`the module has version ${names.rulekit} of the interface; this host needs ${VERSION}`);
  }
  const [place] = misfits(names, SECTION, names);
  if (place !== undefined) throw new NotAModule(`the module's names are damaged: \`${place}\` is missing or of a wrong kind`);
  let exports;
  try {
    ({ exports } = await WebAssembly.instantiate(module, {}));
  } catch (error) {
    throw new NotAModule(`the module cannot begin: ${error.message}`);
  }
  if (!(exports.memory instanceof WebAssembly.Memory)) throw new NotAModule("the module is damaged: it has no memory");
  for (const name of names.stops ? ["start", "answer"] : ["play", "playouts"]) {
    if (typeof exports[name] !== "function") throw new NotAModule(`the module is damaged: it has no function \`${name}\``);
  }
  const host = names.stops ? new Session(names, exports) : new Game(names, exports);
  if (host._view.getBigInt64(AT.magic, true) !== MAGIC || host._word(AT.version) !== VERSION) {
    throw new NotAModule("the module's memory does not begin as chapter 15 of the specification says");
  }
  const word = (at) => Number(host._word(at)), most = exports.memory.buffer.byteLength;
  const cells = names.cells.reduce((sum, [count, words]) => sum + 8 * count * words, 0);
  const ends = [
    word(AT.changing), word(AT.state) + Math.max(word(AT.size), cells), word(AT.results) + 8 * word(AT.room),
    word(AT.question) + 32, word(AT.log) + 8 * (1 + word(AT.logRoom)),
    word(AT.tape) + 8 * (1 + 2 * names.points.length + word(AT.tapeRoom)),
  ];
  if (!ends.every((end) => end >= 0 && end <= most)) {
    throw new NotAModule(`the module's memory is too small: ${most} bytes for ${Math.max(...ends)}`);
  }
  return host;
}

/** The JSON in the section. */
function parse(section) {
  let names = null;
  try {
    names = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(section));
  } catch { /* bytes that are not JSON are as good as none */ }
  if (!names || typeof names !== "object" || !("rulekit" in names)) {
    throw new NotAModule("the module's names are damaged");
  }
  return names;
}

/** The places within a value that do not have their shape, such as `choices.0.side`; its own is empty. */
function* misfits(value, shape, names) {
  const parts = value && typeof value === "object" ? Object.entries(value) : [];
  if (shape === "domain") {
    if (typeof value !== "string" || (value && !Object.hasOwn(names.domains, value))) yield "";
  } else if (shape === "type") {
    if (Array.isArray(value) && Object.hasOwn(TYPES, value[0])) yield* misfits(value, ["text", ...TYPES[value[0]]], names);
    else yield "";
  } else if (typeof shape === "string") {
    if (!KINDS[shape](value)) yield "";
  } else if (!value || typeof value !== "object" || Array.isArray(value) !== Array.isArray(shape)) {
    yield "";
  } else if (shape[0] === "*" || "*" in shape) {
    for (const [name, part] of parts) yield* within(name, part, shape[1] ?? shape["*"], names);
  } else if (Array.isArray(shape)) {
    if (value.length === shape.length) for (const [name, part] of parts) yield* within(name, part, shape[name], names);
    else yield "";
  } else {
    for (const [key, each] of Object.entries(shape)) {
      const name = key.replace("?", "");
      if (Object.hasOwn(value, name) || name === key) yield* within(name, value[name], each, names);
    }
  }
}

function* within(name, part, shape, names) {
  for (const place of misfits(part, shape, names)) yield place ? `${name}.${place}` : name;
}

/** The result of `read`; a name that the module does not have is damage. */
function reading(read) {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    throw new NotAModule("the module is damaged: its names do not fit its memory");
  }
}

/** The name of a member; a number as it is, whose domain is empty. */
function nameOf(names, domain, number) {
  if (!domain) return number;
  const name = names.domains[domain][number];
  if (name === undefined) throw new RangeError(`\`${domain}\` has no member ${number}`);
  return name;
}

/** The number of a seed: of a text the 64-bit FNV-1a of its bytes. */
function seedNumber(seed) {
  if (typeof seed !== "string") return BigInt.asIntN(64, BigInt(seed));
  let key = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(seed)) {
    key = BigInt.asUintN(64, (key ^ BigInt(byte)) * 0x100000001b3n);
  }
  return BigInt.asIntN(64, key);
}

class Host {
  constructor(names, exports) {
    this.names = names;
    this._exports = exports;
    this._view = new DataView(exports.memory.buffer);
  }

  /** Units of work of a game, or between two questions. */
  set budget(units) {
    this._view.setBigInt64(AT.budget, BigInt(units), true);
  }

  /** The state: a number for each cell, a BigInt for a set, a text for a ratio, an array for a list. */
  cells() {
    return reading(() => this._cells());
  }

  _cells() {
    const values = [];
    let at = this._word(AT.state);
    for (const [count, words, sort, item] of this.names.cells) {
      for (let n = 0; n < count; n++, at += 8 * words) {
        values.push(ITEMS[sort] ? this._list(at, item, ITEMS[sort]) : this._cell(at, words, sort));
      }
    }
    return values;
  }

  /** The events of the last call, as logs have them; with `open` only those that all sides may see. */
  events(open = false) {
    if (!this.names.events) throw new NotAModule("the module has no log: build it with `--log`");
    return reading(() => this._events(open));
  }

  _events(open) {
    const log = this._word(AT.log), reader = new ValueReader(this, log + 8), events = [];
    for (const end = reader.at + 8 * this._word(log); reader.at < end; ) {
      const [about, event] = reader.event();
      if (!open || about.open !== false) events.push(event);
    }
    return events;
  }

  /** A word, as a BigInt if it is beyond 2^53. */
  _word(at) {
    const high = this._view.getInt32(at + 4, true);
    if (high > 0x1fffff || high < -0x200000) return this._view.getBigInt64(at, true);
    return high * 2 ** 32 + this._view.getUint32(at, true);
  }

  _mask(at, words) {
    let mask = 0n;
    for (let n = words - 1; n >= 0; n--) mask = (mask << 64n) | this._view.getBigUint64(at + 8 * n, true);
    return mask;
  }

  /** A cell of the state, or an item of a list. */
  _cell(at, words, sort) {
    if (sort === "set") return this._mask(at, words);
    const word = this._word(at);
    return sort === "ratio" && word !== NONE ? ratio(word, this._word(at + 8)) : word;
  }

  _list(at, words, sort) {
    return Array.from({ length: this._word(at) }, (_, n) => this._cell(at + 8 + 8 * n * words, words, sort));
  }

  _call(name, ...values) {
    try {
      return this._exports[name](...values.map(BigInt));
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      if (this._word(AT.status) !== FAULTY) throw new Fault("internal", null, `the module stopped: ${error.message}`);
      throw reading(() => this._fault());
    }
  }

  _fault() {
    const site = this.names.sites[this._word(AT.site)];
    const [owner, rules, file, line, column] = site ?? [];
    const place = site ? { owner, rules, file, line, column } : null;
    return new Fault(this.names.faults[this._word(AT.fault) - 1], place, this._why(this._word(AT.message)));
  }

  /** The message of a fault, with the values that the module notes. */
  _why(number) {
    if (!number) return "";
    const [text, types] = this.names.messages[number - 1];
    const reader = new ValueReader(this, this._word(AT.values));
    const values = types.map((type) => reader.value(type));
    if (!values.length) return text;
    return text.replace(/\{(\d+)(:,|:and)?\}/g, (_, place, form) => {
      if (form === ":and") return values[place].map((one) => `\`${one}\``).join(" and ");
      return form ? values[place].toLocaleString("en-US") : inMessage(values[place]);
    });
  }

  _scenario(name) {
    if (name === undefined || name === null) return this.names.scenarios.length ? 0 : -1;
    const number = this.names.scenarios.findIndex((one) => one.name === name);
    if (number < 0) throw new Fault("unknown-scenario", null, `unknown scenario \`${name}\``);
    return number;
  }

  _result(number) {
    if (number === NONE) return null;
    return reading(() => nameOf(this.names, this.names.result, number));
  }
}

/** A value in the message of a fault. */
function inMessage(value) {
  if (Array.isArray(value)) return `{${value.map(inMessage).join(", ")}}`;
  return value === null ? "none" : String(value);
}

/** Reads values by their types, and the events of a log: chapter 15.7 of the specification. */
class ValueReader {
  constructor(host, at) {
    this.host = host;
    this.names = host.names;
    this.at = at;
  }

  /** The next event, and what the section says of its kind. */
  event() {
    const names = this.names, about = names.events[this.word()];
    const site = about.site < 0 ? this.word() : about.site;
    const event = { kind: about.kind, subject: about.subject, rules: names.sites[site][1] };
    if (about.keys) event.keys = about.keys.map((domain) => this.named(domain, this.word()));
    const fields = this.fields(about.fields);
    if (about.kind === "say" && "text" in fields) return [about, { ...event, subject: fields.text }];
    Object.assign(event, fields);
    if (about.arguments) event.arguments = this.fields(about.arguments);
    return [about, event];
  }

  word() {
    this.at += 8;
    return this.host._word(this.at - 8);
  }

  mask(words) {
    this.at += 8 * words;
    return this.host._mask(this.at - 8 * words, words);
  }

  named(domain, number) {
    return nameOf(this.names, domain, number);
  }

  fields(fields) {
    return Object.fromEntries(fields.map(([name, type]) => [name, this.value(this.names.types[type])]));
  }

  /** The next value, of a type. */
  value(type) {
    const [sort, ...about] = type, next = this.host._word(this.at);
    switch (sort) {
      case "part":
        return next === DONE ? (this.word(), "done") : this.value(about[0]);
      case "optional":
        if (next !== NONE) return this.value(about[0]);
        this.at += about[0][0] === "ratio" ? 16 : 8;
        return null;
      case "set":
        return members(this.mask(about[0])).map((one) => this.single(about[1], one));
      case "list":
        return Array.from({ length: this.word() }, () => this.value(about[1]));
      case "map": {
        const [keys, size, room, domain, of] = about, own = members(this.mask(keys)), begin = this.at;
        const values = own.map((number) => {
          this.at = begin + 8 * room * number;
          return [this.named(domain, number), this.value(of)];
        });
        this.at = begin + 8 * room * size;
        return Object.fromEntries(values);
      }
      case "ratio":
        return ratio(this.word(), this.word());
      default:
        return this.single(type, this.word());
    }
  }

  /** A value of one word. */
  single([sort, about], word) {
    switch (sort) {
      case "flag":
        return word === 1;
      case "member":
        return this.named(about, word);
      case "month":
        return `${MONTHS[word % 12]} ${Math.floor(word / 12)}`;
      case "text":
        return this.names.texts[word];
      case "nothing":
        return null;
      case "record":
        return Object.fromEntries(digits(about, word).map(([name, domain, digit]) => [name, this.named(domain, digit)]));
      default:
        return word;
    }
  }
}

/** The values in a combination: name, domain and number of each. */
function digits(fields, word) {
  if (typeof word === "number") {
    return fields.map(([name, domain, weight, count, low]) => [name, domain, (Math.floor(word / weight) % count) + low]);
  }
  const found = [];
  for (const [name, domain, , count, low] of [...fields].reverse()) { // a weight may be beyond 2^53, and so inexact
    found.push([name, domain, Number(word % BigInt(count)) + low]);
    word /= BigInt(count);
  }
  return found.reverse();
}

/** The members of a set, by number. */
function members(mask) {
  const numbers = [];
  for (let number = 0; mask; number++, mask >>= 1n) if (mask & 1n) numbers.push(number);
  return numbers;
}

/** A ratio in its lowest terms. */
function ratio(above, below) {
  let [divisor, rest] = [Math.abs(above), below];
  while (rest) [divisor, rest] = [rest, divisor % rest];
  return `${above / divisor}:${below / divisor}`;
}

/** The words of a tape: chapter 15.8 of the specification. */
function tapeOf(names, room, dice, draws, strict) {
  const values = new Map(), number = (name, domain, thing) => {
    const found = domain ? names.domains[domain].indexOf(thing) : thing;
    if (domain ? found < 0 : !Number.isSafeInteger(thing)) throw new RangeError(`\`${name}\` does not draw \`${thing}\``);
    return found;
  };
  const point = (name, key, kind) => {
    const found = names.points.find((one) => one.name === name && key in one);
    if (!found) throw new RangeError(`there is no ${kind} \`${name}\``);
    return found;
  };
  for (const [name, faces] of Object.entries(dice)) {
    const { low, high } = point(name, "low", "roll");
    for (const face of faces) {
      if (!Number.isInteger(face) || face < low || face > high) {
        throw new RangeError(`\`${name}\` has no face ${face}: its faces are ${low}..${high}`);
      }
    }
    values.set(name, faces);
  }
  for (const [name, things] of Object.entries(draws)) {
    const { things: domain, orders } = point(name, "things", "draw or shuffle");
    values.set(name, things.flatMap((entry) => {
      if (orders && !Array.isArray(entry)) {
        throw new RangeError(`expected a list of all things in their order, found \`${entry}\``);
      }
      const numbers = [entry].flat().map((thing) => number(name, domain, thing));
      return orders ? numbers.slice(0, -1) : numbers; // the last thing of an order follows from the others
    }));
  }
  const all = names.points.map(({ name }) => values.get(name) ?? []), head = [strict ? 1 : 0];
  let many = 0;
  for (const own of all) {
    head.push(many, own.length);
    many += own.length;
  }
  if (many > room) throw new RangeError(`a module takes ${room} dice and things, not ${many}`);
  return [...head, ...all.flat()];
}

/** Plays whole games by the random policy. */
export class Game extends Host {
  /** Play a game; its result. */
  play(seed = 0, scenario = null) {
    this._call("play", seedNumber(seed), this._scenario(scenario));
    return this._result(this._word(AT.result));
  }

  /** Play games from seeds that follow one another; the result of each. */
  playouts(seed = 0, games = 1, scenario = null) {
    const number = this._scenario(scenario), room = this._word(AT.room), results = [];
    while (results.length < games) {
      const wanted = Math.min(games - results.length, room);
      this._call("playouts", BigInt.asIntN(64, seedNumber(seed) + BigInt(results.length)), wanted, number);
      const at = this._word(AT.results);
      for (let n = 0; n < wanted; n++) results.push(this._result(this._word(at + 8 * n)));
    }
    return results;
  }
}

/** Plays one game at a time and asks. It belongs on a server: a page that has it can read every secret. */
export class Session extends Host {
  /**
   * Begin a game; its first question, or null. `dice` has the first faces of rolls by name, `draws` the first things
   * of draws, of shuffles a list of all things; if `strict`, it is a fault if something is needed that is not given.
   */
  start(seed = 0, scenario = null, { dice = {}, draws = {}, strict = false } = {}) {
    const tape = tapeOf(this.names, this._word(AT.tapeRoom), dice, draws, strict), at = this._word(AT.tape);
    tape.forEach((word, n) => this._view.setBigInt64(at + 8 * n, BigInt(word), true));
    this._call("start", seedNumber(seed), this._scenario(scenario));
    return this.question;
  }

  /** Take an option by its place, from 0; the next question, or null at the end. */
  answer(option) {
    if (!Number.isSafeInteger(option) || this._call("answer", option) !== 1n) {
      throw new RangeError(`no open question has an option ${option}`);
    }
    return this.question;
  }

  /** The open question: choice, side, item and options by name; null if there is none. */
  get question() {
    return this._word(AT.status) === ASKING ? reading(() => this._question()) : null;
  }

  _question() {
    const at = this._word(AT.question), choice = this.names.choices[this._word(at)];
    const options = new Array(this._word(at + 24));
    for (let n = 0; n < options.length; n++) options[n] = this._option(choice, this._word(at + 32 + 8 * n));
    const side = this._name(choice.side, this._word(at + 8)), item = this._name(choice.item, this._word(at + 16));
    return { choice: choice.name, side, item, options };
  }

  /** How many of the given dice and things each point has not used. */
  get unused() {
    const tape = this._word(AT.tape), state = this._word(AT.state);
    const left = this.names.points.map(({ name }, n) => [name, this._word(tape + 16 + 16 * n) - this._word(state + 8 + 8 * n)]);
    return Object.fromEntries(left.filter(([, number]) => number > 0));
  }

  /** The result of a game that is over; null if it has none. */
  get result() {
    return this._result(this._word(AT.result));
  }

  /** A copy of the game as it is; an older copy that is not needed any more may give its room. */
  copy(room = new Uint8Array(new ArrayBuffer(this._word(AT.changing) + OFFSET), OFFSET)) {
    room.set(new Uint8Array(this._exports.memory.buffer, 0, this._word(AT.changing)));
    return room;
  }

  /** Go back to a copy of this module's memory; its open question. */
  restore(copy) {
    const size = this._word(AT.changing);
    if (copy.length !== size || new DataView(copy.buffer, copy.byteOffset).getBigInt64(0, true) !== MAGIC) {
      throw new RangeError(`a copy of this module's memory has ${size} bytes and begins with \`rulekit\``);
    }
    new Uint8Array(this._exports.memory.buffer).set(copy);
    if (this.names.events) this._view.setBigInt64(this._word(AT.log), 0n, true);
    return this.question;
  }

  _name(domain, value) {
    if (value === NONE) return null;
    if (value === DONE) return "done";
    return nameOf(this.names, domain, value);
  }

  _option(choice, value) {
    if (!choice.fields || value === NONE) return this._name(choice.options, value);
    return digits(choice.fields, value).map(([, domain, digit]) => this._name(domain, digit));
  }
}
