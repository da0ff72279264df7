/** The tests of find: what they take, and whether a file passes. */

import { native } from "../bridge/native";
import { describeErrno } from "../shell/io/errors";
import { localType } from "../shell/format/zone";
import { compilePattern } from "../shell/expand/pattern";
import { allowed, R_OK, W_OK, X_OK } from "../vfs/access";
import { Errno } from "../vfs/errors";
import { Device, Directory, type Inode, RegularFile, S_IFIFO, S_IFMT, Symlink } from "../vfs/inode";
import { find } from "../vfs/walk";
import { Failure } from "./command";
import { parsePhrase } from "./date_phrase";
import type { Check, FindState, Found } from "./find_state";
import { parseMode } from "./modes";
import { compareMoments, type Moment, msOfMoment, timeOf } from "./moments";
import { ownerId } from "./owners";
import { localeFlag } from "./locale";
import { RegexFlag } from "./regex_flags";
import { quoted } from "./sizes";
import { nodeAt } from "./targets";

/** Makes a test of the argument; `name` is the predicate's. */
export type MakeTest = (state: FindState, argument: string, name: string) => Check;

const FOLDED: ReadonlySet<string> = new Set(["nocasematch"]);
const EXACT: ReadonlySet<string> = new Set();

const namePattern =
  (options: ReadonlySet<string>): MakeTest =>
  ({ units }, argument) => {
    const pattern = compilePattern(units(argument), options, false);
    return ({ name }) => pattern.test(units(name));
  };

const pathPattern =
  (options: ReadonlySet<string>): MakeTest =>
  ({ units }, argument) => {
    const pattern = compilePattern(units(argument), options, false);
    return ({ path }) => pattern.test(units(path));
  };

const linkPattern =
  (options: ReadonlySet<string>): MakeTest =>
  ({ units }, argument) => {
    const pattern = compilePattern(units(argument), options, false);
    return ({ node }) => node instanceof Symlink && pattern.test(units(node.target));
  };

/** In Emacs's syntax + and ? are operators, and groups and alternatives have backslashes; intervals there are none. */
function fromEmacs(pattern: string): string {
  return pattern.replace(/\\([^])|\[\^?\]?(?:\[:\w+:\]|[^\]])*\]|[(){}|]/g, (whole, escaped?: string) => {
    if (escaped !== undefined) return "()|".includes(escaped) ? escaped : whole;
    return whole.startsWith("[") ? whole : `\\${whole}`;
  });
}

const EXTENDED_TYPES = ["posix-extended", "egrep", "posix-egrep", "awk", "posix-awk", "gnu-awk"];
const BASIC_TYPES = ["posix-basic", "posix-minimal-basic", "ed", "sed", "grep"];
const EMACS_TYPES = ["emacs", "findutils-default"];

export function isRegexType(name: string): boolean {
  return [...EXTENDED_TYPES, ...BASIC_TYPES, ...EMACS_TYPES].includes(name);
}

const regex =
  (flags: number): MakeTest =>
  (state, argument) => {
    const emacs = EMACS_TYPES.includes(state.regexType);
    const extended = emacs || EXTENDED_TYPES.includes(state.regexType);
    const source = native.text.encode(emacs ? fromEmacs(argument) : argument);
    let handle: ReturnType<typeof native.regex.create>;
    try {
      handle = native.regex.create(source, flags | (extended ? RegexFlag.extended : 0) | localeFlag(state.process));
    } catch (error) {
      throw new Failure(`failed to compile regular expression '${argument}': ${(error as Error).message}`);
    }
    return ({ path }) => {
      const bytes = native.text.encode(path);
      const spans = native.regex.search(handle, bytes, 0, 1);
      return spans !== undefined && spans[0] === 0 && spans[1] === bytes.length;
    };
  };

export function typeOf(node: Inode): string {
  if (node instanceof RegularFile) return "f";
  if (node instanceof Directory) return "d";
  if (node instanceof Symlink) return "l";
  return node instanceof Device ? "c" : (node.mode & S_IFMT) === S_IFIFO ? "p" : "f";
}

