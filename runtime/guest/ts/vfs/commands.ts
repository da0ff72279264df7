/** /bin and /usr/bin: one entry for each command that the shell has, made when asked for. */

import { native } from "../bridge/native";
import { EntrySource, RegularFile, ROOT } from "./inode";
import type { Volume } from "./volume";

/** Who knows the commands. */
export interface CommandList {
  names(): readonly string[];
  has(name: string): boolean;
}

const none: CommandList = { names: () => [], has: () => false };

export class CommandSource implements EntrySource {
  private list = none;
  private readonly files = new Map<string, RegularFile>();

  constructor(private readonly volume: Volume) {}

  register(list: CommandList): void {
    this.list = list;
  }

  names(): readonly string[] {
    return this.list.names();
  }

  lookup(name: string): RegularFile | undefined {
    if (!this.list.has(name)) return undefined;
    const file = this.files.get(name) ?? this.make(name);
    this.files.set(name, file);
    return file;
  }

  private make(name: string): RegularFile {
    const file = this.volume.number(new RegularFile(0o755, ROOT));
    file.content.adopt(native.bytes.utf8Encode(`# ${name} is built into the sandbox's shell\n`));
    return file;
  }
}
