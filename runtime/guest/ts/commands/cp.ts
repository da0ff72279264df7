import { then, type Maybe } from "../shell/io/maybe";
import type { Process } from "../shell/process";
import { allowed, R_OK } from "../vfs/access";
import { Errno } from "../vfs/errors";
import { Device, Directory, type Inode, Symlink } from "../vfs/inode";
import { NamedPipe } from "../vfs/named_pipe";
import { chmod } from "../vfs/meta";
import * as tree from "../vfs/tree";
import { find, walk } from "../vfs/walk";
import { Attempts } from "./attempts";
import { Backups } from "./backups";
import { command, Failure } from "./command";
import { copyBytes, copyLink, isWithin, preserve, type Preserve } from "./copying";
import { CP_OPTIONS, type CpOptions, follows, keepsLinks, preserved } from "./cp_options";
import { withParents } from "./cp_parents";
import { mayReplace } from "./overwriting";
import { UsageFault } from "./options";
import { joined, withoutSlashes } from "./paths";
import { nameQuoted } from "./quoting";
import { nodeAt, type Pair, pairs } from "./targets";
import { asIs, following, visits } from "./visits";

/** Thrown where a link that leads nowhere would be written through. */
class Dangling {}

class Copier {
  readonly attempts: Attempts;
  private readonly backups: Backups;
  private readonly keep: Preserve;
  private readonly recursive: boolean;
  private readonly follow: "all" | "operands" | "none";
  /** Directories made, whose modes and times are set when all is in them. */
  private readonly made = new Set<string>();
  /** The same as nodes: a copy into itself does not go on into them. */
  private readonly folders = new Set<Inode>();
  /** Files with several names, and where their first copy is; undefined where names are not kept together. */
  private readonly links: Map<Inode, string> | undefined;
  /** What was written in this run: it is not replaced by another of its sources. */
  private readonly written = new Set<string>();

  constructor(
    private readonly process: Process,
    private readonly options: CpOptions,
  ) {
    this.attempts = new Attempts(process);
    this.backups = Backups.of(process, options);
    this.keep = preserved(options);
    this.links = keepsLinks(options) ? new Map<Inode, string>() : undefined;
    this.recursive = options.has("recursive") || options.has("archive");
    this.follow = options.has("archive") && options.last("archive", "dereference", "commandLine") === "archive" ? "none" : follows(options);
  }

  async copy({ source, target }: Pair): Promise<void> {
    const { context } = this.process;
    const top = this.attempts.try(() => `cannot stat ${nameQuoted(source)}`, () => find(context, source, this.follow !== "none"));
    if (top === undefined) return;
    if (top instanceof Directory && !this.recursive) {
      this.attempts.fail(`-r not specified; omitting directory ${nameQuoted(source)}`);
      return;
    }
    const resolve = this.follow === "all" ? following(context) : asIs;
    const inside = top instanceof Directory && this.isInside(top, target);
    for (const visit of visits(context, source, top, resolve)) {
      const to = visit.depth === 0 ? target : joined(target, visit.path.slice(source.length).replace(/^\/+/, ""));
      if (visit.stage === "file") {
        const done = this.copyFile(visit.path, visit.node, to);
        if (done instanceof Promise) await done;
      } else if (visit.stage === "leave") this.leave(visit.node, to);
      else if (visit.stage === "unreadable") this.attempts.done(() => `cannot access ${nameQuoted(visit.path)}`, () => { throw visit.error; });
      else if ((inside && this.folders.has(visit.node)) || !this.enter(visit.path, to)) visit.skip = true;
      else if (inside && visit.depth === 0) this.attempts.fail(`cannot copy a directory, ${nameQuoted(source)}, into itself, ${nameQuoted(target)}`);
    }
  }

  private isInside(top: Inode, target: string): boolean {
    try {
      const place = walk(this.process.context, withoutSlashes(target));
      return isWithin(top, place.node instanceof Directory ? place.node : place.directory);
    } catch (error) {
      if (error instanceof Errno) return false;
      throw error;
    }
  }

  private enter(source: string, target: string): boolean {
    const old = nodeAt(this.process, target);
    if (old instanceof Directory) return true;
    if (old) {
      this.attempts.fail(`cannot overwrite non-directory ${nameQuoted(target)} with directory ${nameQuoted(source)}`);
      return false;
    }
    const made = this.attempts.done(() => `cannot create directory ${nameQuoted(target)}`, () => tree.mkdir(this.process.context, target, 0o777));
    if (made) {
      this.made.add(target);
      this.folders.add(nodeAt(this.process, target)!);
      this.tell(source, target);
    }
    return made;
  }

  private leave(node: Inode, target: string): void {
    const { process, keep } = this;
    const { context } = process;
    if (!this.made.has(target) && !keep.mode && !keep.timestamps) return;
    this.attempts.done(() => `preserving attributes of ${nameQuoted(target)}`, () => {
      if (this.made.has(target) && !keep.mode) chmod(context, find(context, target), node.permissions & ~context.umask);
      preserve(process, node, target, keep);
    });
  }

  private copyFile(source: string, node: Inode, target: string): Maybe<void> {
    const old = this.oldAt(node, target);
    if (!old) return this.put(source, node, target, false);
    return then(this.mayReplace(source, node, target, old), (yes) => {
      if (yes && this.clear(node, target)) return this.put(source, node, target, true);
    });
  }

  /** Whether links are replaced, or what they lead to is written to. */
  private replacesLinks(node: Inode): boolean {
    const { options } = this;
    return node instanceof Symlink || options.has("remove") || options.has("hardLink") || options.has("symbolicLink");
  }

