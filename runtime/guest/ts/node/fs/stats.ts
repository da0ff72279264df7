/** What `stat` and `readdir` answer with. */

import type { Buffer } from "node:buffer";
import type { VfsKernel } from "../../vfs/kernel";
import { constants } from "./flags";

type Status = ReturnType<VfsKernel["stat"]>;

const { S_IFMT, S_IFREG, S_IFDIR, S_IFCHR, S_IFBLK, S_IFIFO, S_IFLNK, S_IFSOCK } = constants;

abstract class Kind {
  protected abstract kind(): number;

  isFile(): boolean {
    return this.kind() === S_IFREG;
  }

  isDirectory(): boolean {
    return this.kind() === S_IFDIR;
  }

  isSymbolicLink(): boolean {
    return this.kind() === S_IFLNK;
  }

  isFIFO(): boolean {
    return this.kind() === S_IFIFO;
  }

  isSocket(): boolean {
    return this.kind() === S_IFSOCK;
  }

  isCharacterDevice(): boolean {
    return this.kind() === S_IFCHR;
  }

  isBlockDevice(): boolean {
    return this.kind() === S_IFBLK;
  }
}

export interface Stats extends Status {
  atime: Date;
  mtime: Date;
  ctime: Date;
  birthtime: Date;
}

export class Stats extends Kind {
  constructor(status: Status) {
    super();
    Object.assign(this, status, dates(status));
  }

  protected override kind(): number {
    return this.mode & S_IFMT;
  }
}

export class BigIntStats extends Kind {
  declare mode: bigint;

  constructor(status: Status) {
    super();
    const whole = Object.entries(status).map(([name, value]) => [name, BigInt(Math.floor(value))] as const);
    const times = whole.filter(([name]) => name.endsWith("Ms"));
    const fine = times.map(([name, value]) => [name.replace("Ms", "Ns"), value * 1_000_000n] as const);
    Object.assign(this, Object.fromEntries([...whole, ...fine]), dates(status));
  }

  protected override kind(): number {
    return Number(this.mode) & S_IFMT;
  }
}

function dates({ atimeMs, mtimeMs, ctimeMs, birthtimeMs }: Status): object {
  return {
    atime: new Date(atimeMs),
    mtime: new Date(mtimeMs),
    ctime: new Date(ctimeMs),
    birthtime: new Date(birthtimeMs),
  };
}

const type = Symbol("type");

/** The numbers that Node shows for an entry's type. */
const SHOWN: Record<number, number> = {
  [S_IFREG]: 1,
  [S_IFDIR]: 2,
  [S_IFLNK]: 3,
  [S_IFIFO]: 4,
  [S_IFSOCK]: 5,
  [S_IFCHR]: 6,
  [S_IFBLK]: 7,
};

export class Dirent extends Kind {
  /** The older name of `parentPath`. */
  declare readonly path: string;
  declare readonly [type]: number;

  constructor(
    readonly name: string | Buffer,
    readonly parentPath: string,
    kind: number,
  ) {
    super();
    this.path = parentPath;
    this[type] = SHOWN[kind] ?? 0;
  }

  protected override kind(): number {
    return Number(Object.keys(SHOWN).find((kind) => SHOWN[Number(kind)] === this[type]) ?? 0);
  }
}
