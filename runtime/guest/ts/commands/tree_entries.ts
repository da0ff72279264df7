/** What tree shows of directories, and in which order. */

import { compareTexts } from "../shell/expand/characters";
import { compilePattern, type Pattern } from "../shell/expand/pattern";
import type { Process } from "../shell/process";
import { allowed, R_OK } from "../vfs/access";
import { Directory } from "../vfs/inode";
import { Failure } from "./command";
import { type Entry, entryOf, leadsToDirectory } from "./ls_entry";
import { joined } from "./paths";
import type { TreeGiven } from "./tree_options";
import { compareVersions } from "./versions";

export class TreeEntries {
  /** How far down directories are entered. */
  readonly depth: number;
  private readonly wanted: Pattern[];
  private readonly unwanted: Pattern[];

  constructor(
    private readonly process: Process,
    private readonly options: TreeGiven,
  ) {
    const flags = new Set(options.has("ignoreCase") ? ["nocasematch"] : []);
    const compiled = (text: string): Pattern[] => text.split("|").map((each) => compilePattern(each.replace(/\/$/, ""), flags, false));
    this.wanted = options.list("pattern").flatMap(compiled);
    this.unwanted = options.list("ignore").flatMap(compiled);
    const level = options.value("level");
    this.depth = level === undefined ? Infinity : Number(level);
    if (!(this.depth > 0)) throw new Failure("Invalid level, must be greater than 0.");
  }

  /** The entries of a directory; undefined where it cannot be read. */
  of(path: string, directory: Directory): Entry[] | undefined {
    const { context } = this.process;
    if (!allowed(context, directory, R_OK)) return undefined;
    const all = directory.names(context).map((name) => entryOf(this.process, name, joined(path, name), directory.lookup(name, context)!, false));
    return this.sorted(all.filter((entry) => this.shows(entry)));
  }

  private shows(entry: Entry): boolean {
    const { options } = this;
    if (!options.has("all") && entry.name.startsWith(".")) return false;
    const folder = leadsToDirectory(entry);
    if (options.has("folders") && !folder) return false;
    if (this.unwanted.some((pattern) => pattern.test(entry.name))) return false;
    const entered = entry.node instanceof Directory || (folder && options.has("follow"));
    if (folder && !entered && options.has("prune")) return false;
    const judged = !entered || options.has("matchFolders");
    if (this.wanted.length > 0 && judged && !this.wanted.some((pattern) => pattern.test(entry.name))) return false;
    return !options.has("prune") || !(entry.node instanceof Directory) || (this.of(entry.path, entry.node)?.length ?? 0) > 0;
  }

  private sorted(entries: Entry[]): Entry[] {
    const { options } = this;
    const word = options.value("sort") ?? options.last("byVersion", "byTime") ?? "name";
    const compare: Readonly<Record<string, (left: Entry, right: Entry) => number>> = {
      byVersion: (left, right) => compareVersions(left.name, right.name),
      version: (left, right) => compareVersions(left.name, right.name),
      byTime: (left, right) => left.node.mtime - right.node.mtime,
      mtime: (left, right) => left.node.mtime - right.node.mtime,
      size: (left, right) => right.node.size - left.node.size,
    };
    entries.sort((left, right) => compare[word]?.(left, right) || compareTexts(left.name, right.name));
    if (options.has("reverse")) entries.reverse();
    const first = options.last("foldersFirst", "filesFirst");
    if (first === undefined) return entries;
    const folders = entries.filter(leadsToDirectory);
    const files = entries.filter((entry) => !leadsToDirectory(entry));
    return first === "foldersFirst" ? [...folders, ...files] : [...files, ...folders];
  }

  /** The directory that an entry is, if it is entered. */
  enters({ node, aim }: Entry, chain: readonly Directory[]): Directory | undefined {
    const target = this.options.has("follow") ? (aim ?? node) : node;
    if (!(target instanceof Directory) || chain.includes(target)) return undefined;
    const limit = Number(this.options.value("fileLimit") ?? Infinity);
    return target.names(this.process.context).length > limit ? undefined : target;
  }
}
