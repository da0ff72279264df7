import { describeErrno } from "../shell/io/errors";
import type { Reader } from "../shell/io/reader";
import type { Process } from "../shell/process";
import { formatTime } from "../shell/format/time";
import { Errno } from "../vfs/errors";
import { Directory, type Inode, RegularFile, Symlink } from "../vfs/inode";
import { chmod, exists } from "../vfs/meta";
import { unlink } from "../vfs/tree";
import { find } from "../vfs/walk";
import { Broken, type Sink } from "./codec";
import { command } from "./command";
import { close, openReader, openWriter } from "./files";
import { compress, decompress, type Named, type Sizes, type Unpacked } from "./gzip_stream";
import { type Options, UsageFault } from "./options";
import { baseName, dirName, joined } from "./paths";
import { setTimes } from "./times";

const LEVELS = Object.fromEntries([2, 3, 4, 5, 6, 7, 8].map((level) => [`level${level}`, [`-${level}`, "between -1 and -9"]] as const));
const TABLE = {
  stdout: ["-c, --stdout, --to-stdout", "write to standard output, keep files"],
  decompress: ["-d, --decompress, --uncompress", "decompress"],
  force: ["-f, --force", "overwrite files; with -dc, pass on what is not compressed"],
  keep: ["-k, --keep", "keep files"],
  list: ["-l, --list", "tell of what is compressed"],
  noName: ["-n, --no-name", "neither keep nor restore the name and time"],
  name: ["-N, --name", "keep or restore the name and time"],
  quiet: ["-q, --quiet", "no warnings"],
  recursive: ["-r, --recursive", "work on the files in directories"],
  rsyncable: ["--rsyncable", "ignored"],
  suffix: ["-S, --suffix=SUF", "use SUF in place of .gz"],
  synchronous: ["--synchronous", "ignored"],
  test: ["-t, --test", "check compressed files"],
  verbose: ["-v, --verbose", "tell of each file"],
  level1: ["-1, --fast", "compress quickly"],
  level9: ["-9, --best", "compress well"],
  ascii: ["-a, --ascii", "ignored"],
  ...(LEVELS as { [K in `level${2 | 3 | 4 | 5 | 6 | 7 | 8}`]: readonly [string, string] }),
} as const;

type Given = Options<typeof TABLE>;

const WARNING = 2;
const SUFFIXES = [".gz", "-gz", ".z", "-z", "_z", ".Z"];

/** Ends the work on one file. */
class FileFault {
  constructor(
    readonly message: string,
    readonly status = 1,
  ) {}
}

class GzipRun {
  private status = 0;
  private totals = { plain: 0, packed: 0, framing: 0, files: 0 };
  private readonly level: number;

  constructor(
    private readonly process: Process,
    private readonly options: Given,
    private readonly unpacks: boolean,
    private readonly toStdout: boolean,
  ) {
    const level = options.order.findLast(({ key }) => key.startsWith("level"))?.key;
    this.level = level === undefined ? 6 : Number(level.slice(5));
  }

  async run(operands: readonly string[]): Promise<number> {
    for (const name of operands.length > 0 ? operands : ["-"]) await this.attempt(name);
    if (this.options.has("list") && this.totals.files > 1) this.listLine(this.totals, "(totals)", "");
    return this.status;
  }

  private async attempt(name: string): Promise<void> {
    try {
      await (name === "-" ? this.stream() : this.operand(name));
    } catch (error) {
      if (error instanceof FileFault) this.tell(error.message, error.status);
      else if (error instanceof Broken) this.tell(`\ngzip: ${name === "-" ? "stdin" : name}: ${error.message}`, 1, true);
      else if (error instanceof Errno) this.tell(`${name}: ${describeErrno(error)}`, 1);
      else throw error;
    }
    await this.process.stdout.flush();
  }

  private tell(message: string, status: number, whole = false): void {
    if (!(status !== 1 && this.options.has("quiet"))) this.process.stderr.print(`${whole ? "" : "gzip: "}${message}\n`);
    if (this.status !== 1 && status > 0) this.status = status;
  }

  private say(text: string): void {
    this.process.stderr.print(text);
  }

  // --- operands

  private async operand(name: string): Promise<void> {
    const [path, node] = this.lookup(name);
    if (node instanceof Directory) return this.directory(path, node);
    if (node instanceof Symlink && !this.toStdout && !this.options.has("force")) throw new FileFault(`${path}: Too many levels of symbolic links`);
    if (this.options.has("list")) return this.list(path);
    if (this.options.has("test")) return this.check(path);
    if (this.toStdout) return this.print(path);
    return this.unpacks ? this.unpackFile(path, node) : this.packFile(path, node);
  }

