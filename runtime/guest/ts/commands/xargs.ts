import { then, type Maybe } from "../shell/io/maybe";
import { Reader } from "../shell/io/reader";
import type { Launch, Process } from "../shell/process";
import { describeErrno } from "../shell/io/errors";
import { O_RDONLY } from "../vfs/flags";
import { open } from "../vfs/open";
import { byteText, plainText } from "./byte_text";
import { command, complain, Failure } from "./command";
import { close, openReader } from "./files";
import { type Options, UsageFault } from "./options";
import { refusal } from "./programs";
import { shellQuoted } from "./quoting";
import { quoted } from "./sizes";
import { type Item, Items } from "./xargs_items";

const TABLE = {
  null: ["-0, --null", "items end in a NUL byte; quotes have no meaning"],
  file: ["-a, --arg-file=FILE", "read items from FILE instead of standard input"],
  delimiter: ["-d, --delimiter=CHARACTER", "items end in CHARACTER; quotes have no meaning"],
  end: ["-E END", "an item that is END ends the input"],
  eof: ["-e, --eof[=END]", "as -E"],
  replace: ["-I R", "replace R in the arguments by each line of the input"],
  replaceOptional: ["-i, --replace[=R]", "as -I; R is {} if left out"],
  lines: ["-L, --max-lines=LINES", "use that many lines for each command"],
  linesOptional: ["-l[LINES]", "as -L; one if left out"],
  count: ["-n, --max-args=COUNT", "use at most COUNT arguments for each command"],
  openTty: ["-o, --open-tty", "not possible here"],
  interactive: ["-p, --interactive", "not possible here: nobody is there to be asked"],
  processes: ["-P, --max-procs=COUNT", "run up to COUNT commands at once; 0 for as many as there are"],
  slot: ["--process-slot-var=VAR", "set VAR to a number that no other running command has"],
  noRun: ["-r, --no-run-if-empty", "without items, run nothing"],
  size: ["-s, --max-chars=SIZE", "at most SIZE characters for each command"],
  limits: ["--show-limits", "ignored"],
  verbose: ["-t, --verbose", "print each command on standard error"],
  exit: ["-x, --exit", "end when SIZE is exceeded"],
} as const;

type Given = Options<typeof TABLE>;

const SIZE = 128 * 1024;
const STATUS = { failed: 123, abort: 124, cannot: 126 } as const;
/** What a command ends with to stop xargs. */
const STOP = 255;

interface Settings {
  readonly replace: string | undefined;
  readonly lines: number;
  readonly count: number;
  readonly size: number;
  readonly exit: boolean;
}

function number(text: string, option: string, least = 1): number {
  if (!/^\s*[-+]?\d+$/.test(text)) throw new UsageFault(`invalid number "${text}" for -${option} option`);
  if (Number(text) < least) throw new UsageFault(`value ${text} for -${option} option should be >= ${least}`);
  return Number(text);
}

/** -I, -L and -n exclude one another: the last counts; but `-n 1` goes with -I. */
function settings(process: Process, options: Given): Settings {
  const given: { replace?: string | undefined; lines?: number; count?: number } = {};
  const only = (kept: keyof typeof given, names: string): void => {
    for (const key of ["replace", "lines", "count"] as const) {
      if (key === kept || given[key] === undefined) continue;
      const other = { replace: "--replace", lines: "--max-lines", count: "--max-args" }[key];
      complain(process, `warning: options ${other} and ${names} are mutually exclusive, ignoring previous ${other} value`);
      delete given[key];
    }
  };
  for (const { key, value } of options.order) {
    if (key === "replace" || key === "replaceOptional") {
      only("replace", "--replace/-I/-i");
      given.replace = value ?? "{}";
    } else if (key === "lines" || key === "linesOptional") {
      only("lines", key === "lines" ? "-L" : "--max-lines/-l");
      given.lines = number(value ?? "1", key === "lines" ? "L" : "l");
    } else if (key === "count") {
      const count = number(value!, "n");
      if (count === 1 && given.replace !== undefined) continue;
      only("count", "--max-args/-n");
      given.count = count;
    }
  }
  const size = number(options.value("size") ?? String(SIZE), "s");
  const exit = options.has("exit") || given.replace !== undefined || given.lines !== undefined;
  return { replace: given.replace, lines: given.lines ?? Infinity, count: given.count ?? Infinity, size: Math.min(size, SIZE), exit };
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "0": "\0", a: "\x07", b: "\b", f: "\f", v: "\v", "\\": "\\" };

