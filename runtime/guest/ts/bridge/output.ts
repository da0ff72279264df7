/** What a run prints: gathered, limited, and sent as frames. */

import { ToHost } from "./frames";
import { native } from "./native";

const FLUSH_AT = 16 * 1024;
const KINDS: Readonly<Record<number, number>> = { 1: ToHost.stdout, 2: ToHost.stderr };

export class Output {
  private fd = 1;
  private text = "";
  private sent = 0;

  /** `limit` in bytes over both streams; what exceeds it is counted by the host and dropped here. */
  constructor(private readonly limit: number) {}

  write(fd: number, data: string | Uint8Array): void {
    if (typeof data !== "string") {
      this.flush();
      this.emit(fd, data, data.length);
      return;
    }
    if (fd !== this.fd) this.flush();
    this.fd = fd;
    this.text += data;
    if (this.text.length >= FLUSH_AT) this.flush();
  }

  flush(): void {
    if (this.text === "") return;
    const text = this.text;
    this.text = "";
    this.emit(this.fd, text, text.length);
  }

  /** Past the limit only lengths go to the host, as an empty frame whose id counts what was dropped. */
  private emit(fd: number, data: string | Uint8Array, length: number): void {
    const kind = KINDS[fd];
    if (kind === undefined) return;
    const over = this.limit > 0 && this.sent >= this.limit;
    this.sent += length;
    if (over) native.host.emit(kind, Math.min(length, 0xffffffff));
    else native.host.emit(kind, 0, data);
  }
}
