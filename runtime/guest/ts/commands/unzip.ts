import { describeErrno } from "../shell/io/errors";
import { formatTime } from "../shell/format/time";
import type { Process } from "../shell/process";
import { Errno } from "../vfs/errors";
import { S_IFLNK, S_IFMT } from "../vfs/inode";
import { chmod, exists, utimes } from "../vfs/meta";
import { mkdirs, symlink, unlink } from "../vfs/tree";
import { find } from "../vfs/walk";
import { native } from "../bridge/native";
import { Broken, Codec, type Sink } from "./codec";
import { command, Failure } from "./command";
import { close, openReader, openWriter } from "./files";
import type { Options } from "./options";
import { baseName, dirName, joined } from "./paths";
import { contentStart, type Directory, Method, NoZip, readDirectory, saved, type ZipEntry } from "./zip_format";
import { nameMatcher, safeName, wallClock } from "./zip_names";

const TABLE = {
  list: ["-l", "list the archive"],
  verboseList: ["-v", "list the archive at length"],
  names: ["-Z", "with -1: list names alone"],
  one: ["-1", "see -Z"],
  test: ["-t", "check the archive"],
  toPipe: ["-p", "write files to standard output, and nothing else"],
  toScreen: ["-c", "write files to standard output, with their names"],
  directory: ["-d EXDIR", "put files in EXDIR"],
  exclude: ["-x FILE", "leave out what matches; all names that follow are such"],
  overwrite: ["-o", "overwrite files"],
  never: ["-n", "never overwrite files"],
  junk: ["-j", "no directories"],
  quiet: ["-q", "tell less"],
  ignoreCase: ["-C", "names match whatever their case"],
  lower: ["-L", "names in lower case"],
  update: ["-u", "overwrite files that are older; also new ones"],
  freshen: ["-f", "overwrite files that are older; no new ones"],
  restore: ["-X", "ignored"],
  text: ["-a", "ignored"],
  binary: ["-b", "ignored"],
  links: ["-K", "ignored"],
  more: ["-M", "ignored"],
} as const;

type Given = Options<typeof TABLE>;

const [WARNING, NO_ARCHIVE, NO_MATCH, BROKEN, UNSUPPORTED] = [1, 9, 11, 2, 81];
const PIECE = 64 * 1024;

class UnzipRun {
  private status = 0;
  private answered: "all" | "none" | undefined;

  constructor(
    private readonly process: Process,
    private readonly options: Given,
    private readonly archive: string,
    private readonly bytes: Uint8Array,
    private readonly directory: Directory,
    private readonly into: string,
  ) {
    this.answered = options.has("overwrite") ? "all" : options.has("never") ? "none" : undefined;
  }

  async run(patterns: readonly string[], excluded: readonly string[]): Promise<number> {
    const fold = this.options.has("ignoreCase");
    const [wanted, refused] = [nameMatcher(patterns, fold), nameMatcher(excluded, fold)];
    const entries = this.directory.entries.filter(({ name }) => (patterns.length === 0 || wanted(name)) && !refused(name));
    const unmatched = patterns.filter((pattern) => !this.directory.entries.some(({ name }) => nameMatcher([pattern], fold)(name)));
    if (this.options.has("names")) this.printNames(entries);
    else if (this.options.has("list") || this.options.has("verboseList")) this.print(entries);
    else await this.work(entries);
    const listing = this.options.has("list") || this.options.has("verboseList") || this.options.has("names");
    for (const pattern of listing ? [] : unmatched) this.process.stderr.print(`caution: filename not matched:  ${pattern}\n`);
    return unmatched.length > 0 ? NO_MATCH : this.status;
  }

  private get quiet(): boolean {
    return this.options.has("quiet") || this.options.has("toPipe");
  }

  private say(text: string): void {
    if (!this.quiet) this.process.stdout.print(text);
  }

  // --- listings

  private printNames(entries: readonly ZipEntry[]): void {
    if (!this.options.has("one")) throw new Failure("-Z is supported with -1 only; use -v", 10);
    for (const { name } of entries) this.process.stdout.print(`${name}\n`);
  }

  private when(time: number): string {
    return formatTime("%Y-%m-%d %H:%M", time, this.process.env.get("TZ"));
  }

  private print(entries: readonly ZipEntry[]): void {
    const level = this.options.list("quiet").length;
    const long = this.options.has("verboseList");
    const out = (text: string): void => this.process.stdout.print(text);
    if (level === 0) out(`Archive:  ${this.archive}\n`);
    if (level < 2) out(long ? " Length   Method    Size  Cmpr    Date    Time   CRC-32   Name\n--------  ------  ------- ---- ---------- ----- --------  ----\n" : "  Length      Date    Time    Name\n---------  ---------- -----   ----\n");
    for (const entry of entries) out(long ? this.longLine(entry) : `${String(entry.size).padStart(9)}  ${this.when(entry.time)}   ${entry.name}\n`);
    const [size, packed] = [entries.reduce((sum, entry) => sum + entry.size, 0), entries.reduce((sum, entry) => sum + entry.packed, 0)];
    const files = `${entries.length} file${entries.length === 1 ? "" : "s"}`;
    if (level >= 2) return;
    if (!long) out(`---------                     -------\n${String(size).padStart(9)}                     ${files}\n`);
    else out(`--------          -------  ---                            -------\n${String(size).padStart(8)}         ${String(packed).padStart(8)} ${String(saved(size, packed)).padStart(3)}%                            ${files}\n`);
  }

