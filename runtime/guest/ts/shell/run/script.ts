/** Files in the VFS that are run as commands: by their first line, else as shell scripts. */

import { native } from "../../bridge/native";
import type { RegularFile } from "../../vfs/inode";
import type { Maybe } from "../io/maybe";
import { spawn } from "./birth";
import { isKnown, runCommand } from "./launch";
import { live } from "./life";
import type { Shell } from "./shell";

const SHELLS = new Set(["sh", "bash", "dash"]);

export function runScript(shell: Shell, { path, file }: { path: string; file: RegularFile }, args: readonly string[]): Maybe<number> {
  const source = native.text.decode(file.content.view());
  const interpreter = interpreterOf(source);
  if (interpreter && (interpreter.length > 1 || !SHELLS.has(interpreter[0]!))) {
    if (isKnown(interpreter[0]!)) return live(shell.fork(), (child) => runCommand(child, [...interpreter, path, ...args]));
    shell.warn(`${path}: cannot execute: required file not found`);
    return 127;
  }
  const child = spawn(shell, path);
  child.positional = args;
  return live(child, () => child.runSource(source));
}

/** `#!/usr/bin/env awk -f` gives `["awk", "-f"]`. */
function interpreterOf(source: string): string[] | undefined {
  const [, line] = /^#![ \t]*([^\n]*)/.exec(source) ?? [];
  if (line === undefined) return undefined;
  const words = line.trim().split(/\s+/);
  const program = words[0]!.replace(/^.*\//, "");
  if (program !== "env") return [program, ...words.slice(1)];
  const rest = words.slice(1).filter((word) => word !== "-S");
  return rest.length > 0 ? rest : undefined;
}
