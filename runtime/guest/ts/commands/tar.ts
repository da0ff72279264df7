import { describeErrno } from "../shell/io/errors";
import type { Reader } from "../shell/io/reader";
import type { Process } from "../shell/process";
import { Errno } from "../vfs/errors";
import { O_CREAT, O_RDWR } from "../vfs/flags";
import type { Inode } from "../vfs/inode";
import { open } from "../vfs/open";
import { findDirectory, pathOf } from "../vfs/walk";
import { Broken, type Sink } from "./codec";
import { command, complain, Failure } from "./command";
import { close, openReader, openWriter, readText } from "./files";
import { isGzip } from "./gzip_format";
import { decompress, Packer } from "./gzip_stream";
import { parseMode } from "./modes";
import { UsageFault } from "./options";
import { TarWriter } from "./tar_create";
import { Extractor } from "./tar_extract";
import { Kind, type Member } from "./tar_format";
import { excluder, SafeNames, strip, transformer, Wanted } from "./tar_names";
import { ENTER, type Given, rewrite, TABLE } from "./tar_options";
import { NoArchive, TarParser } from "./tar_parser";
import { escaped, MemberPrinter } from "./tar_print";

const TROUBLE = 2;
const FATAL = "Error is not recoverable: exiting now";
const VCS = [".git", ".svn", "CVS", ".hg", ".bzr", ".gitignore", ".gitmodules", ".gitattributes", ".hgignore", ".bzrignore"];

/** Two lines on stderr, the second of which says that this was the end. */
function fatal(message: string): Failure {
  return new Failure(`${message}\ntar: ${FATAL}`, TROUBLE);
}

class TarRun {
  private failed = false;
  private readonly printer: MemberPrinter;
  private readonly home: string;
  private readonly verbosity: number;

  constructor(
    private readonly process: Process,
    private readonly options: Given,
    private readonly operands: readonly string[],
  ) {
    this.home = process.context.cwd;
    this.verbosity = options.list("verbose").length;
    this.printer = new MemberPrinter({ tz: options.has("utc") ? "UTC" : process.env.get("TZ"), numeric: options.has("numeric"), fullTime: options.has("fullTime") });
  }

  async run(): Promise<number> {
    const mode = this.options.last("create", "extract", "list", "append", "update");
    if (mode === undefined) throw new UsageFault("You must specify one of the '-Acdtrux', '--delete' or '--test-label' options");
    if (mode === "create") await this.create();
    else if (mode === "append" || mode === "update") await this.append(mode === "update");
    else await this.read(mode === "list");
    if (!this.failed) return 0;
    complain(this.process, "Exiting with failure status due to previous errors");
    return TROUBLE;
  }

  private readonly fail = (message: string): void => {
    void this.process.stdout.flush();
    complain(this.process, message);
    this.failed = true;
  };

  private get archive(): string {
    return this.options.value("file") ?? "-";
  }

  private async excluded(): Promise<(name: string) => boolean> {
    const patterns = [...this.options.list("exclude"), ...(this.options.has("excludeVcs") ? VCS : [])];
    for (const file of this.options.list("excludeFrom")) patterns.push(...(await readText(this.process, file)).split("\n").filter((line) => line !== ""));
    return patterns.length === 0 ? () => false : excluder(patterns);
  }

  private async names(): Promise<string[]> {
    const names = [...this.operands];
    const end = this.options.has("nul") ? "\0" : "\n";
    for (const file of this.options.list("filesFrom")) names.push(...(await this.listed(file)).split(end).filter((name) => name !== ""));
    return names;
  }

  private async listed(file: string): Promise<string> {
    try {
      return await readText(this.process, file);
    } catch (error) {
      throw fatal(`${file}: Cannot open: ${describeErrno(error)}`);
    }
  }

  private enter(directory: string): void {
    try {
      this.process.context.cwd = pathOf(findDirectory(this.process.context, directory));
    } catch (error) {
      throw fatal(`${directory}: Cannot open: ${describeErrno(error)}`);
    }
  }

  /** The archive's name counts from where the command was called. */
  private atHome<T>(work: () => T): T {
    const here = this.process.context.cwd;
    this.process.context.cwd = this.home;
    try {
      return work();
    } catch (error) {
      if (error instanceof Errno) throw fatal(`${this.archive}: Cannot open: ${describeErrno(error)}`);
      throw error;
    } finally {
      this.process.context.cwd = here;
    }
  }

  // --- writing

