import type { Process } from "../shell/process";
import { complain } from "./command";

const FAULT = 1;
const USAGE = 2;
const TEST = 4;

interface Long {
  readonly name: string;
  readonly argument: string;
}

/** What `getopt` itself was told. */
interface Settings {
  /** Undefined until it is known. */
  short: string | undefined;
  longs: Long[];
  alternative: boolean;
  quiet: boolean;
  quietOutput: boolean;
  unquoted: boolean;
  name: string;
  shell: "sh" | "csh";
}

function longList(text: string): Long[] {
  return text.split(/[,\s]+/).filter((each) => each !== "").map((each) => ({ name: each.replace(/:+$/, ""), argument: /:*$/.exec(each)![0] }));
}

const HELP = `Usage: getopt OPTSTRING PARAMETERS
  or:  getopt [OPTION]... [--] OPTSTRING PARAMETERS
  or:  getopt [OPTION]... -o|--options OPTSTRING [OPTION]... [--] PARAMETERS
Put the options of a command line into an order that is easy to go through.

  -a, --alternative            long options may begin with a single -
  -l, --longoptions=LONGOPTS   the long options to be recognised
  -n, --name=PROGNAME          the name under which errors are reported
  -o, --options=OPTSTRING      the short options to be recognised
  -q, --quiet                  no messages about wrong options
  -Q, --quiet-output           no normal output
  -s, --shell=SHELL            quote for sh, bash, csh or tcsh
  -T, --test                   test whether this is an enhanced getopt
  -u, --unquoted               do not quote the output
`;

function quote(text: string, { unquoted, shell }: Settings): string {
  if (unquoted) return text;
  const inner = shell === "csh" ? text.replace(/\\/g, "\\\\").replace(/\n/g, "\\n") : text;
  return `'${inner.replace(shell === "csh" ? /['!]/g : /'/g, "'\\$&'")}'`;
}

class Scanner {
  readonly output: string[] = [];
  readonly rest: string[] = [];
  failed = false;
  private at = 0;
  private readonly short: string;
  private readonly mode: string;

  constructor(
    private readonly process: Process,
    private readonly settings: Settings,
    private readonly words: readonly string[],
  ) {
    const short = settings.short ?? "";
    this.mode = /^[+-]/.exec(short)?.[0] ?? (process.env.has("POSIXLY_CORRECT") ? "+" : "");
    this.short = short.replace(/^[+-]?:?/, "");
  }

  run(): void {
    while (this.at < this.words.length) {
      const word = this.words[this.at++]!;
      if (word === "--") break;
      if (word.startsWith("--") && (this.settings.longs.length > 0 || word.length > 2)) this.long(word.slice(2), "--");
      else if (word.startsWith("-") && word.length > 1) this.dashed(word);
      else if (this.mode === "+") {
        this.at -= 1;
        break;
      } else if (this.mode === "-") this.output.push(quote(word, this.settings));
      else this.rest.push(word);
    }
    this.rest.push(...this.words.slice(this.at));
  }

  private dashed(word: string): void {
    const name = word.slice(1).replace(/=[^]*/, "");
    const single = this.short.includes(word[1]!) && (word.length === 2 || !this.matches(name).length);
    if (this.settings.alternative && !single && this.matches(name).length > 0) this.long(word.slice(1), "-");
    else this.letters(word.slice(1));
  }

  private matches(name: string): Long[] {
    const exact = this.settings.longs.filter((long) => long.name === name);
    return exact.length > 0 ? exact.slice(0, 1) : this.settings.longs.filter((long) => long.name.startsWith(name));
  }

  private long(text: string, dashes: string): void {
    const [, name, given] = /^([^=]*)(?:=([^]*))?$/.exec(text)!;
    const found = this.matches(name!);
    if (found.length > 1) {
      const all = found.map((long) => ` '${dashes}${long.name}'`).join("");
      return this.fault(`option '${dashes}${text}' is ambiguous; possibilities:${all}`);
    }
    const long = found[0];
    if (!long) return this.fault(`unrecognized option '${dashes}${name}'`);
    if (long.argument === "" && given !== undefined) return this.fault(`option '${dashes}${long.name}' doesn't allow an argument`);
    if (long.argument === "") {
      this.output.push(`--${long.name}`);
      return;
    }
    const value = given ?? (long.argument === ":" ? this.words[this.at++] : "");
    if (value === undefined) return this.fault(`option '${dashes}${long.name}' requires an argument`);
    this.output.push(`--${long.name}`, quote(value, this.settings));
  }

