import { then, type Maybe } from "../shell/io/maybe";
import type { Process } from "../shell/process";
import { Errno } from "../vfs/errors";
import { Device, Directory, type Inode, RegularFile, Symlink } from "../vfs/inode";
import * as tree from "../vfs/tree";
import { find } from "../vfs/walk";
import { Attempts } from "./attempts";
import { choose } from "./choices";
import { command } from "./command";
import { confirm } from "./confirm";
import { type Options, UsageFault } from "./options";
import { baseName, withoutSlashes } from "./paths";
import { nameQuoted } from "./quoting";
import { nodeAt } from "./targets";
import { type Visit, visits } from "./visits";

const TABLE = {
  directories: ["-d, --dir", "remove empty directories as well"],
  force: ["-f, --force", "no question, and no error for what is not there"],
  interactive: ["-i", "ask before every removal"],
  once: ["-I", "ask once before removing more than three files, or recursively"],
  ask: ["--interactive[=WHEN]", "never, once, or always ask"],
  preserveRoot: ["--preserve-root[=all]", "do not remove / (always so)"],
  noPreserveRoot: ["--no-preserve-root", "ignored: / stays"],
  oneFileSystem: ["--one-file-system", "ignored"],
  recursive: ["-r, -R, --recursive", "remove directories and what is in them"],
  verbose: ["-v, --verbose", "tell of each file"],
} as const;

type Given = Options<typeof TABLE>;

const WHEN: Readonly<Record<string, "never" | "once" | "always">> = {
  never: "never", no: "never", none: "never", once: "once", always: "always", yes: "always",
};

function asking(options: Given): "never" | "once" | "always" {
  const last = options.order.findLast(({ key }) => ["force", "interactive", "once", "ask"].includes(key));
  if (last?.key === "interactive") return "always";
  if (last?.key === "once") return "once";
  if (last?.key !== "ask") return "never";
  return choose(WHEN, last.value ?? "always", "--interactive");
}

/** As rm's questions name a file. */
function describeKind(node: Inode): string {
  if (node instanceof Directory) return "directory";
  if (node instanceof RegularFile) return node.size === 0 ? "regular empty file" : "regular file";
  if (node instanceof Symlink) return "symbolic link";
  return node instanceof Device ? "character special file" : "fifo";
}

class Remover {
  readonly attempts: Attempts;
  private readonly ask: boolean;
  /** A link to a folder, with a slash behind it: only what is in the folder is removed. */
  private kept: string | undefined;

  constructor(
    private readonly process: Process,
    private readonly options: Given,
  ) {
    this.attempts = new Attempts(process);
    this.ask = asking(options) === "always";
  }

  remove(path: string): Maybe<void> {
    const node = this.attempts.try(() => `cannot remove ${nameQuoted(path)}`, () => this.find(path));
    if (node === undefined || this.refuses(path, node)) return;
    const isLink = path.endsWith("/") && nodeAt(this.process, withoutSlashes(path), false) instanceof Symlink;
    if (!this.ask && !this.options.has("verbose") && !isLink && this.atOnce(path, node)) return;
    if (!(node instanceof Directory)) return this.removeOne({ path, name: path, node, depth: 0, stage: "file" });
    this.kept = isLink ? path : undefined;
    return this.removeTree(path, node);
  }

  private find(path: string): Inode | undefined {
    try {
      return find(this.process.context, path, false);
    } catch (error) {
      if (this.options.has("force") && error instanceof Errno && (error.code === "ENOENT" || error.code === "ENOTDIR")) return undefined;
      throw error;
    }
  }

  private refuses(path: string, node: Inode): boolean {
    if (!(node instanceof Directory)) return false;
    const { options, attempts } = this;
    if (!options.has("recursive")) {
      if (options.has("directories")) return false;
      attempts.fail(`cannot remove ${nameQuoted(path)}: Is a directory`);
      return true;
    }
    const name = baseName(path);
    if (name === "." || name === "..") attempts.fail(`refusing to remove '.' or '..' directory: skipping ${nameQuoted(path)}`);
    else if (node.parent === node) {
      const shown = path === "/" ? "'/'" : `${nameQuoted(path)} (same as '/')`;
      attempts.fail(`it is dangerous to operate recursively on ${shown}\n${this.process.name}: use --no-preserve-root to override this failsafe`);
    } else return false;
    return true;
  }

  /** The quick way, where nothing has to be told or asked of single files. */
  private atOnce(path: string, node: Inode): boolean {
    const { context } = this.process;
    try {
      if (!(node instanceof Directory)) tree.unlink(context, path);
      else if (this.options.has("recursive")) tree.remove(context, path);
      else tree.rmdir(context, path);
      return true;
    } catch (error) {
      if (error instanceof Errno) return false;
      throw error;
    }
  }

  private async removeTree(path: string, node: Inode): Promise<void> {
    for (const visit of visits(this.process.context, path, node)) {
      if (visit.stage === "enter") {
        const inside = (visit.node as Directory).entries.size > 0;
        if (!this.options.has("recursive")) visit.skip = true;
        else if (inside && this.ask && !(await confirm(this.process, `descend into directory ${nameQuoted(visit.path)}`))) visit.skip = true;
      } else if (visit.stage !== "unreadable") await this.removeOne(visit);
    }
  }

  private removeOne({ path, node }: Visit): Maybe<void> {
    if (path === this.kept) return this.options.has("force") ? undefined : this.attempts.fail(`cannot remove ${nameQuoted(path)}: Not a directory`);
    if (node instanceof Directory && node.entries.size > 0 && this.ask) return;
    const question = (): Maybe<boolean> => confirm(this.process, `remove ${describeKind(node)} ${nameQuoted(path)}`);
    return then(this.ask ? question() : true, (yes) => {
      if (!yes) return;
      const { context } = this.process;
      const isDirectory = node instanceof Directory;
      const done = this.attempts.done(
        () => `cannot remove ${nameQuoted(path)}`,
        () => (isDirectory ? tree.rmdir(context, path) : tree.unlink(context, path)),
      );
      if (done && this.options.has("verbose")) this.process.stdout.print(`removed ${isDirectory ? "directory " : ""}${nameQuoted(withoutSlashes(path))}\n`);
    });
  }
}

async function agreed(process: Process, options: Given, count: number): Promise<boolean> {
  const recursive = options.has("recursive");
  if (asking(options) !== "once" || (!recursive && count <= 3)) return true;
  return confirm(process, `remove ${count} argument${count === 1 ? "" : "s"}${recursive ? " recursively" : ""}`);
}

export const rm = command({
  name: "rm",
  usage: "[OPTION]... [FILE]...",
  about: "Remove each FILE.",
  options: TABLE,
  async run(process, options, operands) {
    if (operands.length === 0) {
      if (options.has("force")) return 0;
      throw new UsageFault("missing operand");
    }
    if (!(await agreed(process, options, operands.length))) return 0;
    const remover = new Remover(process, options);
    for (const path of operands) await remover.remove(path);
    return remover.attempts.status;
  },
});
