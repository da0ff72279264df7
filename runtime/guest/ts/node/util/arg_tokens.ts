/** Command line arguments as tokens: options with their values, positionals, and the `--` between them. */

export type Value = string | boolean;

export interface OptionConfig {
  type: "string" | "boolean";
  short?: string;
  multiple?: boolean;
  default?: Value | Value[];
}

export interface OptionToken {
  kind: "option";
  name: string;
  rawName: string;
  index: number;
  value: string | undefined;
  inlineValue: boolean | undefined;
}

export type Token = OptionToken | { kind: "positional"; index: number; value: string } | { kind: "option-terminator"; index: number };

export interface Settings {
  options: Record<string, OptionConfig>;
  strict: boolean;
  allowPositionals: boolean;
  allowNegative: boolean;
}

const takesValue = ({ options }: Settings, name: string): boolean => Object.hasOwn(options, name) && options[name]?.type === "string";

function longName({ options }: Settings, short: string): string {
  return Object.entries(options).find(([, option]) => option.short === short)?.[0] ?? short;
}

/** Reads arguments one by one; what an option takes as its value is taken from the front of the rest. */
export class Tokenizer {
  readonly tokens: Token[] = [];
  private readonly rest: string[];
  private index = -1;
  /** Letters of a group such as `-abc` still to be read share one index. */
  private grouped = 0;

  constructor(args: readonly string[], private readonly settings: Settings) {
    this.rest = [...args];
  }

  run(): Token[] {
    while (this.rest.length > 0) {
      const arg = this.rest.shift() as string;
      if (this.grouped > 0) this.grouped--;
      else this.index++;
      if (arg === "--") this.terminate();
      else this.one(arg);
    }
    return this.tokens;
  }

  private terminate(): void {
    this.tokens.push({ kind: "option-terminator", index: this.index });
    for (const value of this.rest.splice(0)) this.tokens.push({ kind: "positional", index: ++this.index, value });
  }

  private one(arg: string): void {
    if (/^-[^-]$/.test(arg)) this.short(arg);
    else if (/^-[^-]/.test(arg)) this.shortGroup(arg);
    else if (/^--./.test(arg)) this.long(arg);
    else this.tokens.push({ kind: "positional", index: this.index, value: arg });
  }

  private option(name: string, rawName: string, value?: string, inlineValue?: boolean): void {
    this.tokens.push({ kind: "option", name, rawName, index: this.index, value, inlineValue });
  }

  private following(name: string, rawName: string): void {
    const [next] = this.rest;
    if (!takesValue(this.settings, name) || next === undefined) return this.option(name, rawName);
    this.rest.shift();
    this.option(name, rawName, next, false);
    this.index++;
  }

  private short(arg: string): void {
    this.following(longName(this.settings, arg.charAt(1)), arg);
  }

  /** `-abc` is `-a -b -c`, unless a letter before the last takes a value: then the rest is that. */
  private shortGroup(arg: string): void {
    const letters = arg.slice(1);
    const first = longName(this.settings, letters.charAt(0));
    if (takesValue(this.settings, first)) return this.option(first, `-${letters.charAt(0)}`, letters.slice(1), true);
    const expanded: string[] = [];
    for (let at = 0; at < letters.length; at++) {
      const last = at === letters.length - 1;
      if (last || !takesValue(this.settings, longName(this.settings, letters.charAt(at)))) {
        expanded.push(`-${letters.charAt(at)}`);
        continue;
      }
      expanded.push(`-${letters.slice(at)}`);
      break;
    }
    this.rest.unshift(...expanded);
    this.grouped += expanded.length;
  }

  private long(arg: string): void {
    const equals = arg.indexOf("=", 3);
    if (equals < 0) return this.following(arg.slice(2), arg);
    const name = arg.slice(2, equals);
    this.option(name, `--${name}`, arg.slice(equals + 1), true);
  }
}
