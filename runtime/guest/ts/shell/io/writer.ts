/** Writing to an open file, waiting where it is full. */

import { native } from "../../bridge/native";
import { Errno } from "../../vfs/errors";
import type { OpenFile } from "../../vfs/openfile";
import { Killed, SIGPIPE } from "./signals";
import type { Maybe } from "./maybe";

/** Text that is printed is gathered up to about this many characters. */
const GATHERED = 32 * 1024;

export class Writer {
  private gathered = "";

  constructor(readonly file: OpenFile) {}

  /** Writes what was printed, then `data`. Ends the process when nobody reads any more; throws Errno otherwise. */
  write(data: string | Uint8Array): Maybe<void> {
    if (this.gathered !== "") {
      const text = this.gathered;
      this.gathered = "";
      if (typeof data === "string") return this.put(native.text.encode(text + data));
      const flushed = this.put(native.text.encode(text));
      return flushed instanceof Promise ? flushed.then(() => this.put(data)) : this.put(data);
    }
    return this.put(typeof data === "string" ? native.text.encode(data) : data);
  }

  /** As write, of bytes that the caller gives up. */
  give(owned: Uint8Array): Maybe<void> {
    return this.gathered === "" ? writeTo(this.file, owned, true) : this.write(owned);
  }

  /** Gathers text as C's stdio does: it is written when there is much of it, and when the command ends. Never waits. */
  print(text: string): void {
    this.gathered += text;
    if (this.gathered.length < GATHERED || this.file.full) return;
    const full = this.gathered;
    this.gathered = "";
    void this.put(native.text.encode(full));
  }

  flush(): Maybe<void> {
    if (this.gathered !== "") return this.write("");
  }

  private put(bytes: Uint8Array): Maybe<void> {
    return bytes.length === 0 ? undefined : writeTo(this.file, bytes);
  }
}

/**
 * Writes all, waiting where the file is full. Ends the process when nobody reads any more; throws Errno otherwise.
 * `owned`: the caller gives the bytes up.
 */
export function writeTo(file: OpenFile, data: string | Uint8Array, owned = false): Promise<void> | undefined {
  native.host.poll();
  if (file.full) return new Promise<void>((wake) => file.waitWritable(wake)).then(() => writeTo(file, data, owned));
  try {
    if (typeof data === "string") file.writeText(data);
    else if (owned) file.adopt(data);
    else file.write(data, null);
  } catch (error) {
    if (error instanceof Errno && error.code === "EPIPE") throw new Killed(SIGPIPE);
    throw error;
  }
}
