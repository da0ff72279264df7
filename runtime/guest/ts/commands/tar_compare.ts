/** Members beside the files that they were made of. */

import type { Process } from "../shell/process";
import { describeErrno } from "../shell/io/errors";
import { Errno } from "../vfs/errors";
import { Directory, type Inode, RegularFile, Symlink } from "../vfs/inode";
import { find } from "../vfs/walk";
import { close, openReader } from "./files";
import { Kind, type Member } from "./tar_format";
import type { Content } from "./tar_parser";

export class Comparer {
  differs = false;

  constructor(
    private readonly process: Process,
    private readonly warn: (message: string) => void,
    private readonly fail: (message: string) => void,
  ) {}

  /** `path`: what the member is called here. `target`: of a hard link. */
  member(member: Member, path: string, target: string): Content | undefined {
    const name = path.replace(/\/+$/, "") || ".";
    const node = this.find(name);
    if (!node) return undefined;
    switch (member.kind) {
      case Kind.file: return this.file(member, name, node);
      case Kind.symlink: return this.symlink(member, name, node);
      case Kind.hardlink: return this.hardlink(name, node, target);
      case Kind.directory: return this.directory(member, path, node);
      default: return undefined;
    }
  }

  private report(name: string, difference: string): undefined {
    this.process.stdout.print(`${name}: ${difference}\n`);
    this.differs = true;
  }

  private find(name: string): Inode | undefined {
    try {
      return find(this.process.context, name, false);
    } catch (error) {
      if (!(error instanceof Errno)) throw error;
      this.differs = true;
      if (error.code === "ENOENT") this.warn(`${name}: Warning: Cannot stat: ${describeErrno(error)}`);
      else this.fail(`${name}: Cannot stat: ${describeErrno(error)}`);
      return undefined;
    }
  }

  private file(member: Member, name: string, node: Inode): Content | undefined {
    if (!(node instanceof RegularFile)) return this.report(name, "File type differs");
    this.permissions(member, name, node);
    if (member.uid !== node.uid) this.report(name, "Uid differs");
    if (member.gid !== node.uid) this.report(name, "Gid differs");
    if (member.time !== Math.floor(node.mtime / 1000)) this.report(name, "Mod time differs");
    return member.size === node.size ? this.content(name) : this.report(name, "Size differs");
  }

  private content(name: string): Content | undefined {
    let bytes: Uint8Array;
    try {
      const reader = openReader(this.process, name);
      bytes = reader.file.readAll();
      close(reader);
    } catch (error) {
      this.fail(`${name}: Cannot open: ${describeErrno(error)}`);
      return undefined;
    }
    let at = 0;
    let same = true;
    return (piece) => {
      if (!piece) return same ? undefined : this.report(name, "Contents differ");
      same &&= piece.every((byte, i) => byte === bytes[at + i]);
      at += piece.length;
    };
  }

  private symlink(member: Member, name: string, node: Inode): undefined {
    if (!(node instanceof Symlink)) this.fail(`${name}: Cannot readlink: Invalid argument`);
    else if (node.target !== member.target) this.report(name, "Symlink differs");
  }

  private hardlink(name: string, node: Inode, target: string): undefined {
    const other = this.find(target);
    if (other && other !== node) this.report(name, `Not linked to ${target}`);
  }

  private directory(member: Member, path: string, node: Inode): undefined {
    if (!(node instanceof Directory)) this.report(path, "File type differs");
    else this.permissions(member, path, node);
  }

  private permissions(member: Member, name: string, node: Inode): void {
    if (member.mode !== node.permissions) this.report(name, "Mode differs");
  }
}