  /** Where a file is not there, the one with the suffix is meant. */
  private lookup(name: string): [path: string, node: Inode] {
    const { context } = this.process;
    const follow = this.toStdout || this.options.has("force") || this.options.has("list") || this.options.has("test");
    const candidates = this.unpacks && !SUFFIXES.some((suffix) => name.endsWith(suffix)) ? [name, `${name}${this.suffix}`] : [name];
    const found = candidates.find((path) => exists(context, path, follow)) ?? candidates.at(-1)!;
    try {
      return [found, find(context, found, follow)];
    } catch (error) {
      throw new FileFault(`${found}: ${describeErrno(error)}`);
    }
  }

  private get suffix(): string {
    return this.options.value("suffix") ?? ".gz";
  }

  private async directory(path: string, node: Directory): Promise<void> {
    if (!this.options.has("recursive")) throw new FileFault(`${path} is a directory -- ignored`, WARNING);
    for (const name of node.names(this.process.context)) await this.attempt(joined(path, name));
  }

  private async reading<T>(path: string, work: (reader: Reader) => Promise<T>): Promise<T> {
    const reader = path === "-" ? this.process.stdin : openReader(this.process, path);
    try {
      return await work(reader);
    } finally {
      if (path !== "-") close(reader);
    }
  }

  private async stream(): Promise<void> {
    if (this.options.has("list")) return this.list("-");
    if (this.options.has("test")) return this.check("-");
    return this.print("-");
  }

  private readonly stdout: Sink = (bytes) => this.process.stdout.write(bytes);

  private async print(path: string): Promise<void> {
    const named = path === "-" ? { name: undefined, time: 0 } : this.named(path, find(this.process.context, path));
    if (this.unpacks) {
      const unpacked = await this.reading(path, (reader) => decompress(reader, this.stdout, this.options.has("force")));
      if (unpacked) this.warnOfGarbage(path, unpacked);
      return;
    }
    const sizes = await this.reading(path, (reader) => compress(this.process, reader, this.stdout, this.level, named));
    if (this.options.has("verbose") && path !== "-") this.say(`${path}:\t${ratio(sizes)}\n`);
  }

  private warnOfGarbage(path: string, { garbage }: Unpacked): void {
    if (garbage) this.tell(`\ngzip: ${path === "-" ? "stdin" : path}: decompression OK, trailing garbage ignored`, WARNING, true);
  }

  // --- files in place

  private named(path: string, node: Inode): Named {
    if (this.options.has("noName")) return { name: undefined, time: 0 };
    return { name: baseName(path), time: Math.floor(node.mtime / 1000) };
  }

  private async packFile(path: string, node: Inode): Promise<void> {
    const suffix = [...SUFFIXES, ".tgz", ".taz", this.suffix].find((each) => path.endsWith(each));
    if (suffix !== undefined && !this.options.has("force")) {
      if (this.options.has("recursive") && !this.options.has("verbose")) return;
      throw new FileFault(`${path} already has ${suffix} suffix -- unchanged`, 0);
    }
    const sizes = await this.replace(path, path + this.suffix, node, (reader, sink) => compress(this.process, reader, sink, this.level, this.named(path, node)));
    this.tellReplaced(path, path + this.suffix, sizes);
  }

  private async unpackFile(path: string, node: Inode): Promise<void> {
    let target = this.plainName(path);
    if (this.options.has("name")) target = (await this.storedName(path)) ?? target;
    const sizes = await this.replace(path, target, node, async (reader, sink) => (await decompress(reader, sink))!);
    this.warnOfGarbage(path, sizes);
    this.tellReplaced(path, target, sizes);
  }

  private plainName(path: string): string {
    const own = this.options.value("suffix");
    const suffix = [...(own === undefined ? [] : [own]), ...SUFFIXES].find((each) => path.endsWith(each) && path.length > each.length);
    if (suffix !== undefined) return path.slice(0, -suffix.length);
    if (/.\.t[ag]z$/.test(path)) return path.replace(/\.t[ag]z$/, ".tar");
    throw new FileFault(`${path}: unknown suffix -- ignored`, WARNING);
  }