  private letters(text: string): void {
    for (let index = 0; index < text.length; index += 1) {
      const letter = text[index]!;
      const place = letter === ":" ? -1 : this.short.indexOf(letter);
      if (place < 0) {
        this.fault(`invalid option -- '${letter}'`);
        continue;
      }
      const argument = /^:*/.exec(this.short.slice(place + 1))![0];
      if (argument === "") {
        this.output.push(`-${letter}`);
        continue;
      }
      const attached = text.slice(index + 1);
      const value = attached !== "" ? attached : argument === ":" ? this.words[this.at++] : "";
      if (value === undefined) return this.fault(`option requires an argument -- '${letter}'`);
      this.output.push(`-${letter}`, quote(value, this.settings));
      return;
    }
  }

  private fault(message: string): void {
    this.failed = true;
    if (!this.settings.quiet) this.process.stderr.print(`${this.settings.name}: ${message}\n`);
  }
}

const FLAGS: Readonly<Record<string, (settings: Settings) => void>> = {
  a: (settings) => (settings.alternative = true),
  q: (settings) => (settings.quiet = true),
  Q: (settings) => (settings.quietOutput = true),
  u: (settings) => (settings.unquoted = true),
};
const WITH_VALUE: Readonly<Record<string, (settings: Settings, value: string) => void>> = {
  l: (settings, value) => settings.longs.push(...longList(value)),
  n: (settings, value) => (settings.name = value),
  o: (settings, value) => (settings.short = value),
  s: (settings, value) => (settings.shell = value.includes("csh") ? "csh" : "sh"),
};
const NAMES: Readonly<Record<string, string>> = {
  alternative: "a", longoptions: "l", long: "l", name: "n", options: "o", quiet: "q", "quiet-output": "Q", shell: "s", test: "T", unquoted: "u", help: "h", version: "V",
};

/** Reads getopt's own options; returns what follows them, or a status. */
function own(process: Process, settings: Settings): readonly string[] | number {
  const { args } = process;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at]!;
    if (word === "--") return args.slice(at + 1);
    if (!word.startsWith("-") || word === "-") return args.slice(at);
    const [, long, given] = /^--([^=]+)(?:=([^]*))?$/.exec(word) ?? [];
    const near = long === undefined ? [] : Object.keys(NAMES).filter((name) => name.startsWith(long));
    const letters = long === undefined ? word.slice(1) : (NAMES[Object.hasOwn(NAMES, long) ? long : (near[0] ?? "")] ?? "?");
    for (let index = 0; index < letters.length; index += 1) {
      const letter = letters[index]!;
      if (letter === "T") return TEST;
      if (letter === "h" || letter === "V") {
        process.stdout.print(letter === "h" ? HELP : "getopt (amla)\n");
        return 0;
      }
      if (FLAGS[letter]) FLAGS[letter](settings);
      else if (WITH_VALUE[letter]) {
        const value = given ?? (letters.slice(index + 1) || args[++at]);
        if (value === undefined) return usage(process, `option requires an argument -- '${letter}'`);
        WITH_VALUE[letter](settings, value);
        break;
      } else return usage(process, long === undefined ? `invalid option -- '${letter}'` : `unrecognized option '${word}'`);
    }
  }
  return [];
}

function usage(process: Process, message: string): number {
  complain(process, message);
  process.stderr.print(`Try '${process.name} --help' for more information.\n`);
  return USAGE;
}

function parse(process: Process): number {
  const settings: Settings = {
    short: undefined, longs: [], alternative: false, quiet: false, quietOutput: false, unquoted: false, name: "getopt", shell: "sh",
  };
  const first = process.args[0];
  if (first === undefined) return usage(process, "missing optstring argument");
  let words: readonly string[];
  if (!first.startsWith("-")) {
    Object.assign(settings, { short: first, unquoted: true });
    words = process.args.slice(process.args[1] === "--" ? 2 : 1);
  } else {
    const rest = own(process, settings);
    if (typeof rest === "number") return rest;
    if (settings.short === undefined && rest.length === 0) return usage(process, "missing optstring argument");
    words = settings.short === undefined ? rest.slice(rest[1] === "--" ? 2 : 1) : rest;
    settings.short ??= rest[0]!;
  }
  const scanner = new Scanner(process, settings, words);
  scanner.run();
  const parts = [...scanner.output, "--", ...scanner.rest.map((word) => quote(word, settings))];
  if (!settings.quietOutput) process.stdout.print(` ${parts.join(" ")}\n`);
  return scanner.failed ? FAULT : 0;
}

export const getopt = (process: Process): ReturnType<typeof flushed> => flushed(process, parse(process));

function flushed(process: Process, status: number): number | Promise<number> {
  void process.stderr.flush();
  const done = process.stdout.flush();
  return done instanceof Promise ? done.then(() => status) : status;
}