  private longLine({ size, packed, method, time, crc, name }: ZipEntry): string {
    const how = method === Method.stored ? "Stored" : "Defl:N";
    return `${String(size).padStart(8)}  ${how} ${String(packed).padStart(8)} ${String(saved(size, packed)).padStart(3)}% ${this.when(time)} ${crc.toString(16).padStart(8, "0")}  ${name}\n`;
  }

  // --- members

  private async work(entries: readonly ZipEntry[]): Promise<void> {
    if (!this.options.has("test") || !this.options.has("quiet")) this.say(`Archive:  ${this.archive}\n`);
    for (const entry of entries) {
      await this.member(entry);
      await this.process.stdout.flush();
    }
    if (!this.options.has("test")) return;
    const broken = this.status !== 0;
    this.process.stdout.print(broken ? `At least one error was detected in ${this.archive}.\n` : `No errors detected in compressed data of ${this.archive}.\n`);
  }

  private async member(entry: ZipEntry): Promise<void> {
    if (entry.encrypted || (entry.method !== Method.stored && entry.method !== Method.deflated)) {
      this.process.stderr.print(`   skipping: ${padded(entry.name)}  ${entry.encrypted ? "encrypted members are not supported here" : `unsupported compression method ${entry.method}`}\n`);
      this.status = UNSUPPORTED;
      return;
    }
    try {
      if (this.options.has("test")) return await this.check(entry);
      if (this.options.has("toPipe") || this.options.has("toScreen")) return await this.show(entry);
      await this.extract(entry);
    } catch (error) {
      if (error instanceof Errno) {
        this.process.stderr.print(`error:  cannot create ${joined(this.into, entry.name)}\n        ${describeErrno(error)}\n`);
        this.status = 50;
      } else if (error instanceof Broken || error instanceof NoZip) {
        this.process.stderr.print(`  error:  ${error instanceof Broken ? error.message : "invalid compressed data"} in ${entry.name}\n`);
        this.status = BROKEN;
      } else throw error;
    }
  }

  private async unpack(entry: ZipEntry, sink: Sink): Promise<void> {
    const start = contentStart(this.bytes, entry);
    const packed = this.bytes.subarray(start, start + entry.packed);
    let crc = 0;
    if (entry.method === Method.stored) {
      const codec = new Codec("deflate", { level: 1 }, () => undefined);
      await codec.feed(packed);
      ({ crc } = codec.report);
      for (let at = 0; at < packed.length; at += PIECE) await sink(packed.subarray(at, at + PIECE));
    } else {
      const codec = new Codec("inflate", {}, sink);
      await codec.feed(packed);
      await codec.end();
      ({ crc } = codec.report);
    }
    if (crc !== entry.crc) throw new Broken(`bad CRC ${crc.toString(16).padStart(8, "0")}  (should be ${entry.crc.toString(16).padStart(8, "0")})`);
  }

  private async check(entry: ZipEntry): Promise<void> {
    await this.unpack(entry, () => undefined);
    this.say(`    testing: ${padded(entry.name)}   OK\n`);
  }

  private async show(entry: ZipEntry): Promise<void> {
    if (entry.name.endsWith("/")) return;
    if (this.options.has("toScreen")) this.say(`${label(entry)}${padded(entry.name)}  \n`);
    await this.unpack(entry, (bytes) => this.process.stdout.write(bytes));
    if (this.options.has("toScreen")) this.say("\n");
  }

  private path({ name }: ZipEntry): string {
    const safe = safeName(this.options.has("lower") ? name.toLowerCase() : name);
    const local = this.options.has("junk") ? baseName(safe) : safe;
    return this.into === "" ? local : joined(this.into, local);
  }

  private async extract(entry: ZipEntry): Promise<void> {
    const { context } = this.process;
    const given = this.path(entry);
    if (entry.name.endsWith("/")) return this.makeDirectory(given.replace(/\/+$/, ""), entry);
    const path = await this.placeFor(given, entry);
    if (path === undefined) return;
    if (path.includes("/") && !exists(context, dirName(path))) mkdirs(context, dirName(path), 0o777);
    if (exists(context, path, false)) unlink(context, path);
    if ((entry.mode & S_IFMT) === S_IFLNK) return this.makeLink(path, entry);
    this.say(`${label(entry)}${padded(path)}  \n`);
    const writer = openWriter(this.process, path);
    try {
      await this.unpack(entry, (bytes) => writer.write(bytes));
    } finally {
      close(writer);
    }
    this.finishNode(path, entry);
  }

  private finishNode(path: string, { mode, time }: ZipEntry): void {
    const { context } = this.process;
    const node = find(context, path);
    if (mode !== 0) chmod(context, node, mode & 0o777);
    utimes(context, node, node.atime, time * 1000);
  }

