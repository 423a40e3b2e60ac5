/** A member's name, or a number; null is *none*. */
export type Value = string | number | null;
/** An option: a value, `done`, or of a combination a value for each name. */
export type Option = Value | Value[];

export interface Question {
  choice: string;
  side: Value;
  item: Value;
  options: Option[];
}

export interface Site {
  owner: string;
  rules: string[];
  file: string;
  line: number;
  column: number;
}

/** What a module says of itself: chapter 15 of the specification. */
export interface Names {
  rulekit: number;
  stops: boolean;
  name: string;
  title: string;
  edition: string;
  source: string;
  options: string[];
  scenarios: { name: string; title: string }[];
  choices: {
    name: string;
    side: string;
    item: string;
    options: string;
    rules: string[];
    secret: boolean;
    fields?: [string, string, number, number, number][];
  }[];
  /** For rolls their faces, for draws and shuffles the domain of their things, empty for numbers. */
  points: { name: string; low?: number; high?: number; things?: string; orders?: boolean }[];
  domains: Record<string, string[]>;
  result: string;
  faults: string[];
  messages: [string, unknown[]][];
  /** Texts by number, in messages and in a log. */
  texts: string[];
  sites: Record<string, [string, string[], string, number, number]>;
  states: Record<
    string,
    {
      keys: (string | [number, number])[];
      type: string;
      at: number;
      step: number;
      cells: number;
      of: string;
      open: boolean;
    }
  >;
  cells: [number, number, "number" | "ratio" | "set" | "list" | "sets" | "ratios", number][];
  /** Of a module with a log. */
  events?: {
    kind: string;
    subject: string;
    site: number;
    keys?: string[];
    fields: [string, number][];
    arguments?: [string, number][];
    open?: false;
  }[];
  types?: unknown[];
}

/** Something that happened, as logs have it; which fields it has follows from its kind. */
export interface GameEvent {
  kind: string;
  subject: string;
  rules: string[];
  keys?: (string | number)[];
  arguments?: Record<string, unknown>;
  [field: string]: unknown;
}

/** What chance gives, by the names of rolls, draws and shuffles; see `Session.start`. */
export interface Given {
  dice?: Record<string, number[]>;
  draws?: Record<string, (string | number | (string | number)[])[]>;
  strict?: boolean;
}

export class NotAModule extends Error {}

export class Fault extends Error {
  readonly kind: string;
  readonly site: Site | null;
  /** One sentence; empty if the module has none. */
  readonly why: string;
}

declare class Host {
  readonly names: Names;
  set budget(units: number | bigint);
  cells(): (number | string | bigint | (number | string | bigint)[])[];
  /** Of the last call; only of modules that were built with `--log`. */
  events(open?: boolean): GameEvent[];
}

export class Game extends Host {
  play(seed?: number | bigint | string, scenario?: string | null): string | number | null;
  playouts(seed?: number | bigint | string, games?: number, scenario?: string | null): (string | number | null)[];
}

/** It belongs on a server: a page that has it can read every secret. */
export class Session extends Host {
  start(seed?: number | bigint | string, scenario?: string | null, given?: Given): Question | null;
  answer(option: number): Question | null;
  get question(): Question | null;
  get unused(): Record<string, number>;
  get result(): string | number | null;
  /** A view of a larger buffer. */
  copy(room?: Uint8Array): Uint8Array;
  restore(copy: Uint8Array): Question | null;
}

export function load(bytes: BufferSource): Promise<Game | Session>;
