import { compilePattern } from "../shell/expand/pattern";
import { describeErrno } from "../shell/io/errors";
import type { Process } from "../shell/process";
import { native } from "../bridge/native";
import { formatTime } from "../shell/format/time";
import { Directory, type Inode } from "../vfs/inode";
import { find } from "../vfs/walk";
import { Attempts } from "./attempts";
import { command, Failure } from "./command";
import { BYTES, HUMAN, KIBIBYTES, parseScale, type Scale, scaled, SECTOR, sectorsOf, SI } from "./human";
import { compareMoments, type Moment, timeOf } from "./moments";
import { type Options, UsageFault } from "./options";
import { baseName } from "./paths";
import { nameQuoted } from "./quoting";
import { parseSize, quoted } from "./sizes";
import { asIs, following, type Resolve, type Visit, visits } from "./visits";
import { openNamed } from "./named";

const TABLE = {
  all: ["-a, --all", "print every file, not only directories"],
  apparent: ["--apparent-size", "count what files hold, not what they take"],
  blockSize: ["-B, --block-size=SIZE", "scale sizes by SIZE"],
  bytes: ["-b, --bytes", "as --apparent-size --block-size=1"],
  total: ["-c, --total", "print a total"],
  operandLinks: ["-D, -H, --dereference-args", "follow operands that are links"],
  depth: ["-d, --max-depth=N", "print only what is at most N levels down"],
  exclude: ["--exclude=PATTERN", "leave out what matches"],
  excludeFrom: ["-X, --exclude-from=FILE", "leave out what matches one of the patterns in FILE"],
  files: ["--files0-from=F", "the names in F, each ended by a NUL byte"],
  human: ["-h, --human-readable", "sizes like 1K 234M 2G"],
  inodes: ["--inodes", "count files instead of bytes"],
  kibibytes: ["-k", "as --block-size=1K"],
  dereference: ["-L, --dereference", "follow all symbolic links"],
  links: ["-l, --count-links", "count each name of a file"],
  mebibytes: ["-m", "as --block-size=1M"],
  noDereference: ["-P, --no-dereference", "follow no symbolic links"],
  separate: ["-S, --separate-dirs", "directories without those in them"],
  si: ["--si", "as -h with powers of 1000"],
  summarize: ["-s, --summarize", "print only the sum of each operand"],
  threshold: ["-t, --threshold=SIZE", "print only what is at least SIZE, or at most when negative"],
  time: ["--time[=WORD]", "also print the time of the last change"],
  timeStyle: ["--time-style=STYLE", "full-iso, long-iso, iso or +FORMAT"],
  oneFileSystem: ["-x, --one-file-system", "ignored"],
  zero: ["-0, --null", "end each line with a NUL byte"],
} as const;

type Given = Options<typeof TABLE>;

const STYLES: Readonly<Record<string, string>> = { "full-iso": "%Y-%m-%d %H:%M:%S.%N %z", "long-iso": "%Y-%m-%d %H:%M", iso: "%Y-%m-%d" };

function scaleOf(options: Given): Scale {
  let scale = KIBIBYTES;
  for (const { key, value } of options.order) {
    if (key === "human") scale = HUMAN;
    else if (key === "si") scale = SI;
    else if (key === "bytes") scale = BYTES;
    else if (key === "kibibytes") scale = KIBIBYTES;
    else if (key === "mebibytes") scale = parseScale("1M");
    else if (key === "blockSize") scale = parseScale(value!, "-B");
  }
  return scale;
}

interface Sum {
  size: number;
  latest: Moment;
}

class Counter {
  readonly attempts: Attempts;
  readonly total: Sum = { size: 0, latest: { seconds: 0, nanosecond: 0 } };
  private readonly seen = new Set<Inode>();
  private readonly scale: Scale;
  private readonly apparent: boolean;
  private readonly depth: number;
  private readonly resolve: Resolve;

  constructor(
    private readonly process: Process,
    private readonly options: Given,
    private readonly excluded: (path: string) => boolean,
  ) {
    this.attempts = new Attempts(process);
    this.scale = scaleOf(options);
    this.apparent = options.has("apparent") || options.has("bytes");
    this.depth = depthOf(options);
    this.resolve = options.last("dereference", "noDereference", "operandLinks") === "dereference" ? following(process.context) : asIs;
  }

  count(path: string): void {
    const follow = this.options.last("dereference", "noDereference", "operandLinks");
    const node = this.attempts.try(() => `cannot access ${nameQuoted(path)}`, () => find(this.process.context, path, follow === "dereference" || follow === "operandLinks"));
    if (node === undefined || this.excluded(path)) return;
    const sums: Sum[] = [];
    for (const visit of visits(this.process.context, path, node, this.resolve)) {
      if (visit.depth > 0 && this.excluded(visit.path)) visit.skip = true;
      else if (visit.stage === "unreadable") this.attempts.fail(`cannot read directory ${nameQuoted(visit.path)}: ${describeErrno(visit.error)}`);
      else if (visit.stage === "enter") this.enter(visit, sums);
      else if (visit.stage === "leave") this.leave(visit, sums);
      else this.file(visit, sums);
    }
  }