  private get compresses(): boolean {
    return this.options.has("gzip") || this.options.has("program") || (this.options.has("auto") && /\.(t?gz|taz)$/.test(this.archive));
  }

  private told(member: Member, path: string): void {
    if (this.verbosity === 0) return;
    const text = this.verbosity > 1 ? this.printer.long({ ...member, name: path }) : `${escaped(path)}\n`;
    (this.archive === "-" ? this.process.stderr : this.process.stdout).print(text);
  }

  private async writer(sink: Sink, archive: Inode | undefined, known: ReadonlyMap<string, number>, start = 0): Promise<TarWriter> {
    const { options } = this;
    return new TarWriter(this.process, sink, {
      excluded: await this.excluded(), transform: transformer(options.list("transform")), names: new SafeNames(options.has("absolute"), (message) => complain(this.process, message)),
      recursive: options.last("noRecursion", "recursion") !== "noRecursion", follow: options.has("dereference"), owner: owner(options.value("owner")), group: owner(options.value("group")),
      mode: this.mode(), time: this.time(), numeric: options.has("numeric"), known, told: (member, path) => this.told(member, path), fail: this.fail,
    }, archive, start);
  }

  private mode(): ((mode: number, isDirectory: boolean) => number) | undefined {
    const text = this.options.value("mode");
    if (text === undefined) return undefined;
    const change = parseMode(text);
    if (!change) throw new Failure("Invalid mode given on option", TROUBLE);
    return (mode, isDirectory) => change(mode, isDirectory, this.process.context.umask);
  }

  /** Seconds since 1970. */
  private time(): number | undefined {
    const text = this.options.value("mtime");
    if (text === undefined) return undefined;
    const seconds = /^@-?\d+$/.test(text) ? Number(text.slice(1)) : Date.parse(/Z|UTC|[-+]\d\d:?\d\d$/.test(text) ? text : `${text.replace(" ", "T")}${text.length > 10 ? "Z" : ""}`) / 1000;
    if (Number.isNaN(seconds)) throw new Failure(`Invalid value for the option --mtime: ${text}`, TROUBLE);
    return Math.floor(seconds);
  }

  private async create(): Promise<void> {
    const names = await this.names();
    if (names.every((name) => name.startsWith(ENTER)) && !this.options.has("filesFrom")) throw new UsageFault("Cowardly refusing to create an empty archive");
    const out = this.archive === "-" ? this.process.stdout : this.atHome(() => openWriter(this.process, this.archive));
    const sink: Sink = (bytes) => out.write(bytes);
    const packer = this.compresses ? new Packer(sink, 6, { name: undefined, time: 0 }) : undefined;
    const writer = await this.writer(packer ? (bytes) => packer.feed(bytes) : sink, out.file.node, new Map());
    await this.addAll(writer, names);
    await packer?.end();
    if (out !== this.process.stdout) close(out);
  }

  private async addAll(writer: TarWriter, names: readonly string[]): Promise<void> {
    for (const name of names) {
      if (name.startsWith(ENTER)) this.enter(name.slice(1));
      else await writer.add(name);
    }
    const written = await writer.finish();
    if (this.options.has("totals")) this.process.stderr.print(`Total bytes written: ${written}\n`);
    if (this.options.has("removeFiles")) for (const name of names) if (!name.startsWith(ENTER)) await this.process.launch(["rm", "-r", "--", name]);
  }

  private async append(onlyNewer: boolean): Promise<void> {
    if (this.options.has("gzip")) throw fatal("Cannot update compressed archives");
    if (this.archive === "-") throw fatal("Options '-[ru]' need an archive that can be read and written");
    const known = new Map<string, number>();
    const file = this.atHome(() => open(this.process.context, this.archive, O_RDWR | O_CREAT, 0o666));
    file.references += 1;
    const parser = new TarParser((member) => void known.set(member.name, member.time));
    await parser.feed(file.readAll());
    parser.finish();
    file.truncate(parser.end);
    file.seek(0, "end");
    const sink: Sink = (bytes) => void file.write(bytes, null);
    await this.addAll(await this.writer(sink, file.node, onlyNewer ? known : new Map(), parser.end), await this.names());
    if (--file.references === 0) file.close();
  }

  // --- reading

