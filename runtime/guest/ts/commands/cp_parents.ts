/** `cp --parents`. */

import type { Process } from "../shell/process";
import { Directory } from "../vfs/inode";
import * as tree from "../vfs/tree";
import { find } from "../vfs/walk";
import { preserve, type Preserve } from "./copying";
import { type CpOptions, preserved } from "./cp_options";
import { prefixes } from "./mkdir";
import { UsageFault } from "./options";
import { joined, withoutSlashes } from "./paths";
import { nodeAt, type Pair } from "./targets";

/** `--parents`: where a source goes, with the directories on its way made. */
function belowTarget(process: Process, keep: Preserve, verbose: boolean, directory: string, source: string): Pair {
  const { context } = process;
  const whole = joined(directory, withoutSlashes(source).replace(/^\/+/, ""));
  const sources = prefixes(source);
  const targets = prefixes(whole).slice(-prefixes(source.replace(/^\/+/, "")).length);
  targets.slice(0, -1).forEach((target, index) => {
    const from = sources.slice(-targets.length)[index]!;
    if (nodeAt(process, target)) return;
    tree.mkdir(context, target, find(context, from).permissions);
    if (verbose) process.stdout.print(`${from} -> ${target}\n`);
    preserve(process, find(context, from), target, keep);
  });
  return { source, target: whole };
}

export function withParents(process: Process, options: CpOptions, operands: readonly string[]): Pair[] {
  const directory = options.value("directory") ?? operands.at(-1);
  if (directory === undefined || !(nodeAt(process, directory) instanceof Directory)) {
    throw new UsageFault("with --parents, the destination must be a directory");
  }
  const sources = options.value("directory") === undefined ? operands.slice(0, -1) : operands;
  const keep = preserved(options);
  return sources.map((source) => belowTarget(process, keep, options.has("verbose"), directory, source));
}
