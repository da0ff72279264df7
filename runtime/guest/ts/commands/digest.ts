/** Message digests of files, and lists of them to check: md5sum and its kin. */

import { native } from "../bridge/native";
import { describeErrno } from "../shell/io/errors";
import type { Reader } from "../shell/io/reader";
import type { Command, Process } from "../shell/process";
import { Errno } from "../vfs/errors";
import { command, complain, Failure } from "./command";
import { close, eachInput, openReader } from "./files";
import { Filter } from "./filter";
import { type Options, UsageFault } from "./options";
import { quoted } from "./sizes";
import { nameShown } from "./quoting";

export interface Algorithm {
  /** As --tag prints it. */
  readonly tag: string;
  /** Bytes of the digest. */
  readonly size: number;
  hash(process: Process, reader: Reader, size: number): Promise<Uint8Array>;
}

function plain(name: string, size: number): Algorithm {
  return {
    tag: name.toUpperCase(),
    size,
    async hash(process, reader) {
      const handle = native.hash.create(name)!;
      for (let chunk = await reader.chunk(); chunk.length > 0; chunk = await reader.chunk()) {
        native.hash.update(handle, chunk);
        await process.pause();
      }
      return native.hash.digest(handle);
    },
  };
}

const blake2: Algorithm = {
  tag: "BLAKE2b",
  size: 64,
  async hash(process, reader, size) {
    const filter = new Filter(process, "blake2", { size });
    await filter.pump(reader);
    await filter.end();
    return filter.report as Uint8Array;
  },
};

export const ALGORITHMS = {
  md5: plain("md5", 16),
  sha1: plain("sha1", 20),
  sha224: plain("sha224", 28),
  sha256: plain("sha256", 32),
  sha384: plain("sha384", 48),
  sha512: plain("sha512", 64),
  blake2b: blake2,
} as const satisfies Record<string, Algorithm>;

export const DIGEST_OPTIONS = {
  binary: ["-b, --binary", "mark files as read in binary mode"],
  check: ["-c, --check", "read digests from the files and check them"],
  tag: ["--tag", "print as BSD does"],
  text: ["-t, --text", "ignored"],
  zero: ["-z, --zero", "lines end in a NUL byte, and names are not escaped"],
  ignoreMissing: ["--ignore-missing", "with -c, be silent about files that are missing"],
  quiet: ["--quiet", "with -c, print no OK"],
  status: ["--status", "with -c, print nothing: the status tells"],
  strict: ["--strict", "with -c, fail on lines that are no digests"],
  warn: ["-w, --warn", "with -c, tell of lines that are no digests"],
} as const;

const LENGTH = { length: ["-l, --length=BITS", "bits of the digest, a multiple of 8"] } as const;
const TABLE = { ...DIGEST_OPTIONS, ...LENGTH };

export type DigestOptions = Options<typeof TABLE>;

/** A name in a list: with what would break the line escaped, which a backslash in front says. */
function escapeName(name: string): [escaped: string, mark: string] {
  const escaped = name.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\r", "\\r");
  return [escaped, escaped === name ? "" : "\\"];
}

/** One line of a list. */
export function digestLine(options: DigestOptions, algorithm: Algorithm, digest: Uint8Array, name: string): string {
  const zero = options.has("zero");
  const [shown, mark] = zero ? [name, ""] : escapeName(name);
  const hex = native.bytes.hexEncode(digest);
  const end = zero ? "\0" : "\n";
  const bits = algorithm.size === digest.length ? "" : `-${digest.length * 8}`;
  if (options.has("tag")) return `${mark}${algorithm.tag}${bits} (${shown}) = ${hex}${end}`;
  return `${mark}${hex} ${options.last("binary", "text") === "binary" ? "*" : " "}${shown}${end}`;
}

interface Entry {
  readonly algorithm: Algorithm;
  readonly hex: string;
  readonly name: string;
}

const TAGGED = /^(\\?)([A-Za-z0-9]+)(?:-(\d+))? ?\(([^]*)\) ?= ?([0-9a-fA-F]+)$/;
const LISTED = /^(\\?)([0-9a-fA-F]+) [ *]?([^]+)$/;

function parseEntry(line: string, expected: Algorithm | undefined, sized: boolean): Entry | undefined {
  const tagged = TAGGED.exec(line);
  if (tagged) {
    const algorithm = Object.values(ALGORITHMS).find(({ tag }) => tag === tagged[2]);
    if (!algorithm || (expected && algorithm !== expected)) return undefined;
    const size = tagged[3] ? Number(tagged[3]) / 8 : algorithm.size;
    return tagged[5]!.length === size * 2 ? { algorithm, hex: tagged[5]!.toLowerCase(), name: unescapeName(tagged[4]!, tagged[1]!) } : undefined;
  }
  const listed = LISTED.exec(line);
  if (!listed || !expected) return undefined;
  const fits = sized ? listed[2]!.length % 2 === 0 && listed[2]!.length <= expected.size * 2 : listed[2]!.length === expected.size * 2;
  return fits ? { algorithm: expected, hex: listed[2]!.toLowerCase(), name: unescapeName(listed[3]!, listed[1]!) } : undefined;
}

