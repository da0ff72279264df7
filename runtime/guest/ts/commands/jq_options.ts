/** jq's command line: its own rules, in which options and files may be mixed and the first other word is the program. */

import type { JqOptions } from "../bridge/native";

export interface JqPlan {
  readonly kind: "plan";
  readonly program: string;
  readonly options: JqOptions;
  readonly files: readonly string[];
}

export type JqLine =
  | JqPlan
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "fault"; readonly message: string; readonly usage: boolean };

type Reading = (path: string) => Promise<string>;

class Fault {
  constructor(
    readonly message: string,
    readonly usage = false,
  ) {}
}

const FLAGS: Readonly<Record<string, [key: keyof JqOptions, value: boolean]>> = {
  "null-input": ["nullInput", true],
  "raw-input": ["rawInput", true],
  slurp: ["slurp", true],
  stream: ["stream", true],
  seq: ["seq", true],
  "raw-output": ["rawOutput", true],
  "join-output": ["joinOutput", true],
  "raw-output0": ["rawOutput0", true],
  "ascii-output": ["asciiOutput", true],
  "sort-keys": ["sortKeys", true],
  "color-output": ["colorOutput", true],
  "monochrome-output": ["colorOutput", false],
  tab: ["tab", true],
  "exit-status": ["exitStatus", true],
};
const SHORT: Readonly<Record<string, string>> = {
  n: "null-input", R: "raw-input", s: "slurp", r: "raw-output", j: "join-output", a: "ascii-output", S: "sort-keys",
  C: "color-output", M: "monochrome-output", e: "exit-status", c: "compact-output", f: "from-file", h: "help", V: "version",
  L: "library-path",
};
const IGNORED = new Set(["unbuffered"]);

const HELP: readonly (readonly [string, string])[] = [
  ["-n, --null-input", "use null as the single input value"],
  ["-R, --raw-input", "read each line as a string"],
  ["-s, --slurp", "read all inputs into one array"],
  ["-c, --compact-output", "compact instead of pretty-printed output"],
  ["-r, --raw-output", "output strings without quotes"],
  ["    --raw-output0", "as -r, with NUL after each output"],
  ["-j, --join-output", "as -r, without newlines"],
  ["-a, --ascii-output", "escape all that is not ASCII"],
  ["-S, --sort-keys", "sort the keys of objects"],
  ["-C, --color-output", "colour the output"],
  ["-M, --monochrome-output", "do not colour the output"],
  ["    --tab", "indent with tabs"],
  ["    --indent N", "indent with N spaces, up to 7"],
  ["    --stream", "parse the input in a streaming fashion"],
  ["    --seq", "read and write application/json-seq"],
  ["-e, --exit-status", "status 1 when the last output is false or null"],
  ["-f, --from-file FILE", "take the filter from FILE"],
  ["    --arg NAME VALUE", "set $NAME to the string VALUE"],
  ["    --argjson NAME JSON", "set $NAME to the value JSON"],
  ["    --slurpfile NAME FILE", "set $NAME to an array of the values in FILE"],
  ["    --rawfile NAME FILE", "set $NAME to the text of FILE"],
  ["    --args", "the words that follow are strings for $ARGS.positional"],
  ["    --jsonargs", "the words that follow are values for $ARGS.positional"],
];

export function jqHelp(short = false): string {
  const usage = "Usage:\tjq [OPTIONS] FILTER [FILE...]\n\tjq [OPTIONS] --args FILTER [STRING...]\n\tjq [OPTIONS] --jsonargs FILTER [JSON...]\n";
  if (short) return `Use jq --help for help with command-line options.\n`;
  return `${usage}\n${HELP.map(([flag, words]) => `  ${flag.padEnd(26)}${words}\n`).join("")}`;
}

class Line {
  private readonly options: { -readonly [K in keyof JqOptions]: JqOptions[K] } = {};
  private readonly named: [string, string][] = [];
  private readonly positional: string[] = [];
  private readonly files: string[] = [];
  private program: string | undefined;
  private programFile: string | undefined;
  private rest: "files" | "strings" | "values" = "files";
  private literal = false;

  constructor(
    private readonly words: string[],
    private readonly read: Reading,
  ) {}

  async parse(): Promise<JqLine> {
    for (let word = this.words.shift(); word !== undefined; word = this.words.shift()) {
      if (this.literal || !/^-[-A-Za-z]/.test(word)) this.operand(word);
      else if (word === "--") this.literal = true;
      else if (word.startsWith("--")) {
        const text = await this.long(word.slice(2));
        if (text !== undefined) return { kind: "text", text };
      } else {
        for (const letter of word.slice(1)) {
          const name = SHORT[letter];
          if (name === undefined) throw new Fault(`Unknown arguments\n`, true);
          const text = await this.long(name);
          if (text !== undefined) return { kind: "text", text };
        }
      }
    }
    return this.plan();
  }

  private operand(word: string): void {
    if (this.program === undefined && this.programFile === undefined) this.program = word;
    else if (this.rest === "strings") this.positional.push(JSON.stringify(word.toWellFormed()));
    else if (this.rest === "values") this.positional.push(checked(word, `Invalid JSON text passed to --jsonargs`));
    else this.files.push(word);
  }

