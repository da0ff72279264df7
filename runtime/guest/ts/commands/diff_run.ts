/** diff over files and directories. */

import type { Process } from "../shell/process";
import { describeErrno } from "../shell/io/errors";
import { sortTexts } from "../shell/expand/characters";
import { compilePattern, type Pattern } from "../shell/expand/pattern";
import { formatTime } from "../shell/format/time";
import { native } from "../bridge/native";
import { Errno } from "../vfs/errors";
import { Directory, type Inode, RegularFile, Symlink } from "../vfs/inode";
import { find } from "../vfs/walk";
import { complain } from "./command";
import { close, openReader, readText } from "./files";
import { momentOfMs, timeOf } from "./moments";
import { baseName, joined } from "./paths";
import { type Comparison, compareTexts, DiffFlag } from "./diff_text";
import type { Layout, Style } from "./diff_output";
import { nameInHeader } from "./header_names";

export interface Settings {
  readonly style: Style;
  /** The style names the files. */
  readonly hasTitles: boolean;
  readonly layout: (titles: readonly [string, string]) => Layout;
  readonly labels: readonly string[];
  readonly flags: number;
  readonly horizon: number;
  readonly ignores: Parameters<typeof compareTexts>[4];
  readonly brief: boolean;
  readonly identical: boolean;
  readonly text: boolean;
  /** Files that are the same are printed as well. */
  readonly columns: boolean;
  readonly recursive: boolean;
  readonly newFile: boolean;
  readonly newFirst: boolean;
  readonly follow: boolean;
  readonly exclude: readonly string[];
}

const TROUBLE = 2;
/** Bytes at a file's start that tell whether it is text. */
const LOOKED_AT = 4096;

/** A file to compare; without a node it is absent, or standard input. */
interface Side {
  readonly path: string;
  readonly node: Inode | undefined;
}

export class DiffRun {
  private readonly excluded: Pattern[];

  constructor(
    private readonly process: Process,
    private readonly settings: Settings,
    private readonly commandLine: string,
  ) {
    this.excluded = settings.exclude.map((pattern) => patternOf(pattern));
  }

  async excludeFrom(name: string): Promise<void> {
    for (const line of (await readText(this.process, name)).split("\n")) if (line.trim() !== "") this.excluded.push(patternOf(line.trim()));
  }

  /** The status. */
  async operands(left: string, right: string): Promise<number> {
    const sides = this.within(this.side(left), this.side(right));
    const missing = sides.filter(({ path, node }) => node === undefined && path !== "-");
    const absent = (index: 0 | 1): boolean => sides[index].node === undefined && sides[index].path !== "-";
    const takesAbsent = (absent(0) && !absent(1) && this.settings.newFirst) || (absent(1) && !absent(0) && this.settings.newFile);
    if (missing.length > 0 && !takesAbsent) {
      for (const { path } of missing) complain(this.process, `${path}: ${this.reason(path)}`);
      return TROUBLE;
    }
    return this.pair(sides[0], sides[1], true);
  }

  /** A file beside a directory is compared with its namesake there. */
  private within(left: Side, right: Side): [Side, Side] {
    const [l, r] = [left.node instanceof Directory, right.node instanceof Directory];
    if (l && !r && right.node) return [this.side(joined(left.path, baseName(right.path))), right];
    if (r && !l && left.node) return [left, this.side(joined(right.path, baseName(left.path)))];
    return [left, right];
  }

  private side(path: string): Side {
    return { path, node: path === "-" ? undefined : this.lookup(path) };
  }

  private lookup(path: string): Inode | undefined {
    try {
      return find(this.process.context, path, this.settings.follow);
    } catch (error) {
      if (error instanceof Errno) return undefined;
      throw error;
    }
  }

  private reason(path: string): string {
    try {
      find(this.process.context, path);
    } catch (error) {
      return describeErrno(error);
    }
    return "No such file or directory";
  }

  private async pair(left: Side, right: Side, top: boolean): Promise<number> {
    if (left.node instanceof Directory || right.node instanceof Directory) return this.directories(left, right, top);
    if (left.node instanceof Symlink || right.node instanceof Symlink) return this.links(left, right);
    try {
      return await this.files(left, right, top);
    } catch (error) {
      if (!(error instanceof Errno)) throw error;
      complain(this.process, `${left.path}: ${describeErrno(error)}`);
      return TROUBLE;
    }
  }

  // --- directories

  private async directories(left: Side, right: Side, top: boolean): Promise<number> {
    const isDirectory = [left, right].map(({ node }) => node instanceof Directory || node === undefined);
    if (isDirectory.includes(false)) {
      this.process.stdout.print(`File ${this.name(left, 0)} is a ${kindOf(left.node)} while file ${this.name(right, 1)} is a ${kindOf(right.node)}\n`);
      return 1;
    }
    if (!top && !this.settings.recursive) {
      this.process.stdout.print(`Common subdirectories: ${left.path} and ${right.path}\n`);
      return 0;
    }
    let status = 0;
    for (const name of this.names(left, right)) {
      const done = this.entry(left, right, name);
      status = Math.max(status, await done);
      await this.process.stdout.flush();
    }
    return status;
  }

  private names(left: Side, right: Side): string[] {
    const all = [left, right].flatMap(({ node }) => (node instanceof Directory ? node.names(this.process.context) : []));
    return sortTexts([...new Set(all)].filter((name) => !this.excluded.some((pattern) => pattern.test(name))));
  }

