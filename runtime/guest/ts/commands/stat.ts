import { formatTime } from "../shell/format/time";
import type { Process } from "../shell/process";
import { Device, Directory, type Inode, RegularFile, Symlink } from "../vfs/inode";
import { describe } from "../vfs/status";
import { find } from "../vfs/walk";
import { Attempts } from "./attempts";
import { command, Failure } from "./command";
import { sectorsOf } from "./human";
import { modeText } from "./modes";
import { type Moment, timeOf } from "./moments";
import { demandOperands } from "./operands";
import { ownerName } from "./owners";
import { nameQuoted } from "./quoting";
import { quoted } from "./sizes";

interface Subject {
  readonly path: string;
  readonly node: Inode;
  readonly process: Process;
}

type Field = (subject: Subject) => string | number;

function kind(node: Inode): string {
  if (node instanceof Directory) return "directory";
  if (node instanceof RegularFile) return node.size === 0 ? "regular empty file" : "regular file";
  if (node instanceof Symlink) return "symbolic link";
  return node instanceof Device ? "character special file" : "fifo";
}

const TIME = "%Y-%m-%d %H:%M:%S.%N %z";
const timeText =
  (which: "atime" | "mtime" | "ctime" | "birthtime"): Field =>
  ({ node, process }) => {
    const { seconds, nanosecond } = timeOf(node, which);
    return formatTime(TIME, seconds, process.env.get("TZ"), nanosecond);
  };

const FIELDS: Readonly<Record<string, Field>> = {
  a: ({ node }) => node.permissions.toString(8),
  A: ({ node }) => modeText(node.mode),
  b: ({ node }) => sectorsOf(node),
  B: () => 512,
  C: () => "?",
  d: ({ node }) => describe(node).dev,
  D: ({ node }) => describe(node).dev.toString(16),
  f: ({ node }) => node.mode.toString(16),
  F: ({ node }) => kind(node),
  g: ({ node }) => node.uid,
  G: ({ node }) => ownerName(node.uid),
  h: ({ node }) => node.nlink,
  i: ({ node }) => node.ino,
  m: () => "/",
  n: ({ path }) => path,
  N: ({ path, node }) => nameQuoted(path) + (node instanceof Symlink ? ` -> ${nameQuoted(node.target)}` : ""),
  o: () => 4096,
  r: ({ node }) => describe(node).rdev,
  R: ({ node }) => describe(node).rdev.toString(16),
  s: ({ node }) => node.size,
  t: ({ node }) => (node instanceof Device ? "1" : "0"),
  T: ({ node }) => (node instanceof Device ? node.ino.toString(16) : "0"),
  u: ({ node }) => node.uid,
  U: ({ node }) => ownerName(node.uid),
  w: timeText("birthtime"),
  x: timeText("atime"),
  y: timeText("mtime"),
  z: timeText("ctime"),
};

const SECONDS = { W: "birthtime", X: "atime", Y: "mtime", Z: "ctime" } as const;

/** Seconds with as many digits of the fraction as asked for. */
function epoch({ seconds, nanosecond }: Moment, precision: string | undefined): string {
  if (precision === undefined) return String(seconds);
  const places = precision === "" ? 9 : Number(precision);
  return places === 0 ? String(seconds) : `${seconds}.${String(nanosecond).padStart(9, "0").slice(0, places).padEnd(places, "0")}`;
}

const OCTAL = "a";
const DIRECTIVE = /%([-+ 0#']*)(\d*)(?:\.(\d*))?(%|[HL]?[A-Za-z]|[^]|$)|\\(?:([0-7]{1,3})|x([\da-fA-F]{1,2})|([^]|$))/g;
const ESCAPES: Readonly<Record<string, string>> = { a: "\x07", b: "\b", e: "\x1b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", "\\": "\\", '"': '"' };

function field(subject: Subject, letter: string, flags: string, precision: string | undefined): string {
  const time = SECONDS[letter as keyof typeof SECONDS];
  if (time) return epoch(timeOf(subject.node, time), precision);
  const known = FIELDS[letter.replace(/^[HL]/, "")];
  if (!known) return "?";
  const value = String(known(subject));
  if (letter === OCTAL && flags.includes("#")) return `0${value}`;
  if (precision === undefined) return value;
  return typeof known(subject) === "string" ? value.slice(0, Number(precision)) : value.padStart(Number(precision), "0");
}

function format(subject: Subject, text: string, escapes: boolean): string {
  return text.replace(DIRECTIVE, (whole: string, flags?: string, width?: string, precision?: string, letter?: string, octal?: string, hex?: string, escape?: string) => {
    if (letter === undefined) {
      if (!escapes) return whole;
      if (octal !== undefined || hex !== undefined) return String.fromCharCode(Number.parseInt(octal ?? hex!, octal === undefined ? 16 : 8) & 255);
      return ESCAPES[escape!] ?? `\\${escape}`;
    }
    if (letter === "%" || letter === "") return "%";
    const value = field(subject, letter, flags!, precision);
    const zero = flags!.includes("0") && /^[\d.]+$/.test(value) ? "0" : " ";
    return flags!.includes("-") ? value.padEnd(Number(width)) : value.padStart(Number(width), zero);
  });
}

const USUAL = `  Size: %-10s\tBlocks: %-10b IO Block: %-6o %F
Device: 0,%d\tInode: %-11i Links: %h
Access: (%04a/%10.10A)  Uid: (%5u/%8U)   Gid: (%5g/%8G)
Access: %x
Modify: %y
Change: %z
 Birth: %w
`;
const TERSE = "%n %s %b %f %u %g %D %i %h %t %T %X %Y %Z %W %o\n";

export const stat = command({
  name: "stat",
  usage: "[OPTION]... FILE...",
  about: "Print what is known about each FILE.",
  options: {
    dereference: ["-L, --dereference", "follow symbolic links"],
    fileSystem: ["-f, --file-system", "not possible here"],
    cached: ["--cached=MODE", "ignored"],
    format: ["-c, --format=FORMAT", "print FORMAT and a newline for each file"],
    printf: ["--printf=FORMAT", "as -c without a newline; backslash escapes have a meaning"],
    terse: ["-t, --terse", "print everything in one line"],
  },
  run(process, options, operands) {
    demandOperands(operands, 1);
    if (options.has("fileSystem")) throw new Failure(`cannot read file system information for ${quoted(operands[0]!)}: not supported in the sandbox`);
    const which = options.last("format", "printf");
    const text = which === undefined ? (options.has("terse") ? TERSE : USUAL) : options.value(which)!;
    const end = which === "format" ? "\n" : "";
    const attempts = new Attempts(process);
    for (const path of operands) {
      const node = attempts.try(
        () => `cannot statx ${nameQuoted(path)}`,
        () => (path === "-" ? (process.stdin.file.node ?? find(process.context, path)) : find(process.context, path, options.has("dereference"))),
      );
      if (node && text === USUAL) process.stdout.print(`  File: ${path}${node instanceof Symlink ? ` -> ${node.target}` : ""}\n`);
      if (node) process.stdout.print(format({ path, node, process }, text, which === "printf") + end);
    }
    return attempts.status;
  },
});

