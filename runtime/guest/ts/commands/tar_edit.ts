/** Archives that are changed where they are. */

import type { Process } from "../shell/process";
import { O_RDWR } from "../vfs/flags";
import type { Inode } from "../vfs/inode";
import { open } from "../vfs/open";
import type { Sink } from "./codec";
import type { Member } from "./tar_format";
import { TarParser } from "./tar_parser";

/** A member, with all that belongs to it among the bytes of its archive. */
interface Extent {
  readonly member: Member;
  readonly start: number;
  readonly end: number;
}

export async function extentsOf(archive: Uint8Array): Promise<Extent[]> {
  const extents: Extent[] = [];
  const parser = new TarParser((member) => void extents.push({ member, start: extents.at(-1)?.end ?? 0, end: parser.end }));
  await parser.feed(archive);
  if (archive.length > 0) parser.finish();
  return extents;
}

export class ArchiveFile {
  private constructor(
    private readonly file: ReturnType<typeof open>,
    private readonly bytes: Uint8Array,
    readonly extents: readonly Extent[],
  ) {}

  static async open(process: Process, path: string, flags: number): Promise<ArchiveFile> {
    const file = open(process.context, path, O_RDWR | flags, 0o666);
    file.references += 1;
    const bytes = file.readAll();
    return new ArchiveFile(file, bytes, await extentsOf(bytes));
  }

  get node(): Inode | undefined {
    return this.file.node;
  }

  /** Writes behind what is there. */
  readonly sink: Sink = (bytes) => void this.file.write(bytes, null);

  /** All other members go, and what ends the archive; how many bytes are left. */
  keep(extents: readonly Extent[]): number {
    const whole = extents.length === this.extents.length;
    const from = whole ? (extents.at(-1)?.end ?? 0) : 0;
    this.file.truncate(from);
    this.file.seek(0, "end");
    if (!whole) for (const { start, end } of extents) this.file.write(this.bytes.subarray(start, end), null);
    return extents.reduce((sum, { start, end }) => sum + end - start, 0);
  }

  close(): void {
    if (--this.file.references === 0) this.file.close();
  }
}
