/** dd's operands: NAME=VALUE. */

import { Failure } from "./command";
import { UsageFault } from "./options";
import { parseSize, quoted } from "./sizes";

export interface Operands {
  readonly input: string | undefined;
  readonly output: string | undefined;
  readonly inputBlock: number;
  readonly outputBlock: number;
  /** One block size for both: blocks go out as they come in. */
  readonly together: boolean;
  readonly conversionBlock: number;
  /** Counts of blocks, or of bytes where `bytes` says so. */
  readonly count: number;
  readonly skip: number;
  readonly seek: number;
  readonly bytes: { readonly count: boolean; readonly skip: boolean; readonly seek: boolean };
  readonly conversions: ReadonlySet<string>;
  readonly inputFlags: ReadonlySet<string>;
  readonly outputFlags: ReadonlySet<string>;
  readonly status: "none" | "noxfer" | "progress" | undefined;
}

const CONVERSIONS = ["block", "unblock", "lcase", "ucase", "sparse", "swab", "sync", "excl", "nocreat", "notrunc", "noerror", "fdatasync", "fsync"];
const FLAGS = ["append", "direct", "directory", "dsync", "sync", "fullblock", "nonblock", "noatime", "nocache", "noctty", "nofollow", "count_bytes", "skip_bytes", "seek_bytes"];
const CODES = ["ascii", "ebcdic", "ibm"];
const DEFAULT_BLOCK = 512;

/** `5`, `2k`, `2x3`; for counts a B at the end tells of bytes. */
function number(text: string): number {
  const product = text.split("x").map((part) => parseSize(part.replace(/^(\d+)c$/, "$1").replace(/^(\d+)w$/, (_, n: string) => String(2 * Number(n)))));
  if (product.some((part) => part === undefined)) throw new Failure(`invalid number: ${quoted(text)}`);
  return product.reduce<number>((total, part) => total * part!, 1);
}

function block(text: string): number {
  const size = number(text);
  if (size === 0) throw new Failure(`invalid number: ${quoted(text)}`);
  return size;
}

function words(text: string | undefined, known: readonly string[], what: string): Set<string> {
  const given = text === undefined ? [] : text.split(",");
  for (const word of given) {
    if (CODES.includes(word) && what === "conversion") throw new Failure(`conversion ${quoted(word)} is not supported here`);
    if (!known.includes(word)) throw new UsageFault(`invalid ${what}: ${quoted(word)}`);
  }
  return new Set(given);
}

const NAMES = ["if", "of", "bs", "ibs", "obs", "cbs", "count", "skip", "iseek", "seek", "oseek", "conv", "iflag", "oflag", "status"];

export function parseOperands(args: readonly string[]): Operands {
  const given = new Map<string, string>();
  for (const arg of args) {
    const [, name, value] = /^([a-z]+)=([^]*)$/.exec(arg) ?? [];
    if (name === undefined || !NAMES.includes(name)) throw new UsageFault(`unrecognized operand ${quoted(arg)}`);
    // Lists add up; of others the last counts.
    const adds = given.has(name) && (name === "conv" || name === "iflag" || name === "oflag");
    given.set({ iseek: "skip", oseek: "seek" }[name] ?? name, adds ? `${given.get(name)},${value}` : value!);
  }
  return read(given);
}

function read(given: ReadonlyMap<string, string>): Operands {
  const size = (name: string, absent: number): number => (given.has(name) ? block(given.get(name)!) : absent);
  const [inputFlags, outputFlags] = [words(given.get("iflag"), FLAGS, "input flag"), words(given.get("oflag"), FLAGS, "output flag")];
  const counted = (name: string): [number | undefined, boolean] => {
    const text = given.get(name);
    return text === undefined ? [undefined, false] : text.endsWith("B") && /\dB$/.test(text) ? [number(text.slice(0, -1)), true] : [number(text), false];
  };
  const [[count, countBytes], [skip, skipBytes], [seek, seekBytes]] = [counted("count"), counted("skip"), counted("seek")];
  const both = given.has("bs") ? block(given.get("bs")!) : undefined;
  const status = given.get("status");
  if (status !== undefined && !["none", "noxfer", "progress"].includes(status)) throw new UsageFault(`invalid status level: ${quoted(status)}`);
  return {
    input: given.get("if"), output: given.get("of"), inputBlock: both ?? size("ibs", DEFAULT_BLOCK), outputBlock: both ?? size("obs", DEFAULT_BLOCK),
    together: both !== undefined, conversionBlock: size("cbs", 0), count: count ?? Number.POSITIVE_INFINITY, skip: skip ?? 0, seek: seek ?? 0,
    bytes: { count: countBytes || inputFlags.has("count_bytes"), skip: skipBytes || inputFlags.has("skip_bytes"), seek: seekBytes || outputFlags.has("seek_bytes") },
    conversions: words(given.get("conv"), CONVERSIONS, "conversion"), inputFlags, outputFlags, status: status as Operands["status"],
  };
}