  private oldAt(node: Inode, target: string): Inode | undefined {
    const old = nodeAt(this.process, target, false);
    return old instanceof Symlink && !this.replacesLinks(node) ? (nodeAt(this.process, target) ?? old) : old;
  }

  /** Makes room for what cannot be written into the file that is there. */
  private clear(node: Inode, target: string): boolean {
    if (this.replacesLinks(node)) return this.attempts.done(() => `cannot remove ${nameQuoted(target)}`, () => this.makeRoom(target));
    return !this.backups.wanted || this.attempts.done(() => `cannot backup ${nameQuoted(target)}`, () => void this.backups.keep(target));
  }

  private put(source: string, node: Inode, target: string, replaces: boolean): Maybe<void> {
    const failed = (error: unknown): Maybe<void> => {
      if (error instanceof Dangling) return this.attempts.fail(`not writing through dangling symlink ${nameQuoted(target)}`);
      if (!(error instanceof Errno)) throw error;
      return this.retried(error, source, node, target, replaces);
    };
    try {
      const done = this.write(source, node, target);
      if (done instanceof Promise) return done.then(() => this.finish(node, source, target), failed);
    } catch (error) {
      return failed(error);
    }
    this.finish(node, source, target);
  }

  /** Tells what went wrong; with -f a file that cannot be written to is removed first. */
  private retried(error: Errno, source: string, node: Inode, target: string, replaces: boolean): Maybe<void> {
    const { process, attempts } = this;
    const denied = error.code === "EACCES";
    if (denied && replaces && this.options.has("force") && attempts.done(() => `cannot remove ${nameQuoted(target)}`, () => tree.unlink(process.context, target))) {
      return this.put(source, node, target, false);
    }
    const unreadable = denied && !allowed(process.context, node, R_OK);
    attempts.done(() => (unreadable ? `cannot open ${nameQuoted(source)} for reading` : `cannot create regular file ${nameQuoted(target)}`), () => { throw error; });
  }

  private finish(node: Inode, source: string, target: string): void {
    const { process } = this;
    this.written.add(target);
    if (!this.options.has("hardLink") && !this.options.has("symbolicLink") && !(node instanceof Device)) {
      this.attempts.done(() => `preserving attributes of ${nameQuoted(target)}`, () => preserve(process, node, target, this.keep));
    }
    this.tell(source, target);
  }

  private write(source: string, node: Inode, target: string): Maybe<void> {
    const { process, options } = this;
    if (options.has("hardLink")) tree.link(process.context, source, target);
    else if (options.has("symbolicLink")) tree.symlink(process.context, source, target);
    else if (node instanceof Symlink) copyLink(process, node, target);
    else if (node instanceof NamedPipe && this.recursive) tree.mkfifo(process.context, target, node.permissions);
    else if (this.linked(node, target)) return;
    else if (this.isDangling(target)) throw new Dangling();
    else if (!options.has("attributes")) return copyBytes(process, source, node, target);
    else if (nodeAt(process, target) === undefined) return copyBytes(process, "/dev/null", find(process.context, "/dev/null"), target);
  }

  private isDangling(target: string): boolean {
    return nodeAt(this.process, target, false) instanceof Symlink && nodeAt(this.process, target) === undefined;
  }

  /** Whether the target became a further name of a copy that was made before. */
  private linked(node: Inode, target: string): boolean {
    if (!this.links || node.nlink < 2) return false;
    const first = this.links.get(node);
    if (first === undefined) this.links.set(node, target);
    else if (nodeAt(this.process, target, false) === undefined) {
      tree.link(this.process.context, first, target);
      return true;
    }
    return false;
  }

  private makeRoom(target: string): void {
    if (this.backups.wanted) this.backups.keep(target);
    else tree.unlink(this.process.context, target);
  }

  private mayReplace(source: string, node: Inode, target: string, old: Inode): Maybe<boolean> {
    const { attempts } = this;
    if (old instanceof Directory) {
      attempts.fail(`cannot overwrite directory ${nameQuoted(target)} with non-directory`);
      return false;
    }
    if (this.written.has(target) && !this.backups.wanted) {
      attempts.fail(`will not overwrite just-created ${nameQuoted(target)} with ${nameQuoted(source)}`);
      return false;
    }
    if (old === node && !this.options.has("noClobber")) {
      if (!this.options.has("hardLink") && !this.backups.wanted) attempts.fail(`${nameQuoted(source)} and ${nameQuoted(target)} are the same file`);
      return this.backups.wanted;
    }
    return mayReplace(this.process, this.options, node, target, old);
  }

  private tell(source: string, target: string): void {
    if (this.options.has("verbose")) this.process.stdout.print(`${nameQuoted(source)} -> ${nameQuoted(target)}\n`);
  }
}

export const cp = command({
  name: "cp",
  usage: ["[OPTION]... [-T] SOURCE DEST", "[OPTION]... SOURCE... DIRECTORY", "[OPTION]... -t DIRECTORY SOURCE..."],
  about: "Copy SOURCE to DEST, or each SOURCE into DIRECTORY.",
  options: CP_OPTIONS,
  async run(process, options, operands) {
    if (options.has("noClobber") && Backups.of(process, options).wanted) throw new UsageFault("options --backup and --no-clobber are mutually exclusive");
    const sources = options.has("strip") ? operands.map(withoutSlashes) : operands;
    let all: Pair[];
    try {
      all = options.has("parents") ? withParents(process, options, sources) : pairs(process, options, sources);
    } catch (error) {
      if (error instanceof Errno) throw new Failure(`cannot stat source: ${error.code}`);
      throw error;
    }
    const copier = new Copier(process, options);
    for (const pair of all) await copier.copy(pair);
    return copier.attempts.status;
  },
});
