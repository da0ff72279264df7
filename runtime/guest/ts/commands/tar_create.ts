/** Files to an archive. */

import type { Process } from "../shell/process";
import { describeErrno } from "../shell/io/errors";
import { Errno } from "../vfs/errors";
import { Directory, type Inode, RegularFile, S_IFIFO, S_IFMT, Symlink } from "../vfs/inode";
import { find } from "../vfs/walk";
import type { Sink } from "./codec";
import { close, openReader } from "./files";
import { ownerName } from "./owners";
import { joined } from "./paths";
import { BLOCK, headerBlocks, Kind, type Member, roundUp } from "./tar_format";
import type { SafeNames } from "./tar_names";

/** Archives come in records of so many bytes. */
const RECORD = 20 * BLOCK;

export interface CreateSettings {
  readonly excluded: (name: string) => boolean;
  readonly transform: (name: string) => string;
  readonly names: SafeNames;
  readonly recursive: boolean;
  readonly follow: boolean;
  readonly owner: { readonly name?: string; readonly id?: number };
  readonly group: { readonly name?: string; readonly id?: number };
  readonly mode: ((mode: number, isDirectory: boolean) => number) | undefined;
  readonly time: number | undefined;
  readonly numeric: boolean;
  /** Members that an archive has already, and when they were changed, in seconds: older files stay out. */
  readonly known: ReadonlyMap<string, number>;
  /** Called with each member, and what it is called outside. */
  readonly told: (member: Member, path: string) => void;
  readonly fail: (message: string) => void;
  /** As `fail`, of what changes no status. */
  readonly warn: (message: string) => void;
}

export class TarWriter {
  private written = 0;
  /** Files with several names, by what they are: the first name. */
  private readonly links = new Map<Inode, string>();

  constructor(
    private readonly process: Process,
    private readonly sink: Sink,
    private readonly settings: CreateSettings,
    /** What stands for the archive: it is left out of itself. */
    private readonly archive: Inode | undefined,
    start = 0,
  ) {
    this.written = start;
  }

  /** A file, or a directory with all that is in it. */
  async add(path: string): Promise<void> {
    if (this.settings.excluded(path)) return;
    let node: Inode;
    try {
      node = find(this.process.context, path, this.settings.follow);
    } catch (error) {
      if (!(error instanceof Errno)) throw error;
      return this.settings.fail(`${path}: Cannot stat: ${describeErrno(error)}`);
    }
    await this.addNode(path, node);
  }

  /** Members of another archive, as they are there. */
  async copy(members: Uint8Array): Promise<void> {
    await this.put(members);
  }

  async finish(): Promise<number> {
    await this.put(new Uint8Array(2 * BLOCK));
    const rest = (RECORD - (this.written % RECORD)) % RECORD;
    await this.put(new Uint8Array(rest));
    return this.written;
  }

  private async put(bytes: Uint8Array): Promise<void> {
    this.written += bytes.length;
    if (bytes.length > 0) await this.sink(bytes);
  }

  private async addNode(path: string, node: Inode): Promise<void> {
    if (node === this.archive) return this.settings.warn(`${path}: file is the archive; not dumped`);
    const isDirectory = node instanceof Directory;
    const shown = isDirectory && !path.endsWith("/") ? `${path}/` : path;
    if (!this.isKnown(shown, node)) await this.member(shown, this.describe(shown, node), node);
    if (!isDirectory || !this.settings.recursive) return;
    for (const name of this.entries(path, node)) await this.add(joined(path, name));
  }

  private isKnown(name: string, node: Inode): boolean {
    const time = this.settings.known.get(name);
    return time !== undefined && Math.floor(node.mtime / 1000) <= time;
  }

  private entries(path: string, node: Directory): string[] {
    try {
      return node.names(this.process.context);
    } catch (error) {
      if (!(error instanceof Errno)) throw error;
      this.settings.fail(`${path}: Cannot open: ${describeErrno(error)}`);
      return [];
    }
  }

  private describe(path: string, node: Inode): Member {
    const { names, transform, owner, group, mode, time, numeric } = this.settings;
    const name = transform(names.member(path));
    const first = node instanceof RegularFile && node.nlink > 1 ? this.links.get(node) : undefined;
    if (node instanceof RegularFile && node.nlink > 1 && first === undefined) this.links.set(node, path);
    const kind = first !== undefined ? Kind.hardlink : node instanceof Symlink ? Kind.symlink : node instanceof Directory ? Kind.directory : (node.mode & S_IFMT) === S_IFIFO ? Kind.fifo : Kind.file;
    const target = first !== undefined ? transform(names.link(first)) : node instanceof Symlink ? node.target : "";
    return {
      name, kind, target, mode: mode ? mode(node.permissions, node instanceof Directory) : node.permissions,
      uid: owner.id ?? node.uid, gid: group.id ?? node.uid, owner: numeric ? "" : (owner.name ?? ownerName(node.uid)),
      group: numeric ? "" : (group.name ?? ownerName(node.uid)), size: kind === Kind.file ? node.size : 0, time: time ?? Math.floor(node.mtime / 1000),
    };
  }

  private async member(path: string, member: Member, node: Inode): Promise<void> {
    if (member.kind !== Kind.file) {
      this.settings.told(member, path);
      for (const block of headerBlocks(member)) await this.put(block);
      return;
    }
    if (!(node instanceof RegularFile)) return this.settings.fail(`${path}: Unknown file type; file ignored`);
    let reader;
    try {
      reader = openReader(this.process, path);
    } catch (error) {
      return this.settings.fail(`${path}: Cannot open: ${describeErrno(error)}`);
    }
    this.settings.told(member, path);
    for (const block of headerBlocks(member)) await this.put(block);
    let left = member.size;
    try {
      while (left > 0) {
        const chunk = await reader.chunk(Math.min(left, 64 * 1024));
        if (chunk.length === 0) break;
        left -= chunk.length;
        await this.put(chunk);
      }
    } finally {
      close(reader);
    }
    await this.put(new Uint8Array(left + roundUp(member.size) - member.size));
  }
}
