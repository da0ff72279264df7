import type { Process } from "../shell/process";
import { Errno } from "../vfs/errors";
import { Device, Directory, type Inode, Symlink } from "../vfs/inode";
import { chmod } from "../vfs/meta";
import * as tree from "../vfs/tree";
import { find, walk } from "../vfs/walk";
import { Attempts } from "./attempts";
import { Backups, BACKUP_OPTIONS } from "./backups";
import { command, Failure } from "./command";
import { copyBytes, copyLink, isWithin, preserve, type Preserve } from "./copying";
import { prefixes } from "./mkdir";
import { mayReplace, OVERWRITE_OPTIONS } from "./overwriting";
import { type Options, UsageFault } from "./options";
import { joined, withoutSlashes } from "./paths";
import { nameQuoted } from "./quoting";
import { quoted } from "./sizes";
import { nodeAt, type Pair, pairs, TARGET_OPTIONS } from "./targets";
import { asIs, following, visits } from "./visits";

const TABLE = {
  archive: ["-a, --archive", "as -dR --preserve=all"],
  attributes: ["--attributes-only", "make the files, but copy no data"],
  ...BACKUP_OPTIONS,
  contents: ["--copy-contents", "ignored"],
  linksKept: ["-d", "as -P --preserve=links"],
  ...OVERWRITE_OPTIONS,
  commandLine: ["-H", "follow symbolic links that are operands"],
  hardLink: ["-l, --link", "make hard links instead of copies"],
  dereference: ["-L, --dereference", "copy what symbolic links stand for"],
  noDereference: ["-P, --no-dereference", "copy symbolic links as links"],
  preserveUsual: ["-p", "as --preserve=mode,ownership,timestamps"],
  preserve: ["--preserve[=ATTRIBUTES]", "keep mode, ownership, timestamps, links, context, xattr, all"],
  noPreserve: ["--no-preserve=ATTRIBUTES", "do not keep them"],
  parents: ["--parents", "make the directories of each source below the target"],
  recursive: ["-r, -R, --recursive", "copy directories and what is in them"],
  reflink: ["--reflink[=WHEN]", "ignored"],
  remove: ["--remove-destination", "remove what has the name first"],
  sparse: ["--sparse=WHEN", "ignored"],
  strip: ["--strip-trailing-slashes", "remove slashes behind sources"],
  symbolicLink: ["-s, --symbolic-link", "make symbolic links instead of copies"],
  ...TARGET_OPTIONS,
  verbose: ["-v, --verbose", "tell of each file"],
  oneFileSystem: ["-x, --one-file-system", "ignored"],
} as const;

type Given = Options<typeof TABLE>;

const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  mode: ["mode"], timestamps: ["timestamps"], ownership: [], links: [], context: [], xattr: [], all: ["mode", "timestamps"],
};

function attributes(list: string): readonly string[] {
  return list.split(",").flatMap((word) => {
    const known = ATTRIBUTES[word];
    if (!known) throw new UsageFault(`invalid argument ${quoted(word)} for ${quoted("--preserve")}`);
    return known;
  });
}

function preserved(options: Given): Preserve {
  const kept = new Set<string>();
  for (const { key, value } of options.order) {
    if (key === "archive" || key === "preserveUsual") attributes("all").forEach((each) => kept.add(each));
    if (key === "preserve") attributes(value ?? "all").forEach((each) => kept.add(each));
    if (key === "noPreserve") attributes(value!).forEach((each) => kept.delete(each));
  }
  return { mode: kept.has("mode"), timestamps: kept.has("timestamps") };
}

/** Which symbolic links are followed. */
function follows(options: Given): "all" | "operands" | "none" {
  const last = options.last("archive", "linksKept", "commandLine", "dereference", "noDereference");
  if (last === "dereference") return "all";
  if (last === "commandLine") return "operands";
  return last === undefined && !options.has("recursive") && !options.has("hardLink") ? "all" : "none";
}

class Copier {
  readonly attempts: Attempts;
  private readonly backups: Backups;
  private readonly keep: Preserve;
  private readonly recursive: boolean;
  private readonly follow: "all" | "operands" | "none";
  /** Directories made, whose modes and times are set when all is in them. */
  private readonly made = new Set<string>();
  /** What was written in this run: it is not replaced by another of its sources. */
  private readonly written = new Set<Inode>();

