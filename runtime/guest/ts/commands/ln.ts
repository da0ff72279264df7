import type { Process } from "../shell/process";
import { Directory, Symlink } from "../vfs/inode";
import * as tree from "../vfs/tree";
import { Attempts } from "./attempts";
import { Backups, BACKUP_OPTIONS } from "./backups";
import { command } from "./command";
import { confirm } from "./confirm";
import { type Options, UsageFault } from "./options";
import { baseName, dirName } from "./paths";
import { nameQuoted } from "./quoting";
import { canonical, relativePath } from "./canonical";
import { nodeAt, type Pair, pairs, TARGET_OPTIONS } from "./targets";

const TABLE = {
  ...BACKUP_OPTIONS,
  directories: ["-d, -F, --directory", "ignored: directories have one name"],
  force: ["-f, --force", "replace what has the name already"],
  interactive: ["-i, --interactive", "ask before something is replaced"],
  logical: ["-L, --logical", "link to what a symbolic link stands for"],
  noDereference: ["-n, --no-dereference", "take a link to a directory as a file"],
  physical: ["-P, --physical", "link to symbolic links themselves"],
  relative: ["-r, --relative", "make the target relative to where the link is"],
  symbolic: ["-s, --symbolic", "make symbolic links"],
  ...TARGET_OPTIONS,
  verbose: ["-v, --verbose", "tell of each link"],
} as const;

type Given = Options<typeof TABLE>;

class Linker {
  readonly attempts: Attempts;
  private readonly backups: Backups;
  private readonly symbolic: boolean;

  constructor(
    private readonly process: Process,
    private readonly options: Given,
  ) {
    this.attempts = new Attempts(process);
    this.backups = Backups.of(process, options);
    this.symbolic = options.has("symbolic");
  }

  async link({ source, target }: Pair): Promise<void> {
    const { attempts } = this;
    if (!this.symbolic && !this.mayLink(source)) return;
    const old = nodeAt(this.process, target, false);
    if (old && !(await this.makeRoom(source, target))) return;
    const kind = this.symbolic ? "symbolic link" : "hard link";
    const arrow = this.symbolic ? "->" : "=>";
    const text = this.textFor(source, target);
    const made = attempts.done(
      () => `failed to create ${kind} ${nameQuoted(target)}${this.symbolic || old ? "" : ` ${arrow} ${nameQuoted(source)}`}`,
      () => (this.symbolic ? tree.symlink(this.process.context, text, target) : this.hardLink(source, target)),
    );
    if (made && this.options.has("verbose")) {
      this.process.stdout.print(`${nameQuoted(target)} ${arrow} ${nameQuoted(text)}\n`);
    }
  }

  private hardLink(source: string, target: string): void {
    const { context } = this.process;
    const follow = this.options.last("logical", "physical") === "logical";
    tree.link(context, follow ? tree.realpath(context, source) : source, target);
  }

  private textFor(source: string, target: string): string {
    if (!this.symbolic || !this.options.has("relative")) return source;
    const { context } = this.process;
    const from = canonical(context, dirName(target), "missing");
    return relativePath(canonical(context, source, "missing"), from);
  }

  private mayLink(source: string): boolean {
    const node = this.attempts.try(() => `failed to access ${nameQuoted(source)}`, () => {
      const found = nodeAt(this.process, source, false);
      return found ?? tree.readlink(this.process.context, source);
    });
    if (!(node instanceof Directory)) return node !== undefined;
    this.attempts.fail(`${source}: hard link not allowed for directory`);
    return false;
  }

  /** Whether the name is free, or may be taken. */
  private async makeRoom(source: string, target: string): Promise<boolean> {
    const { process, options } = this;
    const how = options.last("force", "interactive");
    if (how === undefined && !this.backups.wanted) return true;
    const node = nodeAt(process, target, false);
    if (node instanceof Directory) {
      this.attempts.fail(`${target}: cannot overwrite directory`);
      return false;
    }
    if (how === "interactive" && !(await confirm(process, `replace ${nameQuoted(target)}`))) return false;
    if (!this.symbolic && node === nodeAt(process, source, false) && !this.backups.wanted) {
      if (target === source) this.attempts.fail(`${nameQuoted(source)} and ${nameQuoted(target)} are the same file`);
      return false;
    }
    if (this.symbolic && target === source && !(node instanceof Symlink)) {
      this.attempts.fail(`${nameQuoted(source)} and ${nameQuoted(target)} are the same file`);
      return false;
    }
    const made = this.attempts.try(
      () => `cannot remove ${nameQuoted(target)}`,
      () => (this.backups.wanted ? this.backups.keep(target) : (tree.unlink(process.context, target), target)),
    );
    return made !== undefined;
  }
}

export const ln = command({
  name: "ln",
  usage: ["[OPTION]... TARGET LINK_NAME", "[OPTION]... TARGET", "[OPTION]... TARGET... DIRECTORY", "[OPTION]... -t DIRECTORY TARGET..."],
  about: "Make links to the TARGETs: further names for the same files, or symbolic links.",
  options: TABLE,
  async run(process, options, operands) {
    if (options.has("relative") && !options.has("symbolic")) throw new UsageFault("cannot do --relative without --symbolic", false);
    const alone = operands.length === 1 && options.value("directory") === undefined;
    const all = alone ? [{ source: operands[0]!, target: `./${baseName(operands[0]!)}` }] : pairs(process, options, operands, !options.has("noDereference"));
    const linker = new Linker(process, options);
    for (const pair of all) await linker.link(pair);
    return linker.attempts.status;
  },
});
