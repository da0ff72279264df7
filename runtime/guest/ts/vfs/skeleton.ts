/** The tree that every sandbox starts with. */

import { native } from "../bridge/native";
import { CommandSource } from "./commands";
import { devices } from "./devices";
import { Directory, Inode, RegularFile, ROOT, USER } from "./inode";
import type { Volume } from "./volume";

export const WORKSPACE = "/workspace";

const ETC: Record<string, string> = {
  passwd: `root:x:0:0:root:/root:/bin/bash\nuser:x:${USER}:${USER}:user:${WORKSPACE}:/bin/bash\n`,
  group: `root:x:0:\nuser:x:${USER}:\n`,
  hostname: "sandbox\n",
  hosts: "127.0.0.1\tlocalhost sandbox\n",
  "os-release": 'NAME="amla"\nID=amla\nPRETTY_NAME="amla sandbox"\n',
  shells: "/bin/sh\n/bin/bash\n",
};

export function build(volume: Volume, commands: CommandSource): void {
  const place = placer(volume);
  const directory = (permissions: number, uid: number): Directory => new Directory(permissions, uid);
  place(volume.root, "bin", new Directory(0o755, ROOT, commands));
  const usr = place(volume.root, "usr", directory(0o755, ROOT));
  place(usr, "bin", new Directory(0o755, ROOT, commands));
  const etc = place(volume.root, "etc", directory(0o755, ROOT));
  for (const [name, text] of Object.entries(ETC)) place(etc, name, textFile(text));
  const dev = place(volume.root, "dev", directory(0o755, ROOT));
  for (const [name, node] of Object.entries(devices(volume))) place(dev, name, node);
  place(volume.root, "tmp", directory(0o1777, USER));
  place(volume.root, "workspace", directory(0o755, USER));
}

/** Enters a node that is the system's: it costs no quota and has no dates, since none may be baked into the image. */
function placer(volume: Volume): <T extends Inode>(parent: Directory, name: string, node: T) => T {
  return (parent, name, node) => {
    parent.entries.set(name, volume.number(node));
    if (node instanceof Directory) {
      Object.assign(node, { parent, name });
      parent.nlink += 1;
    }
    return node;
  };
}

function textFile(text: string): RegularFile {
  const file = new RegularFile(0o644, ROOT);
  file.content.adopt(native.bytes.utf8Encode(text));
  return file;
}