  private makeDirectory(path: string, entry: ZipEntry): void {
    if (this.options.has("junk") || path === "" || exists(this.process.context, path)) return;
    this.say(`   creating: ${path}/\n`);
    mkdirs(this.process.context, path, 0o777);
    if (entry.mode !== 0) chmod(this.process.context, find(this.process.context, path), (entry.mode & 0o777) | 0o700);
  }

  private async makeLink(path: string, entry: ZipEntry): Promise<void> {
    let target = "";
    await this.unpack(entry, (bytes) => void (target += native.text.decode(bytes)));
    this.say(`    linking: ${padded(path)}  -> ${target} \n`);
    symlink(this.process.context, target, path);
  }

  /** The path to write to; undefined where the file that is there stays. */
  private async placeFor(path: string, entry: ZipEntry): Promise<string | undefined> {
    const { context } = this.process;
    const isThere = exists(context, path, false);
    if (this.options.has("freshen") || this.options.has("update")) {
      const isNewer = isThere && entry.time > Math.floor(find(context, path, false).mtime / 1000);
      return (isThere ? isNewer && this.answered !== "none" : this.options.has("update")) ? path : undefined;
    }
    if (!isThere || this.answered === "all") return path;
    return this.answered === "none" ? undefined : this.ask(path, entry);
  }

  private async ask(path: string, entry: ZipEntry): Promise<string | undefined> {
    const { stdin, stderr } = this.process;
    for (;;) {
      stderr.print(`replace ${path}? [y]es, [n]o, [A]ll, [N]one, [r]ename: `);
      const answer = await stdin.line();
      switch (answer?.[0]) {
        case "y": case "Y": return path;
        case "n": return undefined;
        case "A": this.answered = "all"; return path;
        case "N": this.answered = "none"; return undefined;
        case "r": case "R": {
          stderr.print("new name: ");
          const name = await stdin.line();
          if (name) return this.placeFor(name, entry);
          break;
        }
        case undefined:
          if (answer !== undefined) break;
          stderr.print(' NULL\n(EOF or read error, treating as "[N]one" ...)\n');
          this.status = WARNING;
          this.answered = "none";
          return undefined;
        default: stderr.print(`error:  invalid response [${answer}]\n`);
      }
    }
  }
}

/** To 22 bytes. */
function padded(name: string): string {
  return name + " ".repeat(Math.max(0, 22 - native.bytes.utf8Length(name)));
}

function label({ method, packed }: ZipEntry): string {
  return method === Method.stored && packed >= 0 ? " extracting: " : "  inflating: ";
}

const NOT_FOUND = `  End-of-central-directory signature not found.  Either this file is not
  a zipfile, or it constitutes one disk of a multi-part archive.  In the
  latter case the central directory and zipfile comment will be found on
  the last disk(s) of this archive.
`;

/** The archive's bytes, and its name as it was found. */
async function openArchive(process: Process, name: string): Promise<[name: string, bytes: Uint8Array]> {
  for (const path of [name, `${name}.zip`, `${name}.ZIP`]) {
    if (!exists(process.context, path)) continue;
    const reader = openReader(process, path);
    const bytes = await reader.all();
    close(reader);
    return [path, bytes];
  }
  throw new Failure(` cannot find or open ${name}, ${name}.zip or ${name}.ZIP.`, NO_ARCHIVE);
}

function directoryOf(process: Process, name: string, bytes: Uint8Array): Directory {
  try {
    return readDirectory(bytes, wallClock(process).fromWall);
  } catch (error) {
    if (!(error instanceof NoZip || error instanceof RangeError)) throw error;
    process.stdout.print(`Archive:  ${name}\n`);
    void process.stdout.flush();
    process.stderr.print(NOT_FOUND);
    throw new Failure(` cannot find zipfile directory in one of ${name} or\n        ${name}.zip, and cannot find ${name}.ZIP, period.`, NO_ARCHIVE);
  }
}

/** `-x` takes all the names behind it; `-d` may stand behind the archive's name. */
function rewrite(args: readonly string[]): readonly string[] {
  const at = args.indexOf("-x");
  if (at < 0) return args;
  const end = args.findIndex((word, i) => i > at && word.startsWith("-"));
  const names = args.slice(at + 1, end < 0 ? undefined : end);
  return [...args.slice(0, at), ...names.flatMap((name) => ["-x", name]), ...(end < 0 ? [] : args.slice(end))];
}

export const unzip = command({
  name: "unzip",
  usage: "[OPTION]... ARCHIVE [FILE]... [-x FILE...] [-d EXDIR]",
  about: "Take files out of a zip archive, or list or check it.",
  options: TABLE,
  failure: 10,
  rewrite,
  async run(process, options, operands) {
    const [name, ...patterns] = operands;
    if (name === undefined) return process.launch(["unzip", "--help"]);
    const [path, bytes] = await openArchive(process, name);
    const directory = directoryOf(process, path, bytes);
    const run = new UnzipRun(process, options, path, bytes, directory, options.value("directory") ?? "");
    return run.run(patterns, options.list("exclude"));
  },
});
