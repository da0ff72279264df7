/** A run of tar, whatever it does. */

import { describeErrno } from "../shell/io/errors";
import type { Process } from "../shell/process";
import { Errno } from "../vfs/errors";
import { findDirectory, pathOf } from "../vfs/walk";
import { complain, Failure } from "./command";
import { readText } from "./files";
import { escapedInPlace } from "./quoting";
import type { Member } from "./tar_format";
import { excluder, Wanted } from "./tar_names";
import type { Given } from "./tar_options";
import { MemberPrinter } from "./tar_print";

export const TROUBLE = 2;
const FATAL = "Error is not recoverable: exiting now";
const VCS = [".git", ".svn", "CVS", ".hg", ".bzr", ".gitignore", ".gitmodules", ".gitattributes", ".hgignore", ".bzrignore"];

/** Two lines on stderr, the second of which says that this was the end. */
export function fatal(message: string): Failure {
  return new Failure(`${message}\ntar: ${FATAL}`, TROUBLE);
}

/** What all that tar does has in common: its command line, the archive, and how it goes. */
export class TarRun {
  failed = false;
  private readonly printer: MemberPrinter;
  private readonly home: string;

  constructor(
    readonly process: Process,
    readonly options: Given,
    private readonly operands: readonly string[],
  ) {
    this.home = process.context.cwd;
    this.printer = new MemberPrinter({ tz: options.has("utc") ? "UTC" : process.env.get("TZ"), numeric: options.has("numeric"), fullTime: options.has("fullTime") });
  }

  readonly warn = (message: string): void => complain(this.process, message);

  readonly fail = (message: string): void => {
    void this.process.stdout.flush();
    complain(this.process, message);
    this.failed = true;
  };

  get archive(): string {
    return this.options.value("file") ?? "-";
  }

  async excluded(): Promise<(name: string) => boolean> {
    const patterns = [...this.options.list("exclude"), ...(this.options.has("excludeVcs") ? VCS : [])];
    for (const file of this.options.list("excludeFrom")) patterns.push(...(await readText(this.process, file)).split("\n").filter((line) => line !== ""));
    return patterns.length === 0 ? () => false : excluder(patterns);
  }

  async names(): Promise<string[]> {
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

  enter(directory: string): void {
    try {
      this.process.context.cwd = pathOf(findDirectory(this.process.context, directory));
    } catch (error) {
      throw fatal(`${directory}: Cannot open: ${describeErrno(error)}`);
    }
  }

  /** The archive's name counts from where the command was called. */
  atHome<T>(work: () => T): T {
    const here = this.process.context.cwd;
    this.process.context.cwd = this.home;
    try {
      return work();
    } catch (error) {
      if (error instanceof Errno) throw this.unopened(error);
      throw error;
    } finally {
      this.process.context.cwd = here;
    }
  }

  unopened(error: Errno): Failure {
    return fatal(`${this.archive}: Cannot open: ${describeErrno(error)}`);
  }

  wanted(names: readonly string[]): Wanted {
    return new Wanted(names, this.options.last("wildcards", "noWildcards") === "wildcards");
  }

  tellMissing(wanted: Wanted): void {
    for (const name of wanted.missing) this.fail(`${name}: Not found in archive`);
  }

  /** With -v: tells of a member. */
  tell(member: Member, toStderr: boolean): void {
    const verbosity = this.options.list("verbose").length;
    if (verbosity > 0) (toStderr ? this.process.stderr : this.process.stdout).print(this.line(member, verbosity > 1));
  }

  line(member: Member, isLong: boolean): string {
    return isLong ? this.printer.long(member) : `${escapedInPlace(member.name)}\n`;
  }
}
