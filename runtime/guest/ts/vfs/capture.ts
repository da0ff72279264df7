/** An open file that gathers what is written to it, for `$(…)`. */

import { joinedBytes } from "../bridge/bytes";
import { native } from "../bridge/native";
import { O_WRONLY } from "./flags";
import { Inode, S_IFIFO, USER } from "./inode";
import { OpenFile } from "./openfile";
import { describe, type Status } from "./status";

class Nowhere extends Inode {
  constructor() {
    super(S_IFIFO | 0o600, USER);
  }
}

const nowhere = new Nowhere();

export class Capture extends OpenFile {
  private text = "";
  /** Bytes that came and are not in `text` yet: a character may be cut in two. */
  private chunks: Uint8Array[] | undefined;

  constructor() {
    super(O_WRONLY);
  }

  override get node(): Inode {
    return nowhere;
  }

  override status(): Status {
    return describe(nowhere);
  }

  override write(source: Uint8Array): number {
    this.adopt(source.slice());
    return source.length;
  }

  override adopt(owned: Uint8Array): void {
    (this.chunks ??= []).push(owned);
  }

  override writeText(text: string): void {
    if (this.chunks) this.settle();
    this.text += text;
  }

  /** All that was written, as a text of the shell's. */
  get captured(): string {
    if (this.chunks) this.settle();
    return this.text;
  }

  private settle(): void {
    const chunks = this.chunks!;
    this.chunks = undefined;
    this.text += native.text.decode(chunks.length === 1 ? chunks[0]! : joinedBytes(chunks));
  }
}
