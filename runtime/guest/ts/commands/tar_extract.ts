/** Members of an archive to files. */

import type { Process } from "../shell/process";
import { describeErrno } from "../shell/io/errors";
import type { Writer } from "../shell/io/writer";
import { Errno } from "../vfs/errors";
import { Directory, Symlink } from "../vfs/inode";
import { chmod, exists, utimes } from "../vfs/meta";
import { link, mkdir, mkdirs, symlink, unlink } from "../vfs/tree";
import { find } from "../vfs/walk";
import { close, openWriter } from "./files";
import { dirName } from "./paths";
import { Kind, type Member } from "./tar_format";
import type { Content } from "./tar_parser";
import { quoted } from "./sizes";

export interface ExtractSettings {
  readonly toStdout: boolean;
  readonly keepOld: boolean;
  readonly skipOld: boolean;
  readonly keepNewer: boolean;
  /** Modes as they are, whatever the umask. */
  readonly exactModes: boolean;
  readonly touch: boolean;
  readonly fail: (message: string) => void;
}

export class Extractor {
  /** Directories get their modes and times when all is in them. */
  private readonly directories: { readonly path: string; readonly member: Member }[] = [];

  constructor(
    private readonly process: Process,
    private readonly settings: ExtractSettings,
  ) {}

  /** `path`: what the member is called here. `target`: of a hard link. */
  member(member: Member, path: string, target: string): Content | undefined {
    if (this.settings.toStdout) return member.kind === Kind.file ? (bytes) => (bytes ? this.process.stdout.write(bytes) : undefined) : undefined;
    const name = path.replace(/\/+$/, "") || ".";
    try {
      return this.extract(member, name, target);
    } catch (error) {
      if (!(error instanceof Errno)) throw error;
      this.settings.fail(`${name}: ${failure(member, target)}: ${describeErrno(error)}`);
      return undefined;
    }
  }

  finish(): void {
    for (const { path, member } of this.directories.reverse()) this.finishNode(path, member);
  }

  private extract(member: Member, name: string, target: string): Content | undefined {
    const { context } = this.process;
    if (name.includes("/") && !exists(context, dirName(name))) mkdirs(context, dirName(name), 0o777);
    if (member.kind === Kind.directory) {
      this.directory(name, member);
      return undefined;
    }
    if (!this.makeRoom(name, member)) return undefined;
    if (member.kind === Kind.symlink) {
      symlink(context, member.target, name);
      return undefined;
    }
    if (member.kind === Kind.hardlink) {
      link(context, target, name);
      return undefined;
    }
    return this.file(name, member);
  }

  private directory(name: string, member: Member): void {
    const { context } = this.process;
    const node = exists(context, name) ? find(context, name) : undefined;
    if (!(node instanceof Directory)) {
      if (node) unlink(context, name);
      mkdir(context, name, member.mode | 0o700);
    } else if (this.settings.keepOld || this.settings.skipOld) return;
    this.directories.push({ path: name, member });
  }

  /** Removes what is in the way; false when it is to stay. */
  private makeRoom(name: string, member: Member): boolean {
    const { context } = this.process;
    if (!exists(context, name, false)) return true;
    const { skipOld, keepOld, keepNewer } = this.settings;
    if (skipOld) return false;
    if (keepOld) throw new Errno("EEXIST");
    if (keepNewer && find(context, name, false).mtime / 1000 >= member.time) return false;
    unlink(context, name);
    return true;
  }

  private file(name: string, member: Member): Content {
    const writer: Writer = openWriter(this.process, name);
    return (bytes) => {
      if (bytes) return writer.write(bytes);
      close(writer);
      this.finishNode(name, member);
    };
  }

  private finishNode(path: string, member: Member): void {
    const { context } = this.process;
    if (!exists(context, path, false)) return;
    const node = find(context, path, false);
    if (node instanceof Symlink) return;
    chmod(context, node, this.settings.exactModes ? member.mode : member.mode & 0o777 & ~context.umask);
    if (!this.settings.touch) utimes(context, node, this.now, member.time * 1000);
  }

  private readonly now = Date.now();
}

function failure(member: Member, target: string): string {
  if (member.kind === Kind.symlink) return `Cannot create symlink to ${quoted(member.target)}`;
  if (member.kind === Kind.hardlink) return `Cannot hard link to ${quoted(target)}`;
  return member.kind === Kind.directory ? "Cannot mkdir" : "Cannot open";
}
