/** Finding the programs that commands run. */

import type { Process } from "../shell/process";
import { allowed, X_OK } from "../vfs/access";
import { Directory } from "../vfs/inode";
import { complain } from "./command";
import { joined } from "./paths";
import { quoted } from "./sizes";
import { nodeAt } from "./targets";

const USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";

function runnable(process: Process, path: string): boolean {
  const node = nodeAt(process, path);
  return node !== undefined && !(node instanceof Directory) && allowed(process.context, node, X_OK);
}

function folders(process: Process, search: string | undefined): string[] {
  return (search ?? process.env.get("PATH") ?? USUAL_PATH).split(":");
}

/** All paths that a program's name leads to, in the order of PATH. */
export function locations(process: Process, name: string): string[] {
  if (name.includes("/")) return runnable(process, name) ? [name] : [];
  return folders(process, undefined).map((folder) => joined(folder || ".", name)).filter((path) => runnable(process, path));
}

const NOT_FOUND = 127;
const REFUSED = 126;

/** 0 where the program can be started; else its status is this one, after a message with `shown` in it. */
export function refusal(process: Process, name: string, shown = quoted(name), search?: string): number {
  const paths = name.includes("/") ? [name] : folders(process, search).map((folder) => joined(folder || ".", name));
  if (paths.some((path) => runnable(process, path))) return 0;
  const there = name.includes("/") && nodeAt(process, name) !== undefined;
  complain(process, `${shown}: ${there ? "Permission denied" : "No such file or directory"}`);
  return there ? REFUSED : NOT_FOUND;
}
