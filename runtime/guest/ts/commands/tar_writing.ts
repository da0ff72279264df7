/** What tar does to archives. */

import { describeErrno } from "../shell/io/errors";
import { Errno } from "../vfs/errors";
import { O_CREAT } from "../vfs/flags";
import type { Inode } from "../vfs/inode";
import type { Sink } from "./codec";
import { complain, Failure } from "./command";
import { now } from "./date";
import { parsePhrase } from "./date_phrase";
import { close, openReader, openWriter } from "./files";
import { Packer } from "./gzip_stream";
import { parseMode } from "./modes";
import { UsageFault } from "./options";
import { TarWriter } from "./tar_create";
import { ArchiveFile, extentsOf } from "./tar_edit";
import { SafeNames, transformer } from "./tar_names";
import { ENTER } from "./tar_options";
import { NoArchive } from "./tar_parser";
import { fatal, type TarRun, TROUBLE } from "./tar_run";
import { knownName, ownerId } from "./owners";

export class TarWriting {
  constructor(private readonly run: TarRun) {}

  private get compresses(): boolean {
    return this.run.options.has("gzip") || this.run.options.has("program") || (this.run.options.has("auto") && /\.(t?gz|taz)$/.test(this.run.archive));
  }

  private async writer(sink: Sink, archive: Inode | undefined, known: ReadonlyMap<string, number>, start = 0): Promise<TarWriter> {
    const { options, process } = this.run;
    return new TarWriter(process, sink, {
      excluded: await this.run.excluded(), transform: transformer(options.list("transform")), names: new SafeNames(options.has("absolute"), (message) => complain(process, message)),
      recursive: options.last("noRecursion", "recursion") !== "noRecursion", follow: options.has("dereference"), owner: owner(options.value("owner")), group: owner(options.value("group")),
      mode: this.mode(), time: this.time(), numeric: options.has("numeric"), known, told: (member, path) => this.run.tell({ ...member, name: path }, this.run.archive === "-"), fail: this.run.fail, warn: this.run.warn,
    }, archive, start);
  }

  private mode(): ((mode: number, isDirectory: boolean) => number) | undefined {
    const text = this.run.options.value("mode");
    if (text === undefined) return undefined;
    const change = parseMode(text);
    if (!change) throw new Failure("Invalid mode given on option", TROUBLE);
    return (mode, isDirectory) => change(mode, isDirectory, this.run.process.context.umask);
  }

  /** Seconds since 1970. */
  private time(): number | undefined {
    const text = this.run.options.value("mtime");
    if (text === undefined) return undefined;
    const moment = parsePhrase(text, now(), this.run.process.env.get("TZ"));
    if (!moment) throw new Failure(`Invalid value for the option --mtime: ${text}`, TROUBLE);
    return moment.seconds;
  }

  async create(): Promise<void> {
    const names = await this.run.names();
    if (names.every((name) => name.startsWith(ENTER)) && !this.run.options.has("filesFrom")) throw new UsageFault("Cowardly refusing to create an empty archive");
    const out = this.run.archive === "-" ? this.run.process.stdout : this.run.atHome(() => openWriter(this.run.process, this.run.archive));
    const sink: Sink = (bytes) => out.write(bytes);
    const packer = this.compresses ? new Packer(sink, 6, { name: undefined, time: 0 }) : undefined;
    const writer = await this.writer(packer ? (bytes) => packer.feed(bytes) : sink, out.file.node, new Map());
    await this.addAll(writer, names);
    await packer?.end();
    if (out !== this.run.process.stdout) close(out);
  }

  private async addAll(writer: TarWriter, names: readonly string[]): Promise<void> {
    for (const name of names) {
      if (name.startsWith(ENTER)) this.run.enter(name.slice(1));
      else await writer.add(name);
    }
    const written = await writer.finish();
    if (this.run.options.has("totals")) this.run.process.stderr.print(`Total bytes written: ${written}\n`);
    if (this.run.options.has("removeFiles")) for (const name of names) if (!name.startsWith(ENTER)) await this.run.process.launch(["rm", "-r", "--", name]);
  }

  private async editing(flags: number): Promise<ArchiveFile> {
    if (this.run.options.has("gzip")) throw fatal("Cannot update compressed archives");
    if (this.run.archive === "-") throw fatal("An archive that is changed must be a file");
    try {
      return await this.run.atHome(() => ArchiveFile.open(this.run.process, this.run.archive, flags));
    } catch (error) {
      if (error instanceof Errno) throw this.run.unopened(error);
      throw error instanceof NoArchive ? fatal("This does not look like a tar archive") : error;
    }
  }

  async append(onlyNewer: boolean): Promise<void> {
    const archive = await this.editing(O_CREAT);
    const known = new Map(onlyNewer ? archive.extents.map(({ member }) => [member.name, member.time]) : []);
    await this.addAll(await this.writer(archive.sink, archive.node, known, archive.keep(archive.extents)), await this.run.names());
    archive.close();
  }

  async concatenate(): Promise<void> {
    const archive = await this.editing(O_CREAT);
    const writer = await this.writer(archive.sink, archive.node, new Map(), archive.keep(archive.extents));
    for (const name of await this.run.names()) await this.addArchive(writer, name);
    await writer.finish();
    archive.close();
  }

  private async addArchive(writer: TarWriter, name: string): Promise<void> {
    try {
      const reader = openReader(this.run.process, name);
      const bytes = await reader.all();
      close(reader);
      await writer.copy(bytes.subarray(0, (await extentsOf(bytes)).at(-1)?.end ?? 0));
    } catch (error) {
      if (error instanceof NoArchive) this.run.fail("This does not look like a tar archive");
      else this.run.fail(`${name}: Cannot open: ${describeErrno(error)}`);
    }
  }

  async delete(): Promise<void> {
    const archive = await this.editing(0);
    const wanted = this.run.wanted(await this.run.names());
    const kept = archive.extents.filter(({ member }) => !wanted.has(member.name));
    await (await this.writer(archive.sink, archive.node, new Map(), archive.keep(kept))).finish();
    archive.close();
    this.run.tellMissing(wanted);
  }
}

/** `NAME`, `NAME:ID`, `ID`. */
function owner(text: string | undefined): { name?: string; id?: number } {
  if (text === undefined) return {};
  const [name, id] = text.split(":");
  if (id !== undefined) return { name: name!, id: Number(id) };
  return /^\d+$/.test(name!) ? { name: knownName(Number(name)) ?? "", id: Number(name) } : { name: name!, id: ownerId(name!) };
}
