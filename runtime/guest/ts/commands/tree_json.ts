/** Trees as tree -J prints them. */

import { formatTime } from "../shell/format/time";
import type { Process } from "../shell/process";
import { Directory, type Inode, Symlink } from "../vfs/inode";
import { HUMAN, scaled } from "./human";
import { type Entry, leadsToDirectory } from "./ls_entry";
import { modeText } from "./modes";
import { timeOf } from "./moments";
import { ownerName } from "./owners";
import { withoutSlashes } from "./paths";
import { nodeAt } from "./targets";
import type { TreeEntries } from "./tree_entries";
import type { TreeGiven } from "./tree_options";

const HALF_A_YEAR = 15_778_476;

/** When a file was changed; long ago, or in the future, with the year in place of the time. */
export function changedAt(process: Process, options: TreeGiven, node: Inode): string {
  const { seconds } = timeOf(node, "mtime");
  const age = Date.now() / 1000 - seconds;
  const usual = age > HALF_A_YEAR || age < -60 ? "%b %e  %Y" : "%b %e %H:%M";
  return formatTime(options.value("timeFormat") ?? usual, seconds, process.env.get("TZ"));
}

class JsonTree {
  folders = 0;
  files = 0;

  constructor(
    private readonly process: Process,
    private readonly options: TreeGiven,
    private readonly entries: TreeEntries,
  ) {}

  root(path: string, node: Directory): string {
    if (this.entries.of(withoutSlashes(path), node)?.length) this.folders += 1;
    return this.entry({ name: path, path: withoutSlashes(path), node, aim: undefined }, path, node, [node]);
  }

  private entry(entry: Entry, shown: string, enters: Directory | undefined, chain: readonly Directory[]): string {
    const { node } = entry;
    const facts = Object.entries({ type: node instanceof Directory ? "directory" : node instanceof Symlink ? "link" : "file", name: shown, ...this.facts(node) });
    const members = facts.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(",");
    const inside = enters && chain.length <= this.entries.depth ? this.contents(entry.path, enters, chain) : [];
    if (inside.length === 0) return `{${members}}`;
    const lead = this.lead(chain.length + 1);
    return `{${members},"contents":[${lead}${inside.join(`,${lead}`)}${this.lead(chain.length)}]}`;
  }

  private contents(path: string, directory: Directory, chain: readonly Directory[]): string[] {
    return (this.entries.of(path, directory) ?? []).map((entry) => {
      if (leadsToDirectory(entry)) this.folders += 1;
      else this.files += 1;
      const enters = this.entries.enters(entry, chain);
      return this.entry(entry, this.options.has("full") ? entry.path : entry.name, enters, enters ? [...chain, enters] : chain);
    });
  }

  private lead(depth: number): string {
    return this.options.has("noIndent") ? "" : `\n${"  ".repeat(depth)}`;
  }

  private facts(node: Inode): Record<string, string | number> {
    const { options } = this;
    return {
      ...(node instanceof Symlink && { target: node.target }),
      ...(options.has("inode") && { inode: node.ino }),
      ...(options.has("mode") && { mode: (node.mode & 0o7777).toString(8).padStart(4, "0"), prot: modeText(node.mode) }),
      ...(options.has("user") && { user: ownerName(node.uid) }),
      ...(options.has("group") && { group: ownerName(node.uid) }),
      ...(options.has("human") ? { size: scaled(node.size, HUMAN) } : options.has("size") && { size: node.size }),
      ...((options.has("date") || options.has("timeFormat")) && { time: changedAt(this.process, options, node) }),
    };
  }
}

/** Returns the status. */
export function printJson(process: Process, options: TreeGiven, entries: TreeEntries, roots: readonly string[]): number {
  const tree = new JsonTree(process, options, entries);
  const [line, lead] = options.has("noIndent") ? ["", ""] : ["\n", "  "];
  let status = 0;
  const parts = roots.map((path) => {
    const node = nodeAt(process, path);
    if (node instanceof Directory) return lead + tree.root(path, node);
    status = 2;
    return `${lead}{"type":"directory","name":${JSON.stringify(path)},"contents":[{"error": "error opening dir"}]}`;
  });
  const counts = { type: "report", directories: tree.folders, ...(!options.has("folders") && { files: tree.files }) };
  const report = options.has("noReport") ? line : `,${line}${lead}${JSON.stringify(counts)}${line}`;
  process.stdout.print(`[${line}${parts.join(`,${line}`)}${line}${report}]\n`);
  return status;
}
