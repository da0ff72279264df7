/** Which command a simple command comes down to, behind those that only run another one. */

import { type Field, MANY, plainText } from "./fields";

/** What is run in the end. */
export type Meaning =
  /** `isApart`: it is run as a program, which takes no JSON from its standard input. */
  | { readonly kind: "tool"; readonly args: readonly Field[]; readonly isFunction: boolean; readonly isApart: boolean }
  /** Text that is a script: run by the same shell, by one of its own, or as JavaScript. */
  | { readonly kind: "script"; readonly runner: "eval" | "trap" | "shell" | "js"; readonly at: number; readonly field: Field }
  /** A script on standard input. */
  | { readonly kind: "input"; readonly runner: "shell" | "js" }
  | { readonly kind: "file" }
  /** The command is known only when it is run. */
  | { readonly kind: "unknown" }
  | { readonly kind: "other" };

/** What a name may mean, where it stands. */
type Among = "all" | "no functions" | "programs";

const OTHER: Meaning = { kind: "other" };
const UNKNOWN: Meaning = { kind: "unknown" };
const FILE: Meaning = { kind: "file" };

/** How words are read in front of the command that a command runs. */
interface Wrapper {
  /** Short options, and long ones, with a value of their own. */
  readonly valued?: readonly string[];
  /** Options with which nothing is run. */
  readonly idle?: RegExp;
  /** Operands of its own. */
  readonly operands?: number;
  readonly assigns?: boolean;
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = Object.assign(Object.create(null) as Record<string, Wrapper>, {
  builtin: {},
  command: { idle: /^-\w*[vV]/ },
  env: { valued: ["u", "C", "unset", "chdir"], idle: /^(?:-\w*S|--split-string)/, assigns: true },
  exec: { valued: ["a"] },
  flock: { valued: ["w", "E", "wait", "timeout", "conflict-exit-code"], operands: 1 },
  nice: { valued: ["n", "adjustment"] },
  nohup: {},
  stdbuf: { valued: ["i", "o", "e", "input", "output", "error"] },
  timeout: { valued: ["k", "s", "kill-after", "signal"], operands: 1 },
  xargs: { valued: ["a", "d", "E", "I", "L", "n", "P", "s", "arg-file", "delimiter", "max-lines", "max-args", "max-procs", "max-chars", "process-slot-var"] },
});

/** Those that look for programs, not for functions and builtins. */
const LAUNCHING: ReadonlySet<string> = new Set(["env", "flock", "nice", "nohup", "stdbuf", "timeout", "xargs"]);
const BINARY = /^(?:\/usr(?:\/local)?)?\/bin\/([^/]+)$/;
const EXECUTING: ReadonlySet<string> = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
const AWKS: ReadonlySet<string> = new Set(["awk", "gawk"]);
/** What makes a program of awk run another one. */
const RUNS = /\bsystem\s*\(|\|&?\s*(?:getline|")|"\s*\||\bprintf?\b[^;}\n]*[^|]\|(?!\|)/;

export class Commands {
  constructor(private readonly isFunction: (name: string) => boolean) {}

  /** What the words, all of them, come down to. */
  meanings(fields: readonly Field[]): readonly Meaning[] {
    return this.read(fields, 0, "all");
  }

  private read(fields: readonly Field[], at: number, among: Among): readonly Meaning[] {
    const first = fields[at];
    if (!first) return [OTHER];
    const written = plainText(first);
    if (written === undefined) return [/^(?:\.{0,2}\/)/.test((first as { prefix: string }).prefix) ? FILE : UNKNOWN];
    const args = fields.slice(at + 1);
    if (among === "all" && this.isFunction(written)) return [written === "tool" ? { kind: "tool", args, isFunction: true, isApart: false } : OTHER];
    const name = BINARY.exec(written)?.[1] ?? written;
    if (name.includes("/")) return [FILE];
    if (name === "tool") return [{ kind: "tool", args, isFunction: false, isApart: among === "programs" }];
    const wrapper = WRAPPERS[name];
    if (wrapper) return this.wrapped(name, wrapper, fields, at + 1);
    return this.special(name, fields, at + 1);
  }

  private special(name: string, fields: readonly Field[], at: number): readonly Meaning[] {
    switch (name) {
      case "eval":
        return [joined("eval", fields, at)];
      case "trap":
        return [trapped(fields, at)];
      case "bash":
      case "sh":
        return [shell(fields, at)];
      case "js":
        return [javascript(fields, at)];
      case "source":
      case ".":
        return [fields.length > at ? FILE : OTHER];
      case "find":
        return this.executed(fields, at);
      case "mapfile":
      case "readarray":
        return [fields.slice(at).some((each) => /^-\w*C/.test(plainText(each) ?? "")) ? UNKNOWN : OTHER];
    }
    return [AWKS.has(name) && fields.slice(at).some((each) => RUNS.test(plainText(each) ?? "")) ? UNKNOWN : OTHER];
  }

  private wrapped(name: string, wrapper: Wrapper, fields: readonly Field[], start: number): readonly Meaning[] {
    const { at, isIdle, replaced } = skipOptions(wrapper, fields, start);
    if (isIdle === "never") return [OTHER];
    if (isIdle === "unknown") return lost(fields, start);
    if (name === "flock" && /^(?:-c|--command)$/.test(plainText(fields[at]) ?? "")) return [fields[at + 1] ? { kind: "script", runner: "shell", at: at + 1, field: fields[at + 1]! } : OTHER];
    if (name !== "xargs") return this.read(fields, at, LAUNCHING.has(name) ? "programs" : "no functions");
    const words = fields.slice(at);
    const supplied = replaced === undefined ? [...words, MANY] : words.map((each) => filled(each, replaced));
    return words.length === 0 ? [OTHER] : this.read([...fields.slice(0, at), ...supplied], at, "programs");
  }

  /** `find … -exec COMMAND ;`, as often as it is there. */
  private executed(fields: readonly Field[], start: number): readonly Meaning[] {
    const found: Meaning[] = [];
    fields.forEach((field, at) => {
      if (at < start || !EXECUTING.has(plainText(field) ?? "")) return;
      const end = fields.findIndex((each, index) => index > at && /^[;+]$/.test(plainText(each) ?? ""));
      const words = fields.slice(at + 1, end < 0 ? undefined : end);
      const isMany = plainText(fields[end]) === "+";
      found.push(...this.read(words.map((each) => (isMany && plainText(each) === "{}" ? MANY : filled(each, "{}"))), 0, "programs"));
    });
    return found.length > 0 ? found : [OTHER];
  }
}

/** A word in which a run puts something for `mark`. */
function filled(field: Field, mark: string): Field {
  if (field.kind === "many") return { kind: "many", prefix: before(field.prefix, mark) };
  const [first, last] = field.kind === "text" ? [field.text, field.text] : [field.prefix, field.suffix];
  if (field.kind === "text" && !first.includes(mark)) return field;
  return { kind: "one", prefix: before(first, mark), suffix: behind(last, mark) };
}

/** What of a text, that may go on, stays in front of the first mark. */
function before(text: string, mark: string): string {
  const at = text.indexOf(mark);
  if (at >= 0) return text.slice(0, at);
  const shared = lengths(mark).find((length) => text.endsWith(mark.slice(0, length))) ?? 0;
  return text.slice(0, text.length - shared);
}

function behind(text: string, mark: string): string {
  const at = text.lastIndexOf(mark);
  if (at >= 0) return text.slice(at + mark.length);
  return text.slice(lengths(mark).find((length) => text.startsWith(mark.slice(-length))) ?? 0);
}

/** Of the parts of a mark, the longest first. */
function lengths(mark: string): readonly number[] {
  return Array.from({ length: mark.length - 1 }, (_, at) => mark.length - 1 - at);
}

interface Skipped {
  /** Where the command begins. */
  readonly at: number;
  readonly isIdle?: "never" | "unknown";
  /** What xargs replaces by its input. */
  readonly replaced?: string;
}

function skipOptions({ valued = [], idle, operands = 0, assigns = false }: Wrapper, fields: readonly Field[], start: number): Skipped {
  let at = start;
  let replaced: string | undefined;
  for (; at < fields.length; at++) {
    const word = plainText(fields[at]);
    if (word === undefined) return { at, isIdle: "unknown" };
    if (word === "--") {
      at += 1;
      break;
    }
    if (assigns && /^[^=-][^=]*=/.test(word)) continue;
    if (!/^-./.test(word)) break;
    if (idle?.test(word) || word === "--help") return { at, isIdle: "never" };
    const taken = valueOption(word, valued);
    if (/^-(?:I|i|-replace)/.test(word) && valued.includes("I")) {
      const attached = word.replace(/^(?:-I|-i|--replace=?)/, "");
      replaced = attached !== "" ? attached : word === "-I" ? plainText(fields[at + 1]) : "{}";
      if (replaced === undefined) return { at, isIdle: "unknown" };
    }
    if (taken && fields[at + 1]?.kind === "many") return { at, isIdle: "unknown" };
    if (taken) at += 1;
  }
  for (let left = operands; left > 0; left--, at++) if (fields[at]?.kind === "many") return { at, isIdle: "unknown" };
  while (assigns && /^[^=-][^=]*=/.test(plainText(fields[at]) ?? "")) at += 1;
  return replaced === undefined ? { at } : { at, replaced };
}

/** Whether the next word is an option's value. */
function valueOption(word: string, valued: readonly string[]): boolean {
  if (word.startsWith("--")) return !word.includes("=") && valued.includes(word.slice(2));
  const at = [...word.slice(1)].findIndex((letter) => valued.includes(letter));
  return at >= 0 && at === word.length - 2;
}

/** Which of the words is the command cannot be said; one may be `tool`. */
function lost(fields: readonly Field[], start: number): readonly Meaning[] {
  const at = fields.findIndex((each, index) => index >= start && plainText(each) === "tool");
  if (at < 0) return [UNKNOWN];
  return [{ kind: "tool", args: [...fields.slice(at + 1), MANY], isFunction: false, isApart: false }];
}

/** Arguments that are a script together. */
function joined(runner: "eval", fields: readonly Field[], start: number): Meaning {
  const words = fields.slice(plainText(fields[start]) === "--" ? start + 1 : start);
  if (words.length === 0) return OTHER;
  const texts = words.map(plainText);
  if (texts.some((each) => each === undefined)) return { kind: "script", runner, at: start, field: MANY };
  return { kind: "script", runner, at: words.length === 1 ? fields.length - 1 : -1, field: { kind: "text", text: texts.join(" ") } };
}

function trapped(fields: readonly Field[], start: number): Meaning {
  const at = plainText(fields[start]) === "--" ? start + 1 : start;
  const action = plainText(fields[at]);
  if (fields.length <= at + 1 || action === "-" || action === "" || (action?.startsWith("-") ?? false)) return OTHER;
  return { kind: "script", runner: "trap", at, field: fields[at]! };
}

function shell(fields: readonly Field[], start: number): Meaning {
  let isText = false;
  let isInput = false;
  for (let at = start; at < fields.length; at++) {
    const word = plainText(fields[at]);
    if (word !== undefined && /^(?:--(?:help|version))$/.test(word)) return OTHER;
    if (word !== undefined && /^[-+][A-Za-z]+$/.test(word)) {
      isText ||= word.startsWith("-") && word.includes("c");
      isInput ||= word.includes("s");
      if (/[oO]$/.test(word)) at += 1;
      continue;
    }
    if (word !== undefined && /^--\w/.test(word)) continue;
    const place = word === "--" || word === "-" ? at + 1 : at;
    if (isText && fields[place]) return { kind: "script", runner: "shell", at: place, field: fields[place] };
    return isInput || !fields[place] ? { kind: "input", runner: "shell" } : FILE;
  }
  return isText ? OTHER : { kind: "input", runner: "shell" };
}

const CODE: ReadonlySet<string> = new Set(["-e", "--eval", "-p", "--print"]);

function javascript(fields: readonly Field[], start: number): Meaning {
  const first = fields[start];
  const word = plainText(first);
  if (!first || word === "-") return { kind: "input", runner: "js" };
  if (word === undefined) return UNKNOWN;
  if (word === "--help") return OTHER;
  const code = fields[start + 1];
  if (CODE.has(word)) return code ? { kind: "script", runner: "js", at: start + 1, field: code } : OTHER;
  return FILE;
}