  /** A text when that is all there is to do. */
  private async long(name: string): Promise<string | undefined> {
    const flag = FLAGS[name];
    if (flag) {
      Object.assign(this.options, { [flag[0]]: flag[1] });
      if (name === "join-output") this.options.rawOutput = true;
      return undefined;
    }
    if (IGNORED.has(name)) return undefined;
    const act = this.actions[name];
    if (!act) throw new Fault(`Unknown arguments`, true);
    return act();
  }

  /** The last of --compact-output, --tab and --indent counts. */
  private indentBy(indent: number): undefined {
    Object.assign(this.options, { indent, tab: false });
  }

  private readonly actions: Readonly<Record<string, () => Promise<string | undefined> | string | undefined>> = {
    help: () => jqHelp(),
    version: () => "jq-1.8.2\n",
    "compact-output": () => this.indentBy(0),
    indent: () => {
      const text = this.value("--indent takes one parameter");
      if (!/^-?\d+$/.test(text) || Number(text) < -1) throw new Fault("Cannot indent less than zero");
      if (Number(text) > 7) throw new Fault("Cannot indent more than 7 characters");
      return this.indentBy(Number(text));
    },
    "from-file": () => {
      // As in jq, a program that was already read is a file then.
      this.programFile = this.program ?? this.words.shift();
      if (this.programFile === undefined) throw new Fault("-f takes a parameter (e.g. -f file)");
      this.program = undefined;
      return undefined;
    },
    "library-path": () => {
      throw new Fault("-L: modules are not supported in the sandbox: put the definitions into the filter");
    },
    args: () => void (this.rest = "strings"),
    jsonargs: () => void (this.rest = "values"),
    arg: () => {
      const [key, value] = this.pair("--arg takes two parameters (e.g. --arg varname value)");
      return this.set(key, JSON.stringify(value.toWellFormed()));
    },
    argjson: () => {
      const [key, value] = this.pair("--argjson takes two parameters (e.g. --argjson varname text)");
      return this.set(key, checked(value, `Invalid JSON text passed to --argjson`));
    },
    rawfile: () => this.fromFile("rawfile", (text) => JSON.stringify(text.toWellFormed())),
    slurpfile: () => this.fromFile("slurpfile", (text) => `[${valuesOf(text).join(",")}]`),
  };

  private value(fault: string): string {
    const word = this.words.shift();
    if (word === undefined) throw new Fault(fault);
    return word;
  }

  private pair(fault: string): [string, string] {
    return [this.value(fault), this.value(fault)];
  }

  private set(key: string, json: string): undefined {
    if (!this.named.some(([known]) => known === key)) this.named.push([key, json]);
  }

  private async fromFile(name: string, convert: (text: string) => string): Promise<undefined> {
    const [key, path] = this.pair(`--${name} takes two parameters (e.g. --${name} varname filename)`);
    const text = await this.read(path);
    if (text.startsWith("\0")) throw new Fault(`Bad JSON in --${name} ${key} ${path}: Could not open ${path}: ${text.slice(1)}`);
    try {
      return this.set(key, convert(text));
    } catch (error) {
      throw new Fault(`Bad JSON in --${name} ${key} ${path}: ${(error as Error).message}`);
    }
  }

  private async plan(): Promise<JqLine> {
    let program = this.program ?? ".";
    if (this.programFile !== undefined) {
      program = await this.read(this.programFile);
      if (program.startsWith("\0")) throw new Fault(`Could not open ${this.programFile}: ${program.slice(1)}`);
      program = program.replace(/^#![^\n]*/, "");
    }
    const named = `{${this.named.map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(",")}}`;
    const positional = `[${this.positional.join(",")}]`;
    return { kind: "plan", program, options: { ...this.options, named, positional }, files: this.files };
  }
}

function checked(json: string, fault: string): string {
  try {
    JSON.parse(json.replace(/\bnan\b/g, "null"));
  } catch {
    throw new Fault(fault, true);
  }
  return json;
}

/** The JSON values of a text, one after the other. */
function valuesOf(text: string): string[] {
  const values: string[] = [];
  let rest = text.trim();
  while (rest !== "") {
    const end = valueEnd(rest);
    JSON.parse(rest.slice(0, end));
    values.push(rest.slice(0, end));
    rest = rest.slice(end).trim();
  }
  return values;
}

const TOKEN = /"(?:[^"\\]|\\[^])*"|[{}[\]]|[^\s"{}[\],:]+|[\s,:]+/y;

/** Where the value at the beginning ends. */
function valueEnd(text: string): number {
  let depth = 0;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
    const [token] = match;
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    if (depth === 0) return TOKEN.lastIndex;
  }
  return text.length;
}

export async function readJqLine(args: readonly string[], read: Reading): Promise<JqLine> {
  try {
    return await new Line([...args], read).parse();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { kind: "fault", message: error.message, usage: error.usage };
  }
}