  constructor(
    private readonly process: Process,
    private readonly options: Given,
  ) {
    this.attempts = new Attempts(process);
    this.backups = Backups.of(process, options);
    this.keep = preserved(options);
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
      const to = target + (visit.depth === 0 ? "" : `/${visit.path.slice(source.length).replace(/^\/+/, "")}`).replace(/^\/(?=.)/, target.endsWith("/") ? "" : "/");
      if (visit.stage === "leave") this.leave(visit.node, visit.path, to);
      else if (visit.stage === "file") await this.copyFile(visit.path, visit.node, to);
      else if (inside && this.made.has(visit.path)) visit.skip = true;
      else if (visit.stage === "unreadable") this.attempts.done(() => `cannot access ${nameQuoted(visit.path)}`, () => { throw visit.error; });
      else if (!this.enter(visit.path, to)) visit.skip = true;
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
      this.tell(source, target);
    }
    return made;
  }

  private leave(node: Inode, _source: string, target: string): void {
    const { process, keep } = this;
    const { context } = process;
    if (!this.made.has(target) && !keep.mode && !keep.timestamps) return;
    this.attempts.done(() => `preserving attributes of ${nameQuoted(target)}`, () => {
      if (this.made.has(target) && !keep.mode) chmod(context, find(context, target), node.permissions & ~context.umask);
      preserve(process, node, target, keep);
    });
  }

  private async copyFile(source: string, node: Inode, target: string): Promise<void> {
    const { process, options } = this;
    const asLink = node instanceof Symlink;
    let old = nodeAt(process, target, false);
    if (old && !asLink && !options.has("remove") && !options.has("hardLink") && !options.has("symbolicLink")) old = nodeAt(process, target) ?? old;
    if (old) {
      if (!(await this.mayReplace(source, node, target, old))) return;
      if (asLink || options.has("remove") || options.has("hardLink") || options.has("symbolicLink")) {
        if (!this.attempts.done(() => `cannot remove ${nameQuoted(target)}`, () => this.makeRoom(target))) return;
      } else if (this.backups.wanted && !this.attempts.done(() => `cannot backup ${nameQuoted(target)}`, () => void this.backups.keep(target))) return;
    }
    try {
      await this.write(source, node, target);
    } catch (error) {
      if (!(error instanceof Errno)) throw error;
      const unreadable = error.code === "EACCES" && nodeAt(process, target) === undefined ? "open" : undefined;
      if (options.has("force") && old && error.code === "EACCES" && this.attempts.done(() => `cannot remove ${nameQuoted(target)}`, () => tree.unlink(process.context, target))) {
        await this.write(source, node, target);
      } else {
        this.attempts.done(() => (unreadable ? `cannot open ${nameQuoted(source)} for reading` : `cannot create regular file ${nameQuoted(target)}`), () => { throw error; });
        return;
      }
    }
    this.finish(node, source, target);
  }

  private finish(node: Inode, source: string, target: string): void {
    const { process } = this;
    this.written.add(find(process.context, target, false));
    if (!this.options.has("hardLink") && !this.options.has("symbolicLink") && !(node instanceof Device)) {
      this.attempts.done(() => `preserving attributes of ${nameQuoted(target)}`, () => preserve(process, node, target, this.keep));
    }
    this.tell(source, target);
  }

  private async write(source: string, node: Inode, target: string): Promise<void> {
    const { process, options } = this;
    if (options.has("hardLink")) tree.link(process.context, source, target);
    else if (options.has("symbolicLink")) tree.symlink(process.context, source, target);
    else if (node instanceof Symlink) copyLink(process, node, target);
    else if (!options.has("attributes")) await copyBytes(process, source, node, target);
    else if (nodeAt(process, target) === undefined) await copyBytes(process, "/dev/null", find(process.context, "/dev/null"), target);
  }

  private makeRoom(target: string): void {
    if (this.backups.wanted) this.backups.keep(target);
    else tree.unlink(this.process.context, target);
  }

  private async mayReplace(source: string, node: Inode, target: string, old: Inode): Promise<boolean> {
    const { attempts } = this;
    if (old instanceof Directory) {
      attempts.fail(`cannot overwrite directory ${nameQuoted(target)} with non-directory ${nameQuoted(source)}`);
      return false;
    }
    if (this.written.has(old) && !this.backups.wanted) {
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

/** `--parents`: where a source goes, with the directories on its way made. */
function belowTarget(process: Process, keep: Preserve, verbose: boolean, directory: string, source: string): Pair {
  const { context } = process;
  const whole = joined(directory, withoutSlashes(source).replace(/^\/+/, ""));
  const sources = prefixes(source);
  const targets = prefixes(whole).slice(-prefixes(source.replace(/^\/+/, "")).length);
  targets.slice(0, -1).forEach((target, index) => {
    const from = sources.slice(-targets.length)[index]!;
    if (nodeAt(process, target)) return;
    tree.mkdir(context, target, find(context, from).permissions);
    if (verbose) process.stdout.print(`${from} -> ${target}\n`);
    preserve(process, find(context, from), target, keep);
  });
  return { source, target: whole };
}

function withParents(process: Process, options: Given, operands: readonly string[]): Pair[] {
  const directory = options.value("directory") ?? operands.at(-1);
  if (directory === undefined || !(nodeAt(process, directory) instanceof Directory)) {
    throw new UsageFault("with --parents, the destination must be a directory");
  }
  const sources = options.value("directory") === undefined ? operands.slice(0, -1) : operands;
  const keep = preserved(options);
  return sources.map((source) => belowTarget(process, keep, options.has("verbose"), directory, source));
}

export const cp = command({
  name: "cp",
  usage: ["[OPTION]... [-T] SOURCE DEST", "[OPTION]... SOURCE... DIRECTORY", "[OPTION]... -t DIRECTORY SOURCE..."],
  about: "Copy SOURCE to DEST, or each SOURCE into DIRECTORY.",
  options: TABLE,
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