  private async storedName(path: string): Promise<string | undefined> {
    const unpacked = await this.reading(path, (reader) => decompress(reader, () => undefined));
    return unpacked?.header.name === undefined ? undefined : joined(dirName(path), baseName(unpacked.header.name)).replace(/^\.\//, "");
  }

  /** Writes the target, and removes the source unless it is to be kept. */
  private async replace<T>(path: string, target: string, node: Inode, work: (reader: Reader, sink: Sink) => Promise<T>): Promise<T> {
    const { context } = this.process;
    if (!(node instanceof RegularFile)) throw new FileFault(`${path} is not a directory or a regular file - ignored`, WARNING);
    if (exists(context, target) && !this.options.has("force")) throw new FileFault(`${target} already exists;\tnot overwritten`, WARNING);
    const writer = openWriter(this.process, target);
    try {
      const result = await this.reading(path, (reader) => work(reader, (bytes) => writer.write(bytes)));
      const made = find(context, target);
      chmod(context, made, node.mode & 0o777);
      setTimes(context, made, node, node);
      if (!this.options.has("keep")) unlink(context, path);
      return result;
    } catch (error) {
      unlink(context, target);
      throw error;
    } finally {
      close(writer);
    }
  }

  private tellReplaced(path: string, target: string, sizes: Sizes): void {
    if (!this.options.has("verbose")) return;
    this.say(`${path}:\t${ratio(sizes)} -- ${this.options.has("keep") ? "created" : "replaced with"} ${target}\n`);
  }

  // --- looking into files

  private async check(path: string): Promise<void> {
    const unpacked = await this.reading(path, (reader) => decompress(reader, () => undefined));
    if (unpacked) this.warnOfGarbage(path, unpacked);
    if (this.options.has("verbose")) this.say(`${path}:\t OK\n`);
  }

  private async list(path: string): Promise<void> {
    const unpacked = (await this.reading(path, (reader) => decompress(reader, () => undefined)))!;
    const name = path === "-" ? "stdout" : this.options.has("name") && unpacked.header.name ? unpacked.header.name : path.replace(/(\.gz|-gz|\.z|-z|_z|\.Z)$/, "");
    if (this.totals.files === 0 && !this.options.has("quiet")) {
      this.process.stdout.print(`${this.options.has("verbose") ? "method  crc     date  time  " : ""}         compressed        uncompressed  ratio uncompressed_name\n`);
    }
    const seconds = unpacked.header.time || (path === "-" ? 0 : Math.floor(find(this.process.context, path).mtime / 1000));
    const when = formatTime("%b %e %H:%M", seconds, this.process.env.get("TZ"));
    this.listLine(unpacked, name, `defla ${unpacked.crc.toString(16).padStart(8, "0")} ${when} `);
    this.totals = { plain: this.totals.plain + unpacked.plain, packed: this.totals.packed + unpacked.packed, framing: this.totals.framing + unpacked.framing, files: this.totals.files + 1 };
  }

  private listLine(sizes: Omit<Sizes, "crc">, name: string, front: string): void {
    const details = this.options.has("verbose") ? front || " ".repeat(27) : "";
    this.process.stdout.print(`${details}${String(sizes.packed).padStart(19)} ${String(sizes.plain).padStart(19)} ${ratio(sizes)} ${name}\n`);
  }
}

/** How much is saved, as gzip shows it. */
function ratio({ plain, packed, framing }: Omit<Sizes, "crc">): string {
  const saved = plain === 0 ? 0 : (100 * (plain - (packed - framing))) / plain;
  return `${saved.toFixed(1).padStart(5)}%`;
}

function compressor(name: string, always: readonly ("decompress" | "stdout")[], about: string) {
  return command({
    name,
    usage: "[OPTION]... [FILE]...",
    about,
    options: TABLE,
    run(process, options, operands) {
      const has = (key: "decompress" | "stdout"): boolean => always.includes(key) || options.has(key);
      if (options.value("suffix") === "") throw new UsageFault("invalid suffix ''");
      const unpacks = has("decompress") || options.has("list") || options.has("test");
      return new GzipRun(process, options, unpacks, has("stdout")).run(operands);
    },
  });
}

export const gzip = compressor("gzip", [], "Compress files in place; standard input where FILE is -, or is not given.");
export const gunzip = compressor("gunzip", ["decompress"], "Decompress files in place; standard input where FILE is -, or is not given.");
export const zcat = compressor("zcat", ["decompress", "stdout"], "Decompress files to standard output.");
