/** The options of a command, as its own `--help` tells them. */

import { commands } from "../../commands/table";
import { ShellProcess } from "../../shell/run/launch";
import { live } from "../../shell/run/life";
import type { Shell } from "../../shell/run/shell";
import { Capture } from "../../vfs/capture";
import type { Candidate } from "./slot";

/** `  -k, --key=KEYDEF      what it does`; the help may begin on the next line. */
const ROW = /^ {1,8}(-[^\s,=[]+(?:[ =[]\S*)?(?:, *--?[^\s,]+)*)(?:(?: {2,}|\n {20,})(\S.*))?$/gm;
const FLAG = /^--?[\w?][\w-]*(?:=(?=\w))?|^-[^\s,=[]/;

/** What commands have said so far: one that loads something first says it later. */
const helps = new Map<string, Capture>();

/** None for what is no command of ours, or has no help. */
export function optionsOf(shell: Shell, command: string): Candidate[] {
  const name = command.replace(/^\/(?:usr\/)?bin\//, "");
  if (!commands.has(name)) return [];
  let help = helps.get(name);
  if (!help) helps.set(name, (help = helpOf(shell, name)));
  return parse(help.captured);
}

function helpOf(shell: Shell, name: string): Capture {
  const child = shell.fork();
  const capture = new Capture();
  const { descriptors } = child.context;
  descriptors.set(1, capture);
  descriptors.set(2, new Capture());
  void live(child, () => commands.get(name)!(new ShellProcess(child, [name, "--help"])));
  return capture;
}

function parse(help: string): Candidate[] {
  const found: Candidate[] = [];
  for (const [, flags, about = ""] of help.matchAll(ROW)) {
    const spelt = flags!.split(/, */).map((flag) => FLAG.exec(flag)?.[0]).filter((flag) => flag !== undefined);
    for (const flag of spelt) found.push([flag, "option", about]);
  }
  return found;
}