  private async entry(left: Side, right: Side, name: string): Promise<number> {
    const sides = [left, right].map(({ path, node }) => {
      const inside = joined(path, name);
      return { path: inside, node: node instanceof Directory && node.names(this.process.context).includes(name) ? this.lookup(inside) : undefined };
    }) as [Side, Side];
    const [l, r] = sides;
    const absentTaken = (l.node === undefined && this.settings.newFirst) || (r.node === undefined && this.settings.newFile);
    if (l.node && r.node) return this.pair(l, r, false);
    if (absentTaken && (this.settings.recursive || !((l.node ?? r.node) instanceof Directory))) return this.pair(l, r, false);
    this.process.stdout.print(`Only in ${l.node ? left.path : right.path}: ${name}\n`);
    return 1;
  }

  private links(left: Side, right: Side): number {
    const targets = [left, right].map(({ node }) => (node instanceof Symlink ? node.target : undefined));
    if (targets[0] !== undefined && targets[0] === targets[1]) return 0;
    const both = !targets.includes(undefined);
    const [l, r] = [left, right];
    this.process.stdout.print(both ? `Symbolic links ${l.path} and ${r.path} differ\n` : `File ${l.path} is a ${kindOf(l.node)} while file ${r.path} is a ${kindOf(r.node)}\n`);
    return 1;
  }

  // --- files

  private async read({ path, node }: Side): Promise<Uint8Array> {
    if (node === undefined && path !== "-") return new Uint8Array(0);
    const reader = openReader(this.process, path);
    try {
      return node instanceof RegularFile ? reader.file.readAll() : await reader.all();
    } finally {
      if (reader !== this.process.stdin) close(reader);
    }
  }

  private async files(left: Side, right: Side, top: boolean): Promise<number> {
    const sameFile = left.node !== undefined && left.node === right.node;
    if (left.path === "-" && right.path === "-") return this.same(left, right);
    const [a, b] = sameFile && !this.settings.columns ? [EMPTY, EMPTY] : [await this.read(left), await this.read(right)];
    const equal = sameFile || (a.length === b.length && native.bytes.compare(a, b) === 0);
    if (equal && !this.settings.columns) return this.same(left, right);
    const binary = !this.settings.text && (isBinary(a) || isBinary(b));
    if (binary) return equal ? this.same(left, right) : this.differ(this.settings.brief ? "Files" : "Binary files", left, right);
    const comparison = compareTexts(a, b, this.settings.flags, this.settings.horizon, this.settings.ignores);
    const changed = comparison.changes.some(({ ignored }) => !ignored);
    if (!changed && !this.settings.columns) return this.same(left, right);
    if (changed && this.settings.brief) return this.differ("Files", left, right);
    const titles = this.settings.hasTitles ? ([this.title(left, 0), this.title(right, 1)] as const) : (["", ""] as const);
    if (!top) await this.process.stdout.write(`${this.commandLine} ${nameInHeader(this.name(left, 0))} ${nameInHeader(this.name(right, 1))}\n`);
    for (const piece of this.settings.style(comparison, this.settings.layout(titles))) await this.process.stdout.write(piece);
    if (!changed) return this.same(left, right);
    return Math.max(1, this.openEnds(comparison, [left, right]));
  }

  private same(left: Side, right: Side): number {
    if (this.settings.identical) this.process.stdout.print(`Files ${this.name(left, 0)} and ${this.name(right, 1)} are identical\n`);
    return 0;
  }

  private differ(what: string, left: Side, right: Side): number {
    this.process.stdout.print(`${what} ${this.name(left, 0)} and ${this.name(right, 1)} differ\n`);
    return 1;
  }

  private name({ path }: Side, index: number): string {
    return this.settings.labels[index] ?? path;
  }

  /** An ed script cannot say that a last line has no end. */
  private openEnds({ left, right }: Comparison, sides: readonly Side[]): number {
    if (!(this.settings.flags & DiffFlag.ignoreOpenEnd)) return 0;
    const open = [left, right].map((lines) => lines.count > 0 && !lines.hasEnd(lines.count - 1));
    for (const [i, isOpen] of open.entries()) if (isOpen) complain(this.process, `${sides[i]!.path}: No newline at end of file\n`);
    return open.includes(true) ? TROUBLE : 0;
  }

  private title({ path, node }: Side, index: number): string {
    const label = this.settings.labels[index];
    if (label !== undefined) return label;
    const moment = node ? timeOf(node, "mtime") : path === "-" ? momentOfMs(native.clock.now()) : { seconds: 0, nanosecond: 0 };
    return `${nameInHeader(path)}\t${formatTime("%Y-%m-%d %H:%M:%S.%N %z", moment.seconds, this.process.env.get("TZ"), moment.nanosecond)}`;
  }
}

const EMPTY = new Uint8Array(0);

function patternOf(text: string): Pattern {
  return compilePattern(text, new Set<string>(), false);
}

function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, LOOKED_AT).includes(0);
}

function kindOf(node: Inode | undefined): string {
  if (node instanceof Directory) return "directory";
  if (node instanceof Symlink) return "symbolic link";
  if (node instanceof RegularFile) return node.size === 0 ? "regular empty file" : "regular file";
  return "character special file";
}