  print({ size, latest }: Sum, path: string): void {
    const { options } = this;
    const limit = options.value("threshold");
    if (limit !== undefined && !passes(size, limit)) return;
    const text = options.has("inodes") ? String(size) : scaled(size, this.scale);
    const style = options.value("timeStyle") ?? "long-iso";
    const format = style.startsWith("+") ? style.slice(1) : (STYLES[style] ?? STYLES["long-iso"]!);
    const time = options.has("time") ? `${formatTime(format, latest.seconds, this.process.env.get("TZ"), latest.nanosecond)}\t` : "";
    this.process.stdout.print(`${text}\t${time}${path}${options.has("zero") ? "\0" : "\n"}`);
  }

  private own(node: Inode): Sum {
    const counted = node.nlink < 2 || node instanceof Directory || this.options.has("links") || !this.seen.has(node);
    if (!(node instanceof Directory)) this.seen.add(node);
    const size = this.options.has("inodes") ? 1 : this.apparent ? node.size : sectorsOf(node) * SECTOR;
    return { size: counted ? size : 0, latest: timeOf(node, "mtime") };
  }

  private enter(visit: Visit, sums: Sum[]): void {
    if (this.seen.has(visit.node) && !this.options.has("links")) visit.skip = true;
    sums.push(this.seen.has(visit.node) ? { size: 0, latest: this.total.latest } : this.own(visit.node));
  }

  private leave({ node, path, depth }: Visit, sums: Sum[]): void {
    if (depth > 0 && this.excluded(path)) return;
    const sum = sums.pop()!;
    const repeated = this.seen.has(node);
    this.seen.add(node);
    const above = sums.at(-1);
    if (above && !this.options.has("separate")) add(above, sum);
    if (depth === 0 || this.options.has("separate")) add(this.total, sum);
    if (depth <= this.depth && !(repeated && sum.size === 0)) this.print(sum, path);
  }

  private file({ node, path, depth }: Visit, sums: Sum[]): void {
    const repeated = node.nlink > 1 && this.seen.has(node) && !this.options.has("links");
    const sum = this.own(node);
    add(sums.at(-1) ?? this.total, sum);
    if (!repeated && (depth === 0 || (this.options.has("all") && depth <= this.depth))) this.print(sum, path);
  }
}

function add(sum: Sum, { size, latest }: Sum): void {
  sum.size += size;
  if (compareMoments(latest, sum.latest) > 0) sum.latest = latest;
}

function passes(size: number, limit: string): boolean {
  const least = parseSize(limit.replace(/^-/, ""));
  if (least === undefined) throw new Failure(`invalid --threshold argument ${quoted(limit)}`);
  return limit.startsWith("-") ? size <= least : size >= least;
}

function depthOf(options: Given): number {
  const text = options.value("depth");
  if (text !== undefined && !/^\d+$/.test(text)) throw new UsageFault(`invalid maximum depth ${quoted(text)}`);
  if (options.has("summarize") && options.has("all")) throw new UsageFault("cannot both summarize and show all entries");
  if (options.has("summarize") && text !== undefined && text !== "0") throw new UsageFault(`warning: summarizing conflicts with --max-depth=${text}`);
  return options.has("summarize") ? 0 : text === undefined ? Infinity : Number(text);
}

async function lines(process: Process, path: string, end: string): Promise<string[]> {
  return native.text.decode(await openNamed(process, path).all()).split(end).filter((each) => each !== "");
}

export const du = command({
  name: "du",
  usage: ["[OPTION]... [FILE]...", "[OPTION]... --files0-from=F"],
  about: "Print how much each FILE takes, directories with all that is in them.",
  options: TABLE,
  async run(process, options, operands) {
    const list = options.value("files");
    if (list !== undefined && operands.length > 0) throw new UsageFault(`extra operand ${quoted(operands[0]!)}\nfile operands cannot be combined with --files0-from`);
    const names = list === undefined ? (operands.length > 0 ? operands : ["."]) : await lines(process, list, "\0");
    const patterns = options.list("exclude");
    for (const path of options.list("excludeFrom")) patterns.push(...(await lines(process, path, "\n")));
    const compiled = patterns.map((each) => compilePattern(each, new Set<string>(), false));
    const counter = new Counter(process, options, (path) => compiled.some((each) => each.test(path) || each.test(baseName(path))));
    for (const name of names) counter.count(name);
    if (options.has("total")) counter.print(counter.total, "total");
    return counter.attempts.status;
  },
});
