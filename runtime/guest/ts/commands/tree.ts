import { compilePattern, type Pattern } from "../shell/expand/pattern";
import { formatTime } from "../shell/format/time";
import type { Process } from "../shell/process";
import { allowed, R_OK } from "../vfs/access";
import { Directory, RegularFile, Symlink } from "../vfs/inode";
import { HUMAN, scaled } from "./human";
import { command, Failure } from "./command";
import { type Entry, entryOf, leadsToDirectory } from "./ls_entry";
import { compareTexts } from "../shell/expand/characters";
import { modeText } from "./modes";
import { timeOf } from "./moments";
import type { Options } from "./options";
import { ownerName } from "./owners";
import { joined, withoutSlashes } from "./paths";
import { nodeAt } from "./targets";
import { Colors } from "./ls_colors";
import { compareVersions } from "./versions";

const TABLE = {
  all: ["-a", "also names that begin with a dot"],
  folders: ["-d", "only directories"],
  follow: ["-l", "follow symbolic links to directories"],
  full: ["-f", "print the whole path of each file"],
  level: ["-L LEVEL", "go down at most LEVEL levels"],
  pattern: ["-P PATTERN", "only files that match PATTERN"],
  ignore: ["-I PATTERN", "no files that match PATTERN"],
  ignoreCase: ["--ignore-case", "patterns match in upper and lower case"],
  matchFolders: ["--matchdirs", "-P counts for directories, too"],
  prune: ["--prune", "no empty directories"],
  fileLimit: ["--filelimit=COUNT", "do not enter directories with more than COUNT entries"],
  noReport: ["--noreport", "no count at the end"],
  noIndent: ["-i", "no lines in front of names"],
  quote: ["-Q", "names between double quotes"],
  mode: ["-p", "print permissions"],
  user: ["-u", "print owners"],
  group: ["-g", "print groups"],
  size: ["-s", "print sizes in bytes"],
  human: ["-h", "print sizes as 1K 234M 2G"],
  date: ["-D", "print the time of the last change"],
  timeFormat: ["--timefmt=FORMAT", "print times by FORMAT"],
  classify: ["-F", "put one of /*@ behind names"],
  inode: ["--inodes", "print the number of each file"],
  byVersion: ["-v", "numbers within names by their value"],
  byTime: ["-t", "by the time of the last change"],
  unsorted: ["-U", "ignored"],
  reverse: ["-r", "the other way round"],
  foldersFirst: ["--dirsfirst", "directories before files"],
  filesFirst: ["--filesfirst", "files before directories"],
  sort: ["--sort=WORD", "name, version, size, mtime"],
  ascii: ["--charset=CHARSET", "draw lines in CHARSET: utf-8 or ascii"],
  ascii2: ["-A", "ignored"],
  noColor: ["-n", "no colours"],
  color: ["-C", "colours"],
  json: ["-J", "not supported"],
  xml: ["-X", "not supported"],
  html: ["-H BASE", "not supported"],
  output: ["-o FILE", "not supported"],
} as const;

type Given = Options<typeof TABLE>;

interface Lines {
  readonly tee: string;
  readonly end: string;
  readonly pass: string;
}

const UNICODE: Lines = { tee: "├── ", end: "└── ", pass: "│   " };
const ASCII: Lines = { tee: "|-- ", end: "`-- ", pass: "|   " };

const UNSUPPORTED = { json: "-J", xml: "-X", html: "-H", output: "-o" } as const;

class Drawer {
  folders = 0;
  files = 0;
  missing = false;
  private readonly wanted: Pattern[];
  private readonly unwanted: Pattern[];
  private readonly lines: Lines;
  private readonly depth: number;
  private readonly colors: Colors | undefined;

  constructor(
    private readonly process: Process,
    private readonly options: Given,
  ) {
    const flags = new Set(options.has("ignoreCase") ? ["nocasematch"] : []);
    const compiled = (text: string): Pattern[] => text.split("|").map((each) => compilePattern(each.replace(/\/$/, ""), flags, false));
    this.wanted = options.list("pattern").flatMap(compiled);
    this.unwanted = options.list("ignore").flatMap(compiled);
    this.lines = options.value("ascii") === undefined || /utf-?8/i.test(options.value("ascii")!) ? UNICODE : ASCII;
    const level = options.value("level");
    this.depth = level === undefined ? Infinity : Number(level);
    if (!(this.depth > 0)) throw new Failure("Invalid level, must be greater than 0.");
    this.colors = options.has("color") ? new Colors(process.env.get("LS_COLORS")) : undefined;
  }

