/** How much the files may hold. Counts what scripts and mounts made; the system's own files are free. */

import { fail } from "./errors";

/** 0 means no limit. */
export interface Limits {
  /** Bytes of all files together. */
  maxBytes: number;
  /** Files, directories and symbolic links together. */
  maxFiles: number;
}

export class Quota {
  maxBytes = 64 * 1024 * 1024;
  maxFiles = 20_000;
  bytes = 0;
  files = 0;

  configure({ maxBytes = this.maxBytes, maxFiles = this.maxFiles }: Partial<Limits>): void {
    this.maxBytes = maxBytes || Infinity;
    this.maxFiles = maxFiles || Infinity;
  }

  /** Takes `bytes` more (or gives some back when negative). Throws ENOSPC, with nothing taken, beyond the limit. */
  charge(bytes: number): void {
    if (bytes > 0 && this.bytes + bytes > this.maxBytes) {
      fail("ENOSPC", `the sandbox's files may hold ${this.maxBytes} bytes in all (limit: files); remove some first`);
    }
    this.bytes += bytes;
  }

  /** Takes one more file. Throws ENOSPC beyond the limit. */
  addFile(): void {
    if (this.files + 1 > this.maxFiles) {
      fail("ENOSPC", `the sandbox may hold ${this.maxFiles} files in all (limit: file_count); remove some first`);
    }
    this.files += 1;
  }

  removeFile(): void {
    this.files -= 1;
  }
}
