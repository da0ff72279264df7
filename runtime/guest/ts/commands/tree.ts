import type { Process } from "../shell/process";
import { allowed, R_OK } from "../vfs/access";
import { Directory, type Inode, RegularFile, Symlink } from "../vfs/inode";
import { command, Failure } from "./command";
import { close, openWriter } from "./files";
import { HUMAN, scaled } from "./human";
import { Colors } from "./ls_colors";
import { type Entry, leadsToDirectory } from "./ls_entry";
import { modeText } from "./modes";
import { ownerName } from "./owners";
import { withoutSlashes } from "./paths";
import { nodeAt } from "./targets";
import { TreeEntries } from "./tree_entries";
import { changedAt, printJson } from "./tree_json";
import { TREE_OPTIONS, type TreeGiven } from "./tree_options";

interface Lines {
  readonly tee: string;
  readonly end: string;
  readonly pass: string;
}

const UNICODE: Lines = { tee: "├── ", end: "└── ", pass: "│\u00a0\u00a0 " };
const ASCII: Lines = { tee: "|-- ", end: "`-- ", pass: "|   " };

const UNSUPPORTED = { xml: "-X", html: "-H" } as const;

class Drawer {
  folders = 0;
  files = 0;
  missing = false;
  private readonly lines: Lines;
  private readonly colors: Colors | undefined;

  constructor(
    private readonly process: Process,
    private readonly options: TreeGiven,
    private readonly entries: TreeEntries,
  ) {
    this.lines = options.value("ascii") === undefined || /utf-?8/i.test(options.value("ascii")!) ? UNICODE : ASCII;
    this.colors = options.has("color") ? new Colors(process.env.get("LS_COLORS")) : undefined;
  }

  async top(path: string): Promise<void> {
    const node = nodeAt(this.process, path);
    if (node === undefined) {
      this.process.stdout.print(`${path}  [error opening dir]\n`);
      this.missing = true;
      return;
    }
    const entry: Entry = { name: path, path, node, aim: undefined };
    if (!(node instanceof Directory)) {
      this.process.stdout.print(`${this.facts(entry)}${this.named(entry, path)}  [error opening dir]\n`);
      this.files += 1;
      return;
    }
    this.process.stdout.print(`${this.facts(entry)}${this.named(entry, path)}\n`);
    // tree 2 counts a directory that it was given, unless it is empty.
    if (this.entries.of(withoutSlashes(path), node)?.length) this.folders += 1;
    await this.inside(withoutSlashes(path), node, [], [node]);
  }

  private async inside(path: string, directory: Directory, above: readonly boolean[], chain: readonly Directory[]): Promise<void> {
    const { stdout } = this.process;
    const entries = this.entries.of(path, directory) ?? [];
    for (const [index, entry] of entries.entries()) {
      const last = index === entries.length - 1;
      const front = this.options.has("noIndent") ? "" : above.map((ended) => (ended ? "    " : this.lines.pass)).join("") + (last ? this.lines.end : this.lines.tee);
      const shown = this.options.has("full") ? entry.path : entry.name;
      const enters = this.entries.enters(entry, chain);
      stdout.print(`${front}${this.facts(entry)}${this.named(entry, shown)}${this.remark(entry, enters)}\n`);
      if (leadsToDirectory(entry)) this.folders += 1;
      else this.files += 1;
      if (stdout.file.full) await stdout.flush();
      if (enters && chain.length < this.entries.depth) await this.inside(entry.path, enters, [...above, last], [...chain, enters]);
    }
  }

  private remark({ node, aim }: Entry, enters: Directory | undefined): string {
    if (node instanceof Symlink) return enters || !this.options.has("follow") || !(aim instanceof Directory) ? "" : "  [recursive, not followed]";
    if (!(node instanceof Directory)) return "";
    if (!allowed(this.process.context, node, R_OK)) return "  [error opening dir]";
    return enters ? "" : `  [${node.names(this.process.context).length} entries exceeds filelimit, not opening dir]`;
  }

  private named(entry: Entry, shown: string): string {
    const { node } = entry;
    const text = this.options.has("quote") ? `"${shown}"` : shown;
    const painted = this.colors?.paint(text, entry) ?? text;
    const target = node instanceof Symlink ? ` -> ${this.options.has("quote") ? `"${node.target}"` : node.target}` : "";
    const classified = this.options.has("classify") ? mark(entry.aim ?? node, shown) : "";
    return painted + target + classified;
  }

  /** `[-rw-r--r--  user   12]  `, with what was asked for. */
  private facts({ node }: Entry): string {
    const { options } = this;
    const parts = [
      ...(options.has("inode") ? [String(node.ino).padStart(7)] : []),
      ...(options.has("mode") ? [modeText(node.mode)] : []),
      ...(options.has("user") ? [ownerName(node.uid).padEnd(8)] : []),
      ...(options.has("group") ? [ownerName(node.uid).padEnd(8)] : []),
      ...(options.has("human") ? [scaled(node.size, HUMAN).padStart(4)] : options.has("size") ? [String(node.size).padStart(11)] : []),
      ...(options.has("date") || options.value("timeFormat") !== undefined ? [changedAt(this.process, options, node)] : []),
    ];
    return parts.length > 0 ? `[${parts.join(" ")}]  ` : "";
  }
}

/** What -F puts behind a name. */
function mark(node: Inode, shown: string): string {
  if (node instanceof Directory) return shown.endsWith("/") ? "" : "/";
  return node instanceof RegularFile && node.mode & 0o111 ? "*" : "";
}

function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

async function draw(process: Process, options: TreeGiven, entries: TreeEntries, roots: readonly string[]): Promise<number> {
  const drawer = new Drawer(process, options, entries);
  for (const path of roots) await drawer.top(path);
  if (!options.has("noReport")) {
    const files = options.has("folders") ? "" : `, ${plural(drawer.files, "file", "files")}`;
    process.stdout.print(`\n${plural(drawer.folders, "directory", "directories")}${files}\n`);
  }
  return drawer.missing ? 2 : 0;
}

export const tree = command({
  name: "tree",
  usage: "[OPTION]... [DIRECTORY]...",
  about: "Draw directories and what is in them as a tree.",
  options: TREE_OPTIONS,
  async run(process, options, operands) {
    for (const [key, flag] of Object.entries(UNSUPPORTED)) {
      if (options.has(key as keyof typeof UNSUPPORTED)) throw new Failure(`${flag} is not supported here`);
    }
    const output = options.value("output");
    const target = output === undefined ? process : (Object.create(process, { stdout: { value: openWriter(process, output) } }) as Process);
    const entries = new TreeEntries(process, options);
    const roots = operands.length > 0 ? operands : ["."];
    const status = options.has("json") ? printJson(target, options, entries, roots) : await draw(target, options, entries, roots);
    await target.stdout.flush();
    if (output !== undefined) close(target.stdout);
    return status;
  },
});