  async top(path: string): Promise<void> {
    const node = nodeAt(this.process, path);
    if (!(node instanceof Directory)) {
      this.process.stdout.print(`${path}  [error opening dir]\n`);
      this.missing = true;
      return;
    }
    const entry: Entry = { name: path, path, node, aim: undefined };
    this.process.stdout.print(`${this.facts(entry)}${this.named(entry, path)}\n`);
    // tree 2 counts a directory that it was given, unless it is empty.
    if (this.entries(withoutSlashes(path), node)?.length) this.folders += 1;
    await this.inside(withoutSlashes(path), node, [], [node]);
  }

  /** The entries of a directory; undefined where it cannot be read. */
  private entries(path: string, directory: Directory): Entry[] | undefined {
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
    const judged = !folder || options.has("matchFolders");
    if (this.wanted.length > 0 && judged && !this.wanted.some((pattern) => pattern.test(entry.name))) return false;
    return !options.has("prune") || !(entry.node instanceof Directory) || (this.entries(entry.path, entry.node)?.length ?? 0) > 0;
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

  private async inside(path: string, directory: Directory, above: readonly boolean[], chain: readonly Directory[]): Promise<void> {
    const { stdout } = this.process;
    const entries = this.entries(path, directory) ?? [];
    for (const [index, entry] of entries.entries()) {
      const last = index === entries.length - 1;
      const front = this.options.has("noIndent") ? "" : above.map((ended) => (ended ? "    " : this.lines.pass)).join("") + (last ? this.lines.end : this.lines.tee);
      const shown = this.options.has("full") ? entry.path : entry.name;
      const enters = this.enters(entry, chain);
      stdout.print(`${front}${this.facts(entry)}${this.named(entry, shown)}${this.remark(entry, enters)}\n`);
      if (leadsToDirectory(entry)) this.folders += 1;
      else this.files += 1;
      if (stdout.file.full) await stdout.flush();
      if (enters && chain.length < this.depth) await this.inside(entry.path, enters, [...above, last], [...chain, enters]);
    }
  }

  private enters({ node, aim }: Entry, chain: readonly Directory[]): Directory | undefined {
    const target = this.options.has("follow") ? (aim ?? node) : node;
    if (!(target instanceof Directory) || chain.includes(target)) return undefined;
    const limit = Number(this.options.value("fileLimit") ?? Infinity);
    return target.names(this.process.context).length > limit ? undefined : target;
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
    if (node instanceof Symlink) return `${painted} -> ${node.target}`;
    if (!this.options.has("classify")) return painted;
    return painted + (node instanceof Directory ? (shown.endsWith("/") ? "" : "/") : node instanceof RegularFile && node.mode & 0o111 ? "*" : "");
  }

  /** `[-rw-r--r--  user   12]  `, with what was asked for. */
  private facts({ node }: Entry): string {
    const { options } = this;
    const { seconds } = timeOf(node, "mtime");
    const format = options.value("timeFormat") ?? "%b %e %H:%M";
    const parts = [
      ...(options.has("inode") ? [String(node.ino).padStart(7)] : []),
      ...(options.has("mode") ? [modeText(node.mode)] : []),
      ...(options.has("user") ? [ownerName(node.uid).padEnd(8)] : []),
      ...(options.has("group") ? [ownerName(node.uid).padEnd(8)] : []),
      ...(options.has("human") ? [scaled(node.size, HUMAN).padStart(4)] : options.has("size") ? [String(node.size).padStart(11)] : []),
      ...(options.has("date") || options.value("timeFormat") !== undefined ? [formatTime(format, seconds, this.process.env.get("TZ"))] : []),
    ];
    return parts.length > 0 ? `[${parts.join(" ")}]  ` : "";
  }
}

function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

export const tree = command({
  name: "tree",
  usage: "[OPTION]... [DIRECTORY]...",
  about: "Draw directories and what is in them as a tree.",
  options: TABLE,
  async run(process, options, operands) {
    for (const [key, flag] of Object.entries(UNSUPPORTED)) {
      if (options.has(key as keyof typeof UNSUPPORTED)) throw new Failure(`${flag} is not supported here`);
    }
    const drawer = new Drawer(process, options);
    for (const path of operands.length > 0 ? operands : ["."]) await drawer.top(path);
    if (!options.has("noReport")) {
      const files = options.has("folders") ? "" : `, ${plural(drawer.files, "file", "files")}`;
      process.stdout.print(`\n${plural(drawer.folders, "directory", "directories")}${files}\n`);
    }
    return drawer.missing ? 2 : 0;
  },
});
