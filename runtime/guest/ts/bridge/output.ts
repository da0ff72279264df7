/** What a run prints: limited, and gathered in frames (c/cells.h) that the host can show while the script computes. */

import { ToHost } from "./frames";
import { native } from "./native";

const KINDS: Readonly<Record<number, number>> = { 1: ToHost.stdout, 2: ToHost.stderr };

export class Output {
  private sent = 0;
  /** Bytes that were not sent, by the kind of frame that would have carried them. */
  private readonly dropped = new Map<number, number>();

  /** `limit` in bytes over both streams; what exceeds it is counted by the host and dropped here. */
  constructor(private readonly limit: number) {}

  write(fd: number, data: string | Uint8Array): void {
    const kind = KINDS[fd];
    if (kind === undefined) return;
    if (this.limit === 0 || this.sent < this.limit) native.host.print(kind, typeof data === "string" ? data.toWellFormed() : data);
    else this.dropped.set(kind, (this.dropped.get(kind) ?? 0) + data.length);
    this.sent += data.length;
  }

  /** Past the limit only lengths go to the host, as an empty frame whose id counts what was dropped. */
  flush(): void {
    if (this.dropped.size === 0) return;
    for (const [kind, length] of this.dropped) native.host.emit(kind, Math.min(length, 0xffffffff));
    this.dropped.clear();
  }
}
