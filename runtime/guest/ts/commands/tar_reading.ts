/** What tar does with what is in archives. */

import type { Maybe } from "../shell/io/maybe";
import type { Reader } from "../shell/io/reader";
import { Broken } from "./codec";
import { complain } from "./command";
import { close, openReader } from "./files";
import { isGzip } from "./gzip_format";
import { decompress } from "./gzip_stream";
import { Comparer } from "./tar_compare";
import { Extractor } from "./tar_extract";
import { Kind, type Member } from "./tar_format";
import { inTopLevel, SafeNames, strip, topLevelOf, transformer } from "./tar_names";
import { ENTER } from "./tar_options";
import { type Content, NoArchive, TarParser } from "./tar_parser";
import { fatal, type TarRun } from "./tar_run";

export class TarReading {
  constructor(private readonly run: TarRun) {}

  /** `take` gets each member that is meant, and what it and the member that it links to are called here. */
  private async read(take: (member: Member, name: string, target: string) => Maybe<Content | undefined>): Promise<void> {
    const input = this.run.archive === "-" ? this.run.process.stdin : this.run.atHome(() => openReader(this.run.process, this.run.archive));
    const names = await this.run.names();
    for (const name of names) if (name.startsWith(ENTER)) this.run.enter(name.slice(1));
    const wanted = this.run.wanted(names.filter((name) => !name.startsWith(ENTER)));
    const [excluded, rename, occurs] = [await this.run.excluded(), this.renamer(), this.occurrences()];
    const parser = new TarParser((member) => {
      if (!wanted.has(member.name) || excluded(member.name) || !occurs(member.name)) return undefined;
      const [name, target] = rename(member);
      return name === undefined ? undefined : take(member, name, target);
    });
    try {
      await this.pump(input, parser);
    } finally {
      if (input !== this.run.process.stdin) close(input);
    }
    this.run.tellMissing(wanted);
  }

  /** Whether it is the one that is meant of the members with that name. */
  private occurrences(): (name: string) => boolean {
    if (!this.run.options.has("occurrence")) return () => true;
    const number = Number(this.run.options.value("occurrence") ?? 1);
    const seen = new Map<string, number>();
    return (name) => {
      const count = (seen.get(name) ?? 0) + 1;
      seen.set(name, count);
      return count === number;
    };
  }

  /** What a member, and what it links to, are called here; nothing if no part of its name is left. */
  private renamer(): (member: Member) => [name: string | undefined, target: string] {
    const safe = new SafeNames(this.run.options.has("absolute"), (message) => complain(this.run.process, message));
    const [count, transform, top] = [Number(this.run.options.value("strip") ?? 0), transformer(this.run.options.list("transform")), this.topLevel()];
    const here = (name: string | undefined): string | undefined => {
      const transformed = name === undefined ? undefined : transform(name);
      return transformed === undefined || top === undefined ? transformed : inTopLevel(transformed, top);
    };
    return (member) => {
      const target = member.kind === Kind.hardlink ? (here(strip(safe.link(member.target), count)) ?? member.target) : member.target;
      return [here(strip(safe.member(member.name), count)), target];
    };
  }

  private topLevel(): string | undefined {
    if (!this.run.options.has("topLevel")) return undefined;
    const directory = this.run.options.value("topLevel") ?? topLevelOf(this.run.archive);
    if (directory === undefined) throw fatal("Cannot deduce top-level directory name; please set it explicitly with --one-top-level=DIR");
    return directory;
  }

  list(): Promise<void> {
    const isLong = this.run.options.has("verbose");
    return this.read((member, name) => void this.run.process.stdout.print(this.run.line(this.shown(member, name), isLong)));
  }

  async extract(): Promise<void> {
    const { options } = this.run;
    const extractor = new Extractor(this.run.process, {
      toStdout: options.has("toStdout"), keepOld: options.has("keepOld"), skipOld: options.has("skipOld"), keepNewer: options.has("keepNewer"),
      exactModes: options.last("permissions", "noPermissions") === "permissions", touch: options.has("touch"), fail: this.run.fail,
    });
    await this.read((member, name, target) => {
      this.run.tell(this.shown(member, name), options.has("toStdout"));
      return extractor.member(member, name, target);
    });
    extractor.finish();
  }

  /** Whether anything differs. */
  async compare(): Promise<boolean> {
    const comparer = new Comparer(this.run.process, this.run.warn, this.run.fail);
    await this.read((member, name, target) => {
      this.run.tell(this.shown(member, name), false);
      return comparer.member(member, name, target);
    });
    return comparer.differs;
  }

  private async pump(input: Reader, parser: TarParser): Promise<void> {
    try {
      await this.feed(input, parser);
      if (parser.finish()) throw fatal("Unexpected EOF in archive");
    } catch (error) {
      if (error instanceof Broken) {
        this.run.process.stderr.print(`\ngzip: stdin: ${error.message}\n`);
        throw fatal("Child returned status 1");
      }
      if (!(error instanceof NoArchive)) throw error;
      this.run.fail("This does not look like a tar archive");
    }
  }

  /** Compression is seen from the first bytes. */
  private async feed(input: Reader, parser: TarParser): Promise<void> {
    const first = (await input.chunk()).slice();
    if (this.run.options.has("gzip") || isGzip(first)) {
      await decompress(new Prefixed(input, first) as unknown as Reader, (bytes) => parser.feed(bytes));
      return;
    }
    for (let chunk: Uint8Array = first; chunk.length > 0; chunk = await input.chunk()) await parser.feed(chunk);
  }

  private shown(member: Member, name: string): Member {
    return this.run.options.has("transformed") ? { ...member, name } : member;
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