  private async read(lists: boolean): Promise<void> {
    const input = this.archive === "-" ? this.process.stdin : this.atHome(() => openReader(this.process, this.archive));
    const names = await this.names();
    for (const name of names) if (name.startsWith(ENTER)) this.enter(name.slice(1));
    const wanted = new Wanted(names.filter((name) => !name.startsWith(ENTER)), this.options.last("wildcards", "noWildcards") === "wildcards");
    const excluded = await this.excluded();
    const extractor = new Extractor(this.process, {
      toStdout: this.options.has("toStdout"), keepOld: this.options.has("keepOld"), skipOld: this.options.has("skipOld"), keepNewer: this.options.has("keepNewer"),
      exactModes: this.options.last("permissions", "noPermissions") === "permissions", touch: this.options.has("touch"), fail: this.fail,
    });
    const safe = new SafeNames(this.options.has("absolute"), (message) => complain(this.process, message));
    const chosen = (member: Member): boolean => wanted.has(member.name) && !excluded(member.name);
    const parser = new TarParser((member) => (chosen(member) ? (lists ? this.show(member) : this.extract(extractor, safe, member)) : undefined));
    try {
      await this.pump(input, parser);
    } finally {
      if (input !== this.process.stdin) close(input);
    }
    extractor.finish();
    for (const name of wanted.missing) this.fail(`${name}: Not found in archive`);
  }

  private async pump(input: Reader, parser: TarParser): Promise<void> {
    try {
      await this.feed(input, parser);
      if (parser.finish()) throw fatal("Unexpected EOF in archive");
    } catch (error) {
      if (error instanceof Broken) {
        this.process.stderr.print(`\ngzip: stdin: ${error.message}\n`);
        throw fatal("Child returned status 1");
      }
      if (!(error instanceof NoArchive)) throw error;
      this.fail("This does not look like a tar archive");
    }
  }

  /** Compression is seen from the first bytes. */
  private async feed(input: Reader, parser: TarParser): Promise<void> {
    const first = (await input.chunk()).slice();
    if (this.options.has("gzip") || isGzip(first)) {
      await decompress(new Prefixed(input, first) as unknown as Reader, (bytes) => parser.feed(bytes));
      return;
    }
    for (let chunk: Uint8Array = first; chunk.length > 0; chunk = await input.chunk()) await parser.feed(chunk);
  }

  private show(member: Member): undefined {
    this.process.stdout.print(this.verbosity > 0 ? this.printer.long(member) : `${escaped(member.name)}\n`);
  }

  private extract(extractor: Extractor, safe: SafeNames, member: Member): ReturnType<Extractor["member"]> {
    const count = Number(this.options.value("strip") ?? 0);
    const transform = transformer(this.options.list("transform"));
    const name = strip(safe.member(member.name), count);
    if (name === undefined) return undefined;
    if (this.verbosity > 0) {
      const text = this.verbosity > 1 ? this.printer.long(member) : `${escaped(member.name)}\n`;
      (this.options.has("toStdout") ? this.process.stderr : this.process.stdout).print(text);
    }
    const target = member.kind === Kind.hardlink ? transform(strip(safe.link(member.target), count) ?? member.target) : member.target;
    return extractor.member(member, transform(name), target);
  }
}

/** A reader whose first chunk was read already. */
class Prefixed {
  constructor(
    private readonly reader: Reader,
    private first: Uint8Array | undefined,
  ) {}

  chunk(): ReturnType<Reader["chunk"]> {
    const { first } = this;
    this.first = undefined;
    return first ?? this.reader.chunk();
  }
}

/** `NAME`, `NAME:ID`, `ID`. */
function owner(text: string | undefined): { name?: string; id?: number } {
  if (text === undefined) return {};
  const [name, id] = text.split(":");
  if (id !== undefined) return { name: name!, id: Number(id) };
  return /^\d+$/.test(name!) ? { name: "", id: Number(name) } : { name: name! };
}

function refuseUnsupported(options: Given): void {
  for (const { key, value } of options.order) {
    const [flags, help] = TABLE[key];
    if (help === "not supported") throw new Failure(`option ${flags.replace(/[=[].*/, "")} is not supported here`, TROUBLE);
    if (key === "program" && !/^(gzip|gunzip|zcat)\b/.test(value!)) throw new Failure(`--use-compress-program=${value} is not supported here; gzip is`, TROUBLE);
  }
}

export const tar = command({
  name: "tar",
  usage: "[OPTION]... [FILE]...",
  about: "Many files in one: make archives, list them, take files out.",
  options: TABLE,
  failure: TROUBLE,
  rewrite,
  run(process, options, operands) {
    refuseUnsupported(options);
    const home = process.context.cwd;
    return new TarRun(process, options, operands).run().finally(() => {
      process.context.cwd = home; // -C counts for this command alone
    });
  },
});