function unescapeName(name: string, mark: string): string {
  return mark === "" ? name : name.replace(/\\([\\nr])/g, (_, letter: string) => (letter === "n" ? "\n" : letter === "r" ? "\r" : "\\"));
}

const lines = (count: number, one: string, several: string): string => `WARNING: ${count} ${count === 1 ? one : several}`;

/** Checks one list. */
class Checker {
  private malformed = 0;
  private unreadable = 0;
  private wrong = 0;
  private checked = 0;
  private known = 0;

  constructor(
    private readonly process: Process,
    private readonly options: DigestOptions,
    private readonly list: string,
  ) {}

  async line(line: string, number: number, expected: Algorithm | undefined): Promise<void> {
    const entry = parseEntry(line, expected, expected === blake2);
    if (!entry) {
      this.malformed += 1;
      if (this.options.has("warn")) complain(this.process, `${this.list}: ${number}: improperly formatted ${expected?.tag ?? "digest"} checksum line`);
      return;
    }
    this.known += 1;
    await this.entry(entry);
  }

  private async entry({ algorithm, hex, name }: Entry): Promise<void> {
    let reader: Reader;
    try {
      reader = openReader(this.process, name);
    } catch (error) {
      if (this.options.has("ignoreMissing") && error instanceof Errno && error.code === "ENOENT") return;
      complain(this.process, `${nameShown(name)}: ${describeErrno(error)}`);
      this.unreadable += 1;
      this.tell(name, "FAILED open or read");
      return;
    }
    const digest = native.bytes.hexEncode(await algorithm.hash(this.process, reader, hex.length / 2));
    if (reader !== this.process.stdin) close(reader);
    this.checked += 1;
    if (digest !== hex) this.wrong += 1;
    if (digest !== hex || !this.options.has("quiet")) this.tell(name, digest === hex ? "OK" : "FAILED");
  }

  private tell(name: string, words: string): void {
    const [shown, mark] = escapeName(name);
    if (!this.options.has("status")) this.process.stdout.print(`${mark}${shown}: ${words}\n`);
  }

  /** Whether all was well. */
  conclude(): boolean {
    if (this.known === 0) {
      complain(this.process, `${this.list}: no properly formatted checksum lines found`);
      return false;
    }
    if (!this.options.has("status")) this.warn();
    const none = this.options.has("ignoreMissing") && this.checked === this.wrong;
    if (none && !this.options.has("status")) complain(this.process, `${this.list}: no file was verified`);
    return !none && this.wrong === 0 && this.unreadable === 0 && !(this.options.has("strict") && this.malformed > 0);
  }

  private warn(): void {
    const { malformed, unreadable, wrong } = this;
    if (malformed) complain(this.process, lines(malformed, "line is improperly formatted", "lines are improperly formatted"));
    if (unreadable) complain(this.process, lines(unreadable, "listed file could not be read", "listed files could not be read"));
    if (wrong) complain(this.process, lines(wrong, "computed checksum did NOT match", "computed checksums did NOT match"));
  }
}

/** Checks all lists; without an `expected` algorithm each line must name its own. */
export async function checkLists(process: Process, options: DigestOptions, operands: readonly string[], expected: Algorithm | undefined): Promise<number> {
  let well = true;
  const status = await eachInput(process, operands, async (reader, name) => {
    const checker = new Checker(process, options, name === "-" ? "'standard input'" : name);
    let number = 0;
    for (let line = await reader.line(); line !== undefined; line = await reader.line()) {
      number += 1;
      if (!line.startsWith("#")) await checker.line(line.replace(/\r$/, ""), number, expected);
    }
    well = checker.conclude() && well;
  });
  return well ? status : 1;
}

export function digestSize(text: string | undefined, algorithm: Algorithm): number {
  if (text === undefined || text === "0") return algorithm.size;
  const bits = Number(text);
  if (!Number.isInteger(bits) || bits < 0) throw new Failure(`invalid length: ${quoted(text)}`);
  if (bits % 8 !== 0) throw new Failure("length is not a multiple of 8");
  if (bits > algorithm.size * 8) throw new Failure(`maximum digest length for ${quoted(algorithm.tag)} is ${algorithm.size * 8} bits`);
  return bits / 8;
}

const CHECK_ONLY = ["ignoreMissing", "quiet", "status", "strict", "warn"] as const;

export function digestCommand(name: string, algorithm: Algorithm): Command {
  return command({
    name,
    usage: "[OPTION]... [FILE]...",
    about: `Print ${algorithm.tag} digests of the files, or of standard input, or check them.`,
    options: (algorithm === blake2 ? TABLE : DIGEST_OPTIONS) as typeof TABLE,
    async run(process, options, operands) {
      if (options.has("check")) {
        if (options.has("tag")) throw new UsageFault("the --tag option is meaningless when verifying checksums");
        return checkLists(process, options, operands, algorithm);
      }
      const stray = CHECK_ONLY.find((key) => options.has(key));
      if (stray) throw new UsageFault(`the --${stray === "ignoreMissing" ? "ignore-missing" : stray} option is meaningful only when verifying checksums`);
      const size = digestSize(options.value("length"), algorithm);
      return eachInput(process, operands, async (reader, file) => {
        process.stdout.print(digestLine(options, algorithm, await algorithm.hash(process, reader, size), file));
      });
    },
  });
}
