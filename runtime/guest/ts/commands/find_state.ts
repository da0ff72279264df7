/** What a find keeps while it runs. */

import type { Maybe } from "../shell/io/maybe";
import type { Writer } from "../shell/io/writer";
import type { Process } from "../shell/process";
import type { Inode } from "../vfs/inode";
import { Attempts } from "./attempts";
import { close, openWriter } from "./files";
import { unitsFor } from "./locale";
import type { Moment } from "./moments";

/** A file that the expression is about. */
export interface Found {
  readonly path: string;
  /** The last component. */
  readonly name: string;
  /** As found, or what it stands for where links are followed. */
  readonly node: Inode;
  readonly depth: number;
  /** The starting point it was reached from. */
  readonly start: string;
  /** Set where what is in the directory is to be left out. */
  skip?: boolean;
}

export type Check = (found: Found) => Maybe<boolean>;

/** Something that is to be done when no more files come. */
export type Finish = () => Maybe<void>;

export class FindState {
  readonly attempts: Attempts;
  follow: "never" | "operands" | "always" = "never";
  depthFirst = false;
  most = Infinity;
  least = 0;
  /** From when ages are counted; `-daystart` moves it. */
  origin: Moment;
  regexType = "emacs";
  /** The file with the names of starting points, ended by NUL bytes. */
  startList: string | undefined;
  readonly finishes: Finish[] = [];
  /** A text as units of the locale, for patterns. */
  readonly units: (text: string) => string;
  private readonly writers = new Map<string, Writer>();

  constructor(
    readonly process: Process,
    readonly now: Moment,
  ) {
    this.attempts = new Attempts(process);
    this.origin = now;
    this.units = unitsFor(process);
  }

  get tz(): string | undefined {
    return this.process.env.get("TZ");
  }

  /** The file that -fprint and its like write to; opened once. */
  writer(path: string): Writer {
    if (path === "/dev/stdout") return this.process.stdout;
    if (path === "/dev/stderr") return this.process.stderr;
    const writer = this.writers.get(path) ?? openWriter(this.process, path);
    this.writers.set(path, writer);
    return writer;
  }

  async closeWriters(): Promise<void> {
    for (const writer of this.writers.values()) {
      await writer.flush();
      close(writer);
    }
  }
}