function delimiterOf(options: Given): string | undefined {
  const last = options.order.findLast(({ key }) => key === "null" || key === "delimiter");
  if (last === undefined) return undefined;
  if (last.key === "null") return "\0";
  const text = byteText(last.value!);
  if (text.length === 1) return text;
  const [, octal, hex, letter] = /^\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|([^]))$/.exec(text) ?? [];
  if (octal !== undefined || hex !== undefined) return String.fromCharCode(Number.parseInt(octal ?? hex!, octal === undefined ? 16 : 8) & 255);
  const known = ESCAPES[letter ?? ""];
  if (known === undefined) throw new Failure(`Invalid input delimiter specification ${text}: the delimiter must be either a single character or an escape sequence starting with \\.`);
  return known;
}

function lengthOf(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + byteText(word).length + 1, 0);
}

/** Runs the commands, as many at once as there may be. */
class Runner {
  status = 0;
  stopped = false;
  runs = 0;
  private readonly running = new Map<number, Promise<void>>();
  /** Programs that are there. */
  private readonly known = new Set<string>();

  constructor(
    private readonly process: Process,
    private readonly options: Given,
    private readonly most: number,
    private readonly setup: () => Launch,
  ) {}

  run(argv: readonly string[]): Maybe<void> {
    this.runs += 1;
    if (this.running.size >= this.most) return Promise.race(this.running.values()).then(() => this.again(argv));
    if (this.stopped) return;
    if (this.options.has("verbose")) this.process.stderr.print(`${argv.map((word) => shellQuoted(word)).join(" ")}\n`);
    return then(this.process.stderr.flush(), () => then(this.process.pause(), () => this.start(argv)));
  }

  private again(argv: readonly string[]): Maybe<void> {
    this.runs -= 1;
    return this.run(argv);
  }

  private start(argv: readonly string[]): Maybe<void> {
    const name = argv[0]!;
    const refused = this.known.has(name) ? 0 : refusal(this.process, name, name);
    if (refused) return this.stop(refused);
    this.known.add(name);
    let slot = 0;
    while (this.running.has(slot)) slot += 1;
    const ended = this.process.launch(argv, this.launchSetup(slot));
    if (typeof ended === "number") return this.take(name, ended);
    const running = ended.then((status) => {
      this.running.delete(slot);
      this.take(name, status);
    });
    this.running.set(slot, running);
    if (this.most === 1) return running;
  }

  async drain(): Promise<void> {
    await Promise.all(this.running.values());
  }

  private launchSetup(slot: number): Launch {
    const variable = this.options.value("slot");
    const setup = this.setup();
    return variable === undefined ? setup : { ...setup, env: new Map(this.process.env).set(variable, String(slot)) };
  }

  private stop(status: number): void {
    this.stopped = true;
    this.status = status;
  }

  private take(name: string, status: number): void {
    if (status === STOP) {
      complain(this.process, `${name}: exited with status 255; aborting`);
      this.stop(this.status || STATUS.abort);
    } else if (status !== 0 && !this.stopped) this.status = STATUS.failed;
  }
}

class Batches {
  private items: string[] = [];
  private length: number;
  private lines = 0;
  private readonly fixed: number;

  constructor(
    private readonly runner: Runner,
    private readonly command: readonly string[],
    private readonly settings: Settings,
  ) {
    this.fixed = this.length = lengthOf(command);
    if (settings.replace === undefined && this.fixed > settings.size) throw new Failure("cannot fit single argument within argument list size limit");
  }

