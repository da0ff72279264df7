import { describeErrno } from "../shell/io/errors";
import type { Process } from "../shell/process";
import { Errno } from "../vfs/errors";
import { Directory, type Inode, Symlink } from "../vfs/inode";
import { chmod as setMode } from "../vfs/meta";
import { find } from "../vfs/walk";
import { Attempts } from "./attempts";
import { command, Failure } from "./command";
import { type ModeChange, modeText, parseMode } from "./modes";
import { type Options, UsageFault } from "./options";
import { nameQuoted } from "./quoting";
import { quoted } from "./sizes";
import { type Visit, visits } from "./visits";

const TABLE = {
  changes: ["-c, --changes", "tell of each change"],
  silent: ["-f, --silent, --quiet", "no messages"],
  verbose: ["-v, --verbose", "tell of each file"],
  noPreserveRoot: ["--no-preserve-root", "ignored"],
  preserveRoot: ["--preserve-root", "ignored"],
  reference: ["--reference=FILE", "the mode of FILE"],
  recursive: ["-R, --recursive", "change what is in directories as well"],
} as const;

/** `-x`, `-rw+X`: modes that look like options. */
const MODE_WORD = /^-[rwxXstugo0-7][rwxXstugo0-7,=+-]*$/;

/** Puts a mode that begins with a dash where options do not reach. */
function rewrite(args: readonly string[]): readonly string[] {
  const at = args.findIndex((word) => MODE_WORD.test(word));
  const end = args.indexOf("--");
  if (at < 0 || (end >= 0 && end < at)) return args;
  return [...args.filter((word, index) => index !== at && word.startsWith("-") && word !== "--"), "--", args[at]!, ...args.filter((word, index) => index !== at && (!word.startsWith("-") || (end >= 0 && index > end)))];
}

function octal(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(4, "0");
}

class Changer {
  readonly attempts: Attempts;

  constructor(
    private readonly process: Process,
    private readonly options: Options<typeof TABLE>,
    private readonly change: ModeChange,
  ) {
    this.attempts = new Attempts(process);
  }

  apply(path: string): void {
    const { context } = this.process;
    let node: Inode;
    try {
      node = find(context, path, false);
      if (node instanceof Symlink) node = find(context, path);
    } catch (error) {
      const dangling = node! instanceof Symlink && error instanceof Errno && error.code === "ENOENT";
      this.complain(dangling ? `cannot operate on dangling symlink ${nameQuoted(path)}` : `cannot access ${nameQuoted(path)}: ${describeErrno(error)}`);
      return;
    }
    if (!this.options.has("recursive")) return this.set({ path, name: path, node, depth: 0, stage: "file" });
    for (const visit of visits(context, path, node)) {
      if (visit.stage === "unreadable") this.complain(`cannot read directory ${nameQuoted(visit.path)}: ${describeErrno(visit.error)}`);
      else if (visit.stage !== "leave" && !(visit.node instanceof Symlink)) this.set(visit);
    }
  }

  private set({ path, node }: Visit): void {
    const { context } = this.process;
    const old = node.permissions;
    const mode = this.change(old, node instanceof Directory, context.umask);
    try {
      setMode(context, node, mode);
    } catch (error) {
      this.complain(`changing permissions of ${nameQuoted(path)}: ${describeErrno(error)}`);
      return;
    }
    this.tell(path, old, mode);
  }

  private complain(message: string): void {
    if (this.options.has("silent")) this.attempts.status = 1;
    else this.attempts.fail(message);
  }

  private tell(path: string, old: number, mode: number): void {
    const { options } = this;
    if (!options.has("verbose") && (!options.has("changes") || old === mode)) return;
    const words = (bits: number): string => `${octal(bits)} (${modeText(bits).slice(1)})`;
    const text = old === mode ? `retained as ${words(mode)}` : `changed from ${words(old)} to ${words(mode)}`;
    this.process.stdout.print(`mode of ${nameQuoted(path)} ${text}\n`);
  }
}

function referenceChange(process: Process, path: string): ModeChange {
  try {
    const { permissions } = find(process.context, path);
    return () => permissions;
  } catch (error) {
    throw new Failure(`failed to get attributes of ${nameQuoted(path)}: ${describeErrno(error)}`);
  }
}

function changeOf(process: Process, options: Options<typeof TABLE>, operands: string[]): ModeChange {
  const reference = options.value("reference");
  if (reference !== undefined) return referenceChange(process, reference);
  const text = operands.shift();
  if (text === undefined) throw new UsageFault("missing operand");
  const change = parseMode(text);
  if (!change) throw new UsageFault(`invalid mode: ${quoted(text)}`);
  if (operands.length === 0) throw new UsageFault(`missing operand after ${quoted(text)}`);
  return change;
}

export const chmod = command({
  name: "chmod",
  usage: ["[OPTION]... MODE[,MODE]... FILE...", "[OPTION]... OCTAL-MODE FILE...", "[OPTION]... --reference=FILE FILE..."],
  about: "Set the permissions of each FILE: [ugoa]*([-+=]([rwxXst]*|[ugo]))+ or octal digits.",
  options: TABLE,
  rewrite,
  run(process, options, operands) {
    const change = changeOf(process, options, operands);
    if (operands.length === 0) throw new UsageFault("missing operand");
    const changer = new Changer(process, options, change);
    for (const path of operands) changer.apply(path);
    return changer.attempts.status;
  },
});
