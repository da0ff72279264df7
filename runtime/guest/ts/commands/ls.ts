import { describeErrno } from "../shell/io/errors";
import type { Command, Process } from "../shell/process";
import { demand, R_OK } from "../vfs/access";
import { Errno } from "../vfs/errors";
import { Directory, type Inode, Symlink } from "../vfs/inode";
import { find } from "../vfs/walk";
import { Attempts } from "./attempts";
import { command, Failure } from "./command";
import { type Entry, entryOf, sortEntries } from "./ls_entry";
import { LS_OPTIONS, type LsOptions, type LsSettings, settings } from "./ls_options";
import { Printer } from "./ls_print";
import { joined } from "./paths";
import { nameQuoted } from "./quoting";

/** A directory that was not an operand could not be listed; an operand could not. */
const MINOR = 1;
const SERIOUS = 2;

class Lister {
  readonly attempts: Attempts;
  private readonly printer: Printer;
  private first = true;

  constructor(
    private readonly process: Process,
    private readonly options: LsOptions,
    private readonly settings: LsSettings,
  ) {
    this.attempts = new Attempts(process);
    this.printer = new Printer(process, settings);
  }

  async list(operands: readonly string[]): Promise<void> {
    const entries = sortEntries((operands.length > 0 ? operands : ["."]).flatMap((path) => this.operand(path)), this.settings);
    const folders = this.options.has("directory") ? [] : entries.filter(({ node }) => node instanceof Directory);
    const files = entries.filter((entry) => !folders.includes(entry));
    if (files.length > 0) {
      this.process.stdout.print(this.printer.list(files));
      this.first = false;
    }
    const titled = operands.length > 1 || this.options.has("recursive");
    const pending = folders.map((entry) => ({ entry, above: [] as Inode[] })).reverse();
    for (let next = pending.pop(); next; next = pending.pop()) {
      const inside = this.folder(next.entry, titled, next.above.length > 0 ? MINOR : SERIOUS);
      if (this.process.stdout.file.full) await this.process.stdout.flush();
      if (!inside || !this.options.has("recursive")) continue;
      const above = [...next.above, next.entry.node];
      for (const entry of inside.reverse()) if (this.enters(entry, above)) pending.push({ entry, above });
    }
  }

  private operand(path: string): Entry[] {
    const { context } = this.process;
    try {
      const node = find(context, path, false);
      const follows = node instanceof Symlink && this.followsOperand(path);
      if (follows) find(context, path);
      return [entryOf(this.process, path, path, node, follows)];
    } catch (error) {
      this.attempts.fail(`cannot access ${nameQuoted(path)}: ${describeErrno(error)}`, SERIOUS);
      return [];
    }
  }

  private followsOperand(path: string): boolean {
    const { options, settings } = this;
    if (options.has("dereference") || options.has("operandLinks")) return true;
    if (!options.has("operandDirectoryLinks") && (options.has("directory") || settings.indicator === "classify" || settings.layout === "long")) return false;
    try {
      return find(this.process.context, path) instanceof Directory;
    } catch (error) {
      if (error instanceof Errno) return false;
      throw error;
    }
  }

  private enters({ node, name, path }: Entry, above: readonly Inode[]): boolean {
    if (!(node instanceof Directory) || name === "." || name === "..") return false;
    if (!above.includes(node)) return true;
    this.attempts.fail(`${path}: not listing already-listed directory`, SERIOUS);
    return false;
  }

  /** Prints what is in a directory; undefined where it cannot be read. */
  private folder({ path, name, node }: Entry, titled: boolean, trouble: number): Entry[] | undefined {
    let entries: Entry[];
    try {
      demand(this.process.context, node, R_OK);
      entries = this.entriesIn(path, node as Directory);
    } catch (error) {
      this.attempts.fail(`cannot open directory ${nameQuoted(path)}: ${describeErrno(error)}`, Math.max(trouble, this.attempts.status));
      return undefined;
    }
    const sorted = sortEntries(entries, this.settings);
    const title = titled ? `${this.first ? "" : "\n"}${this.printer.quoted(name === path ? name : path)}:\n` : "";
    this.first = false;
    this.process.stdout.print(title + this.printer.total(sorted) + this.printer.list(sorted));
    return sorted;
  }

  private entriesIn(path: string, directory: Directory): Entry[] {
    const { context } = this.process;
    const names = [".", "..", ...directory.names(context)].filter((name) => !this.settings.hides(name));
    return names.map((name) => {
      const node = name === "." ? directory : name === ".." ? directory.parent : directory.lookup(name, context)!;
      return entryOf(this.process, name, joined(path, name), node, this.options.has("dereference"));
    });
  }
}

/** `leading`: the options that the name stands for. */
function listing(name: string, leading: readonly string[]): Command {
  return command({
    name,
    usage: "[OPTION]... [FILE]...",
    about: `List each FILE, and what is in it where it is a directory; without FILE the current one.${leading.length > 0 ? `\nThe same as ls ${leading.join(" ")}.` : ""}`,
    options: LS_OPTIONS,
    failure: SERIOUS,
    rewrite: (args) => [...leading, ...args],
    async run(process, options, operands) {
      if (options.has("dired")) throw new Failure("--dired is not supported here", SERIOUS);
      const lister = new Lister(process, options, settings(options, process));
      await lister.list(operands);
      return lister.attempts.status;
    },
  });
}

export const ls = listing("ls", []);
export const dir = listing("dir", ["-C", "-b"]);
export const vdir = listing("vdir", ["-l", "-b"]);