function typeList(argument: string, name: string): Set<string> {
  if (argument === "") throw new Failure(`Arguments to ${name} should contain at least one letter`);
  const letters = argument.split(",");
  for (const letter of letters) {
    if (letter.length > 1) throw new Failure(`Must separate multiple arguments to ${name} using: ','`);
    if (letter === "") throw new Failure(`Last file type in list argument to ${name} is missing, i.e., list is ending on: ','`);
    if (!"bcdpflsD".includes(letter)) throw new Failure(`Unknown argument to ${name}: ${letter}`);
  }
  return new Set(letters);
}

/** What a link stands for; the link itself where that is not there, or where links are followed anyway. */
function otherSide(state: FindState, { node, path, depth }: Found): Inode {
  const followed = state.follow === "always" || (state.follow === "operands" && depth === 0);
  try {
    return find(state.process.context, path, !followed);
  } catch (error) {
    if (error instanceof Errno) return node;
    throw error;
  }
}

interface Count {
  readonly sign: "+" | "-" | "";
  readonly value: number;
}

function parseCount(text: string, name: string, pattern = /^([-+]?)(\d+)$/): Count {
  const [, sign, digits] = pattern.exec(text) ?? [];
  if (digits === undefined) throw new Failure(`invalid argument \`${text}' to \`${name}'`);
  return { sign: sign as Count["sign"], value: Number(digits) };
}

function compared(value: number, count: Count): boolean {
  return count.sign === "+" ? value > count.value : count.sign === "-" ? value < count.value : value === count.value;
}

const counted =
  (measure: (found: Found) => number): MakeTest =>
  (_state, argument, name) => {
    const count = parseCount(argument, name);
    return (found) => compared(measure(found), count);
  };

const UNITS: Readonly<Record<string, number>> = { c: 1, w: 2, b: 512, "": 512, k: 1024, M: 1024 ** 2, G: 1024 ** 3 };

const size: MakeTest = (_state, argument) => {
  const [, number, unit] = /^([-+]?\d+)([cwbkMG]?)$/.exec(argument) ?? [];
  if (number === undefined) throw new Failure(`invalid -size type \`${argument.at(-1) ?? ""}'`);
  const count = parseCount(number, "-size");
  const bytes = UNITS[unit!]!;
  return ({ node }) => compared(Math.ceil(node.size / bytes), count);
};

type Which = "atime" | "mtime" | "ctime";
const FLOATING = /^([-+]?)(\d+(?:\.\d*)?|\.\d+)$/;

/** Ages in whole days; those in minutes are rounded up. */
const days =
  (which: Which): MakeTest =>
  (state, argument, name) => {
    const count = parseCount(argument, name, FLOATING);
    const { origin } = state;
    return ({ node }) => {
      const age = (msOfMoment(origin) - msOfMoment(timeOf(node, which))) / 86_400_000;
      if (count.sign === "+") return age >= count.value + 1;
      return count.sign === "-" ? age < count.value : age >= count.value && age < count.value + 1;
    };
  };

const minutes =
  (which: Which): MakeTest =>
  (state, argument, name) => {
    const count = parseCount(argument, name, FLOATING);
    const { origin } = state;
    return ({ node }) => {
      const age = (msOfMoment(origin) - msOfMoment(timeOf(node, which))) / 60_000;
      if (count.sign === "+") return age > count.value;
      return count.sign === "-" ? age < count.value : age < count.value && age >= count.value - 1;
    };
  };

/** Midnight behind the day of now: `-daystart`. */
export function endOfDay(state: FindState): Moment {
  const ms = state.now.seconds * 1000;
  const { offset } = localType(state.tz, ms);
  const midnight = (Math.floor((ms + offset) / 86_400_000) + 1) * 86_400_000 - offset;
  return { seconds: midnight / 1000, nanosecond: 0 };
}

const TIME_LETTERS = { a: "atime", B: "birthtime", c: "ctime", m: "mtime" } as const;

export function newer(state: FindState, argument: string, letters: string): Check {
  const [x, y] = [letters[0] as keyof typeof TIME_LETTERS, letters[1]!];
  const limit = y === "t" ? phrase(state, argument) : timeOf(reference(state, argument), TIME_LETTERS[y as "m"]);
  return ({ node }) => compareMoments(timeOf(node, TIME_LETTERS[x]), limit) > 0;
}

