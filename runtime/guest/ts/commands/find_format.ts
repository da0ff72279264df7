/** The formats of find's -printf and -ls. */

import { Symlink } from "../vfs/inode";
import { Errno } from "../vfs/errors";
import { describe } from "../vfs/status";
import { find } from "../vfs/walk";
import { Failure } from "./command";
import { type FindState, type Found } from "./find_state";
import { typeOf } from "./find_tests";
import { SECTOR, sectorsOf } from "./human";
import { modeText } from "./modes";
import { formatMoment, type Moment, timeOf } from "./moments";
import { ownerName } from "./owners";
import { dirName, withoutSlashes } from "./paths";
import { escaped } from "./quoting";

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", "\\": "\\",
};

type Directive = (state: FindState, found: Found, flags: string) => string | number;


function blocksOf({ node }: Found): number {
  return sectorsOf(node);
}

/** The directory that a path is in, as it is written. */
function folderOf(path: string): string {
  const at = path.lastIndexOf("/");
  return at < 0 ? "." : at === 0 && path !== "/" ? "" : path === "/" ? "" : withoutSlashes(path).includes("/") ? path.slice(0, at) : dirName(path);
}

function below({ path, start }: Found): string {
  return path === start ? "" : path.slice(start.length).replace(/^\/+/, "");
}

function typeBehindLink(state: FindState, { node, path }: Found): string {
  if (!(node instanceof Symlink)) return typeOf(node);
  try {
    return typeOf(find(state.process.context, path));
  } catch (error) {
    if (!(error instanceof Errno)) throw error;
    return error.code === "ELOOP" ? "L" : error.code === "ENOENT" || error.code === "ENOTDIR" ? "N" : "?";
  }
}

const DIRECTIVES: Readonly<Record<string, Directive>> = {
  b: (_state, found) => blocksOf(found),
  d: (_state, { depth }) => depth,
  D: (_state, { node }) => describe(node).dev,
  f: (_state, { name }) => name,
  F: () => "tmpfs",
  g: (_state, { node }) => ownerName(node.uid),
  G: (_state, { node }) => node.uid,
  h: (_state, { path }) => folderOf(path),
  H: (_state, { start }) => start,
  i: (_state, { node }) => node.ino,
  k: (_state, found) => Math.ceil(blocksOf(found) / 2),
  l: (_state, { node }) => (node instanceof Symlink ? node.target : ""),
  m: (_state, { node }, flags) => (flags.includes("#") ? "0" : "") + node.permissions.toString(8),
  M: (_state, { node }) => modeText(node.mode),
  n: (_state, { node }) => node.nlink,
  p: (_state, { path }) => path,
  P: (_state, found) => below(found),
  s: (_state, { node }) => node.size,
  S: (_state, found) => (found.node.size === 0 ? "1" : String((blocksOf(found) * SECTOR) / found.node.size)),
  u: (_state, { node }) => ownerName(node.uid),
  U: (_state, { node }) => node.uid,
  y: (_state, { node }) => typeOf(node),
  Y: typeBehindLink,
};

const TIMES = { A: "atime", B: "birthtime", C: "ctime", T: "mtime", a: "atime", c: "ctime", t: "mtime" } as const;

/** A field of a time, whose seconds have a fraction of ten digits. */
function timeField(state: FindState, moment: Moment, letter: string): string {
  const { seconds, nanosecond } = moment;
  const fraction = `.${String(nanosecond).padStart(9, "0")}0`;
  const format = (text: string): string => formatMoment(text, moment, state.tz);
  if (letter === "@") return `${seconds}${fraction}`;
  if (letter === "+") return `${format("%Y-%m-%d+%H:%M:%S")}${fraction}`;
  if (letter === "S" || letter === "T" || letter === "X") return format(`%${letter}`) + fraction;
  return format(`%${letter}`);
}

const DIRECTIVE = /%([-+ 0#]*)(\d*)(?:\.(\d+))?(?:([ABCT])([^])|([^]|$))|\\(?:([0-7]{1,3})|([^]|$))/g;

type Piece = string | ((state: FindState, found: Found) => string);

function padded(text: string, flags: string, width: string, precision: string | undefined, numeric: boolean): string {
  const cut = precision === undefined || numeric ? text : text.slice(0, Number(precision));
  if (flags.includes("-")) return cut.padEnd(Number(width));
  return cut.padStart(Number(width), flags.includes("0") && numeric ? "0" : " ");
}

/** What one directive stands for. */
function piece(state: FindState, match: RegExpMatchArray): Piece {
  const [whole, flags = "", width = "", precision, which, letter, kind] = match;
  if (kind === "%") return "%";
  if (kind === "") throw new Failure(`error: ${whole} at end of format string`);
  const whose = TIMES[(which ?? kind) as keyof typeof TIMES];
  const directive = DIRECTIVES[kind ?? ""];
  if (which !== undefined || (whose && kind !== undefined)) {
    return (current, found) => {
      const moment = timeOf(found.node, whose);
      const text = which === undefined ? formatMoment("%a %b %e ", moment, current.tz) + timeField(current, moment, "T") + formatMoment(" %Y", moment, current.tz) : timeField(current, moment, letter!);
      return padded(text, flags, width, precision, false);
    };
  }
  if (!directive) {
    state.attempts.fail(`warning: unrecognized format directive \`${whole}'`, state.attempts.status);
    return whole;
  }
  return (current, found) => {
    const value = directive(current, found, flags);
    const sign = typeof value === "number" && flags.includes("+") ? "+" : "";
    return padded(sign + String(value), flags, width, precision, typeof value === "number" || kind === "m");
  };
}

/** Compiles a format; `\c` ends what is printed. */
export function compileFormat(state: FindState, format: string): (found: Found) => string {
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of format.matchAll(DIRECTIVE)) {
    pieces.push(format.slice(at, match.index));
    at = match.index + match[0].length;
    const [whole, octal, escape] = [match[0], match[7], match[8]];
    if (octal !== undefined) pieces.push(String.fromCharCode(Number.parseInt(octal, 8) & 255));
    else if (escape === "c") {
      at = format.length;
      break;
    } else if (escape !== undefined) pieces.push(ESCAPES[escape] ?? whole);
    else pieces.push(piece(state, match));
  }
  pieces.push(format.slice(at));
  return (found) => {
    let text = "";
    for (const each of pieces) text += typeof each === "string" ? each : each(state, found);
    return text;
  };
}

/** Half a year in seconds: older times are shown with their year. */
const HALF_YEAR = 180 * 86_400;

/** A line of -ls. */
export function listLine(state: FindState, found: Found): string {
  const { node, path } = found;
  const moment = timeOf(node, "mtime");
  const { seconds } = moment;
  const recent = seconds > state.now.seconds - HALF_YEAR && seconds <= state.now.seconds + 3600;
  const time = formatMoment(recent ? "%b %e %H:%M" : "%b %e  %Y", moment, state.tz);
  const owner = ownerName(node.uid).padEnd(8);
  const target = node instanceof Symlink ? ` -> ${escaped(node.target)}` : "";
  const front = `${String(node.ino).padStart(9)} ${String(Math.ceil(blocksOf(found) / 2)).padStart(6)} ${modeText(node.mode)} ${String(node.nlink).padStart(3)}`;
  return `${front} ${owner} ${owner} ${String(node.size).padStart(8)} ${time} ${escaped(path)}${target}\n`;
}

