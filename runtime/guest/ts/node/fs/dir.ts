/** `fs.opendir`: a directory read entry by entry. */

import { kernel } from "amla:kernel";
import { coded } from "../errors";
import { toPath } from "./arguments";
import { Dirent } from "./stats";

export class Dir {
  private readonly left: Dirent[];
  private closed = false;

  constructor(readonly path: string) {
    const { names, types } = kernel.vfs.readdir(path, "opendir");
    this.left = names.map((name, index) => new Dirent(name, path, types[index]!));
  }

  readSync(): Dirent | null {
    this.demandOpen();
    return this.left.shift() ?? null;
  }

  async read(): Promise<Dirent | null> {
    return this.readSync();
  }

  closeSync(): void {
    this.demandOpen();
    this.closed = true;
  }

  async close(): Promise<void> {
    this.closeSync();
  }

  async *entries(): AsyncGenerator<Dirent> {
    try {
      for (let entry = this.readSync(); entry; entry = this.readSync()) yield entry;
    } finally {
      this.closeSync();
    }
  }

  [Symbol.asyncIterator](): AsyncGenerator<Dirent> {
    return this.entries();
  }

  private demandOpen(): void {
    if (this.closed) throw coded(Error, "ERR_DIR_CLOSED", "Directory handle was closed");
  }
}

export function opendir(path: unknown): Dir {
  return new Dir(toPath(path));
}