function phrase(state: FindState, text: string): Moment {
  const moment = parsePhrase(text, state.now, state.tz);
  if (!moment) throw new Failure(`I cannot figure out how to interpret ${quoted(text)} as a date or time`);
  return moment;
}

function reference(state: FindState, path: string): Inode {
  try {
    return find(state.process.context, path, state.follow !== "never");
  } catch (error) {
    throw new Failure(`${quoted(path)}: ${describeErrno(error)}`);
  }
}

const perm: MakeTest = (_state, argument) => {
  const [, kind, text] = /^([-/]?)([^]*)$/.exec(argument)!;
  const change = parseMode(text!);
  if (!change) throw new Failure(`invalid mode ${quoted(argument)}`);
  const bits = change(0, false, 0);
  if (kind === "-") return ({ node }) => (node.mode & bits) === bits;
  if (kind === "/") return ({ node }) => bits === 0 || (node.mode & bits) !== 0;
  return ({ node }) => node.permissions === bits;
};

const owned: MakeTest = (_state, argument, name) => {
  const id = ownerId(argument);
  if (id === undefined) throw new Failure(`${quoted(argument)} is not the name of a known ${name === "-user" ? "user" : "group"}`);
  return ({ node }) => node.uid === id;
};

const may =
  (want: number): ((state: FindState) => Check) =>
  (state) =>
  ({ path, node }) => {
    const aim = node instanceof Symlink ? nodeAt(state.process, path) : node;
    return aim !== undefined && allowed(state.process.context, aim, want);
  };

/** Tests with an argument. */
export const TESTS: Readonly<Record<string, MakeTest>> = {
  "-name": namePattern(EXACT),
  "-iname": namePattern(FOLDED),
  "-path": pathPattern(EXACT),
  "-wholename": pathPattern(EXACT),
  "-ipath": pathPattern(FOLDED),
  "-iwholename": pathPattern(FOLDED),
  "-lname": linkPattern(EXACT),
  "-ilname": linkPattern(FOLDED),
  "-regex": regex(0),
  "-iregex": regex(RegexFlag.ignoreCase),
  "-type": (_state, argument, name) => {
    const types = typeList(argument, name);
    return ({ node }) => types.has(typeOf(node));
  },
  "-xtype": (state, argument, name) => {
    const types = typeList(argument, name);
    return (found) => types.has(typeOf(otherSide(state, found)));
  },
  "-size": size,
  "-links": counted(({ node }) => node.nlink),
  "-inum": counted(({ node }) => node.ino),
  "-uid": counted(({ node }) => node.uid),
  "-gid": counted(({ node }) => node.uid),
  "-user": owned,
  "-group": owned,
  "-perm": perm,
  "-mtime": days("mtime"),
  "-atime": days("atime"),
  "-ctime": days("ctime"),
  "-mmin": minutes("mtime"),
  "-amin": minutes("atime"),
  "-cmin": minutes("ctime"),
  "-newer": (state, argument) => newer(state, argument, "mm"),
  "-anewer": (state, argument) => newer(state, argument, "am"),
  "-cnewer": (state, argument) => newer(state, argument, "cm"),
  "-used": (_state, argument, name) => {
    const count = parseCount(argument, name, FLOATING);
    return ({ node }) => compared(Math.floor((node.atime - node.ctime) / 86_400_000), count);
  },
  "-samefile": (state, argument) => {
    const node = reference(state, argument);
    return (found) => found.node === node;
  },
  "-fstype": (_state, argument) => () => argument === "tmpfs",
};

/** Tests without one. */
export const BARE_TESTS: Readonly<Record<string, (state: FindState) => Check>> = {
  "-true": () => () => true,
  "-false": () => () => false,
  "-empty": (state) => ({ node }) => (node instanceof Directory ? node.names(state.process.context).length === 0 : node instanceof RegularFile && node.size === 0),
  "-readable": may(R_OK),
  "-writable": may(W_OK),
  "-executable": may(X_OK),
  "-nouser": () => () => false,
  "-nogroup": () => () => false,
};