  add({ text, endsLine }: Item): Maybe<void> {
    const { settings } = this;
    if (settings.replace !== undefined) return this.replaced(plainText(text));
    const fits = this.length + text.length + 1 <= settings.size;
    if (!fits && (this.items.length === 0 || (settings.exit && (settings.lines < Infinity || settings.count < Infinity)))) {
      this.items = [];
      throw new Failure("argument line too long");
    }
    return then(fits ? undefined : this.flush(), () => this.push(text, endsLine));
  }

  private push(text: string, endsLine: boolean): Maybe<void> {
    const { settings } = this;
    if (this.length + text.length + 1 > settings.size) throw new Failure("argument line too long");
    this.items.push(plainText(text));
    this.length += text.length + 1;
    if (endsLine) this.lines += 1;
    if (this.items.length >= settings.count || this.lines >= settings.lines) return this.flush();
  }

  /** Runs the command on what is left; `always` also without anything. */
  flush(always = false): Maybe<void> {
    if (this.items.length === 0 && !always) return;
    const argv = [...this.command, ...this.items];
    this.items = [];
    this.length = this.fixed;
    this.lines = 0;
    return this.runner.run(argv);
  }

  private replaced(text: string): Maybe<void> {
    const { replace, size } = this.settings;
    const argv = this.command.map((word) => word.replaceAll(replace!, () => text));
    if (lengthOf(argv) > size) throw new Failure("argument list too long");
    return this.runner.run(argv);
  }
}

async function feed(items: Items, batches: Batches, runner: Runner): Promise<void> {
  for (;;) {
    const pulled = items.next();
    const item = pulled instanceof Promise ? await pulled : pulled;
    if (item === undefined || runner.stopped) return;
    const done = batches.add(item);
    if (done instanceof Promise) await done;
  }
}

function source(process: Process, options: Given): Reader {
  const path = options.value("file");
  if (path === undefined) return process.stdin;
  try {
    return openReader(process, path);
  } catch (error) {
    throw new Failure(`Cannot open input file ${quoted(path)}: ${describeErrno(error)}`);
  }
}

function refuseDialogue(options: Given): void {
  if (options.has("interactive")) throw new UsageFault("-p (--interactive) is not possible here: nobody is there to be asked", false);
  if (options.has("openTty")) throw new UsageFault("-o (--open-tty) is not possible here: there is no terminal", false);
}

/** Runs all; a fault of the input comes after what ran before it. */
async function work(process: Process, options: Given, words: readonly string[]): Promise<number> {
  const given = settings(process, options);
  const ends = options.order.findLast(({ key }) => key === "end" || key === "eof")?.value;
  const reader = source(process, options);
  const items = new Items(reader, {
    delimiter: delimiterOf(options),
    lines: given.replace !== undefined,
    end: ends === undefined || ends === "" ? undefined : byteText(ends),
  });
  const inherits = options.has("file");
  const processes = number(options.value("processes") ?? "1", "P", 0) || Infinity;
  const setup = (): Launch => (inherits ? {} : { stdin: open(process.context, "/dev/null", O_RDONLY, 0) });
  const runner = new Runner(process, options, processes, setup);
  const batches = new Batches(runner, words.length > 0 ? words : ["echo"], given);
  try {
    await feed(items, batches, runner);
    if (!runner.stopped) await batches.flush();
    if (runner.runs === 0 && given.replace === undefined && !options.has("noRun")) await batches.flush(true);
  } catch (error) {
    if (error instanceof Failure) await batches.flush();
    await runner.drain();
    throw error;
  } finally {
    if (reader !== process.stdin) close(reader);
  }
  await runner.drain();
  return runner.status;
}

export const xargs = command({
  name: "xargs",
  usage: "[OPTION]... [COMMAND [INITIAL-ARGS]...]",
  about: "Run COMMAND with INITIAL-ARGS and further arguments read from standard input.",
  options: TABLE,
  inOrder: true,
  run(process, options, operands): Maybe<number> {
    refuseDialogue(options);
    return work(process, options, operands);
  },
});
