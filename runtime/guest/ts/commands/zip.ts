import { joinedBytes } from "../bridge/bytes";
import { native } from "../bridge/native";
import { describeErrno } from "../shell/io/errors";
import type { Writer } from "../shell/io/writer";
import type { Process } from "../shell/process";
import { Errno } from "../vfs/errors";
import { Directory, type Inode, RegularFile, Symlink } from "../vfs/inode";
import { exists } from "../vfs/meta";
import { remove } from "../vfs/tree";
import { find } from "../vfs/walk";
import { Codec } from "./codec";
import { command, Failure } from "./command";
import { close, openReader, openWriter } from "./files";
import { type Options, UsageFault } from "./options";
import { baseName, joined } from "./paths";
import { centralHeader, contentStart, endRecord, localHeader, Method, NoZip, readDirectory, saved, type ZipEntry } from "./zip_format";
import { nameMatcher, wallClock } from "./zip_names";

const LEVELS = Object.fromEntries([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((level) => [`level${level}`, [`-${level}`, level === 0 ? "store only" : "how hard to compress"]] as const));
const TABLE = {
  recursive: ["-r, --recurse-paths", "with what is in directories"],
  quiet: ["-q, --quiet", "tell nothing"],
  verbose: ["-v, --verbose", "tell more"],
  delete: ["-d, --delete", "take members out of the archive"],
  update: ["-u, --update", "only what is newer or new"],
  freshen: ["-f, --freshen", "only what is newer"],
  junk: ["-j, --junk-paths", "names without directories"],
  move: ["-m, --move", "remove the files then"],
  noDirectories: ["-D, --no-dir-entries", "no members for directories"],
  symlinks: ["-y, --symlinks", "links as links"],
  exclude: ["-x, --exclude=PATTERN", "leave out what matches"],
  include: ["-i, --include=PATTERN", "only what matches"],
  names: ["-@, --names-stdin", "names from standard input"],
  test: ["-T, --test", "check the archive then"],
  noExtra: ["-X, --no-extra", "ignored"],
  linked: ["-l, --to-crlf", "not supported"],
  encrypt: ["-e, --encrypt", "not supported"],
  password: ["-P, --password=WORD", "not supported"],
  ...(LEVELS as { [K in `level${0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9}`]: readonly [string, string] }),
} as const;

type Given = Options<typeof TABLE>;

const [NOTHING, BAD_ARGUMENTS, NO_FILE] = [12, 16, 15];

/** A member with its bytes as they stand in the archive. */
interface Packed {
  readonly entry: ZipEntry;
  readonly bytes: Uint8Array;
}

/** As zip prints its errors. */
class ZipError {
  constructor(
    readonly message: string,
    readonly status: number,
  ) {}
}

class ZipRun {
  private readonly members = new Map<string, Packed>();
  private readonly level: number;
  private readonly added: string[] = [];
  private changed = false;

  constructor(
    private readonly process: Process,
    private readonly options: Given,
    private readonly archive: string,
  ) {
    const given = options.order.findLast(({ key }) => key.startsWith("level"))?.key;
    this.level = given === undefined ? 6 : Number(given.slice(5));
  }

  async run(names: readonly string[]): Promise<number> {
    const isThere = await this.load();
    if (this.options.has("delete")) this.delete(names);
    else for (const name of await this.listed(names)) await this.add(name);
    if (!this.changed) {
      if (isThere && (this.options.has("update") || this.options.has("freshen"))) return NOTHING;
      if (!isThere || this.options.has("delete")) throw new ZipError(`Nothing to do! (${this.archive})`, NOTHING);
    }
    if (this.members.size === 0) this.out.print("\tzip warning: zip file empty\n");
    await this.save();
    if (this.options.has("move")) for (const name of this.added) if (exists(this.process.context, name, false)) remove(this.process.context, name);
    if (this.options.has("test")) this.process.stdout.print(`test of ${this.archive} OK\n`);
    return 0;
  }

  private say(text: string): void {
    if (!this.options.has("quiet")) this.out.print(text);
  }

  private get out(): Writer {
    return this.archive === "-" ? this.process.stderr : this.process.stdout;
  }

  private async listed(names: readonly string[]): Promise<readonly string[]> {
    if (this.options.has("freshen") && names.length === 0) return [...this.members.keys()].filter((name) => exists(this.process.context, name));
    if (!this.options.has("names")) return names;
    return [...names, ...(await this.process.stdin.text()).split("\n").filter((name) => name !== "")];
  }

  /** What the archive has already; whether it is there. */
  private async load(): Promise<boolean> {
    if (this.archive === "-" || !exists(this.process.context, this.archive)) return false;
    const reader = openReader(this.process, this.archive);
    const bytes = await reader.all();
    close(reader);
    try {
      for (const entry of readDirectory(bytes, wallClock(this.process).fromWall).entries) {
        const start = contentStart(bytes, entry);
        this.members.set(entry.name, { entry, bytes: bytes.subarray(start, start + entry.packed) });
      }
    } catch (error) {
      if (error instanceof NoZip || error instanceof RangeError) throw new ZipError(`Zip file structure invalid (${this.archive})`, 3);
      throw error;
    }
    return true;
  }

  private delete(patterns: readonly string[]): void {
    const names = [...this.members.keys()];
    const gone = names.filter(nameMatcher(patterns));
    this.changed = gone.length > 0;
    const unmatched = patterns.filter((pattern) => !names.some(nameMatcher([pattern])) && !exists(this.process.context, pattern));
    for (const pattern of unmatched) this.out.print(`\tzip warning: name not matched: ${pattern}\n`);
    for (const name of gone) {
      this.members.delete(name);
      this.say(`deleting: ${name}\n`);
    }
  }

  private chosen(name: string): boolean {
    const [excluded, included] = [this.options.list("exclude"), this.options.list("include")];
    return !nameMatcher(excluded)(name) && (included.length === 0 || nameMatcher(included)(name));
  }

  private async add(path: string): Promise<void> {
    if (path === "-") return this.put("-", await this.process.stdin.all(), 0o10600, native.clock.now() / 1000);
    let node: Inode;
    try {
      node = find(this.process.context, path, !this.options.has("symlinks"));
    } catch (error) {
      if (!(error instanceof Errno)) throw error;
      this.out.print(`\tzip warning: name not matched: ${path}\n`);
      return;
    }
    await this.addNode(path.replace(/\/+$/, "") || "/", node);
  }

  private async addNode(path: string, node: Inode): Promise<void> {
    const stored = this.options.has("junk") ? baseName(path) : path.replace(/^(?:\.?\/+)+/, "");
    if (node instanceof Directory) return this.addDirectory(path, stored, node);
    if (!this.chosen(stored) || this.isCurrent(stored, node) || stored === this.archive) return;
    const time = Math.floor(node.mtime / 1000);
    this.added.push(path);
    if (node instanceof Symlink) return this.put(stored, native.text.encode(node.target), node.mode, time, false);
    if (!(node instanceof RegularFile)) return;
    const reader = openReader(this.process, path);
    try {
      await this.put(stored, reader.file.readAll(), node.mode, time);
    } finally {
      close(reader);
    }
  }

  private async addDirectory(path: string, stored: string, node: Directory): Promise<void> {
    const name = `${stored}/`;
    const has = !this.options.has("junk") && !this.options.has("noDirectories") && stored !== "." && stored !== "";
    if (has && this.chosen(name) && !this.isCurrent(name, node)) await this.put(name, new Uint8Array(0), node.mode, Math.floor(node.mtime / 1000));
    if (!this.options.has("recursive")) return;
    for (const child of node.names(this.process.context)) await this.add(joined(path, child));
    this.added.push(path);
  }

  /** Whether -u or -f leaves it as it is. */
  private isCurrent(name: string, node: Inode): boolean {
    const known = this.members.get(name);
    if (this.options.has("freshen") && !known) return true;
    return (this.options.has("freshen") || this.options.has("update")) && known !== undefined && known.entry.time >= Math.floor(node.mtime / 1000);
  }

  private async put(name: string, bytes: Uint8Array, mode: number, time: number, compresses = true): Promise<void> {
    const pieces: Uint8Array[] = [];
    const codec = new Codec("deflate", { level: Math.max(this.level, 1) }, (piece) => void pieces.push(piece));
    await codec.feed(bytes);
    await codec.end();
    const { crc, written } = codec.report;
    const deflated = compresses && this.level > 0 && written! < bytes.length;
    const packed = deflated ? joinedBytes(pieces) : bytes.slice();
    const entry = { name, method: deflated ? Method.deflated : Method.stored, crc, packed: packed.length, size: bytes.length, time: Math.floor(time), mode, encrypted: false, offset: 0, comment: "" };
    const word = this.options.has("freshen") ? "freshening" : this.members.has(name) ? "updating" : "  adding";
    const how = deflated ? `deflated ${saved(bytes.length, packed.length)}%` : "stored 0%";
    this.say(`${word}: ${name}${this.options.has("verbose") ? `\t(in=${bytes.length}) (out=${packed.length})` : ""} (${how})\n`);
    this.members.set(name, { entry, bytes: packed });
    this.changed = true;
  }

  private async save(): Promise<void> {
    const { toWall } = wallClock(this.process);
    const out = this.archive === "-" ? this.process.stdout : openWriter(this.process, this.archive);
    let offset = 0;
    const entries: ZipEntry[] = [];
    const write = async (bytes: Uint8Array): Promise<void> => {
      offset += bytes.length;
      if (bytes.length > 0) await out.write(bytes);
    };
    for (const { entry, bytes } of this.members.values()) {
      entries.push({ ...entry, offset });
      await write(localHeader(entry, toWall(entry.time)));
      await write(bytes);
    }
    const start = offset;
    for (const entry of entries) await write(centralHeader(entry, toWall(entry.time)));
    await write(endRecord(entries.length, offset - start, start, ""));
    if (out !== this.process.stdout) close(out);
  }
}

/** -x and -i take all the names behind them. */
function rewrite(args: readonly string[]): readonly string[] {
  const result: string[] = [];
  let list: string | undefined;
  for (const word of args) {
    if (word === "-x" || word === "-i") list = word;
    else if (word.startsWith("-") && word !== "-") {
      list = undefined;
      result.push(word);
    } else if (word === "@") list = undefined;
    else result.push(...(list === undefined ? [word] : [list, word]));
  }
  return result;
}

export const zip = command({
  name: "zip",
  usage: "[OPTION]... ARCHIVE [FILE]... [-x PATTERN...] [-i PATTERN...]",
  about: "Put files in a zip archive, or change or take out what it has.",
  options: TABLE,
  failure: BAD_ARGUMENTS,
  rewrite,
  async run(process, options, operands) {
    for (const { key } of options.order) if (TABLE[key][1] === "not supported") throw new Failure(`option ${TABLE[key][0].replace(/[= ].*/, "")} is not supported here`, BAD_ARGUMENTS);
    const [name, ...names] = operands;
    if (name === undefined) throw new UsageFault("an archive is needed");
    const archive = name === "-" || /\.[^/]*$/.test(baseName(name)) ? name : `${name}.zip`;
    try {
      return await new ZipRun(process, options, archive).run(names);
    } catch (error) {
      if (error instanceof Errno) throw new Failure(describeErrno(error), NO_FILE);
      if (!(error instanceof ZipError)) throw error;
      (archive === "-" ? process.stderr : process.stdout).print(`\nzip error: ${error.message}\n`);
      return error.status;
    }
  },
});
