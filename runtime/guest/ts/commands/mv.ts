import type { Process } from "../shell/process";
import { Errno } from "../vfs/errors";
import { Directory, type Inode } from "../vfs/inode";
import * as tree from "../vfs/tree";
import { find } from "../vfs/walk";
import { Attempts } from "./attempts";
import { Backups, BACKUP_OPTIONS } from "./backups";
import { command } from "./command";
import { mayReplace, OVERWRITE_OPTIONS } from "./overwriting";
import { type Options, UsageFault } from "./options";
import { withoutSlashes } from "./paths";
import { nameQuoted } from "./quoting";
import { nodeAt, type Pair, pairs, TARGET_OPTIONS } from "./targets";

const TABLE = {
  ...BACKUP_OPTIONS,
  ...OVERWRITE_OPTIONS,
  strip: ["--strip-trailing-slashes", "remove slashes behind sources"],
  ...TARGET_OPTIONS,
  verbose: ["-v, --verbose", "tell of each file"],
  context: ["-Z, --context", "ignored"],
} as const;

class Mover {
  readonly attempts: Attempts;
  private readonly backups: Backups;
  /** What was moved in this run: it is not replaced by another of its sources. */
  private readonly moved = new Set<Inode>();

  constructor(
    private readonly process: Process,
    private readonly options: Options<typeof TABLE>,
  ) {
    this.attempts = new Attempts(process);
    this.backups = Backups.of(process, options);
  }

  async move({ source, target }: Pair): Promise<void> {
    const { context } = this.process;
    const node = this.attempts.try(() => `cannot stat ${nameQuoted(source)}`, () => find(context, source, false));
    if (node === undefined) return;
    const old = nodeAt(this.process, target, false);
    let backup: string | undefined;
    if (old) {
      if (!(await this.mayReplace(source, node, target, old))) return;
      if (this.backups.wanted && old !== node) backup = this.backups.keep(withoutSlashes(target));
    }
    if (!this.rename(source, node, target)) return;
    this.moved.add(node);
    if (this.options.has("verbose")) {
      this.process.stdout.print(`renamed ${nameQuoted(source)} -> ${nameQuoted(target)}${backup === undefined ? "" : ` (backup: ${nameQuoted(backup)})`}\n`);
    }
  }

  private rename(source: string, node: Inode, target: string): boolean {
    const { context } = this.process;
    try {
      if (nodeAt(this.process, target, false) === node) tree.unlink(context, source);
      else tree.rename(context, source, target);
      return true;
    } catch (error) {
      if (!(error instanceof Errno)) throw error;
      const [from, to] = [nameQuoted(source), nameQuoted(target)];
      if (error.code === "EINVAL") this.attempts.fail(`cannot move ${from} to a subdirectory of itself, ${to}`);
      else this.attempts.done(() => `cannot move ${from} to ${to}`, () => { throw error; });
      return false;
    }
  }

  private async mayReplace(source: string, node: Inode, target: string, old: Inode): Promise<boolean> {
    const { attempts, options } = this;
    const [from, to] = [nameQuoted(source), nameQuoted(target)];
    if (old === node && (withoutSlashes(source) === withoutSlashes(target) || node instanceof Directory || node.nlink === 1)) {
      if (options.has("noClobber")) return false;
      attempts.fail(`${from} and ${to} are the same file`);
      return false;
    }
    if (options.has("noClobber")) return false;
    if (this.moved.has(old) && !this.backups.wanted) attempts.fail(`will not overwrite just-created ${to} with ${from}`);
    else if (old instanceof Directory && !(node instanceof Directory)) attempts.fail(`cannot overwrite directory ${to} with non-directory`);
    else if (node instanceof Directory && !(old instanceof Directory)) attempts.fail(`cannot overwrite non-directory ${to} with directory ${from}`);
    else return mayReplace(this.process, options, node, target, old);
    return false;
  }
}

export const mv = command({
  name: "mv",
  usage: ["[OPTION]... [-T] SOURCE DEST", "[OPTION]... SOURCE... DIRECTORY", "[OPTION]... -t DIRECTORY SOURCE..."],
  about: "Rename SOURCE to DEST, or move each SOURCE into DIRECTORY.",
  options: TABLE,
  async run(process, options, operands) {
    const mover = new Mover(process, options);
    if (options.has("noClobber") && Backups.of(process, options).wanted) throw new UsageFault("options --backup and --no-clobber are mutually exclusive");
    const sources = options.has("strip") ? operands.map(withoutSlashes) : operands;
    for (const pair of pairs(process, options, sources)) await mover.move(pair);
    return mover.attempts.status;
  },
});
