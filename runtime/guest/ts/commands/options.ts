/** GNU command lines: getopt_long's rules and words, and the help that goes with them. */

/** Thrown when a command line is wrong; the command prints it and a hint at `--help`. */
export class UsageFault {
  /** `hint`: whether "Try 'x --help' for more information." follows; `status`: if not the command's usual one. */
  constructor(
    readonly message: string,
    readonly hint = true,
    readonly status?: number,
  ) {}
}

/** `-k, --key=KEYDEF`, `--color[=WHEN]`, `-n`: how the option is written, and what it does, for the help. */
export type OptionTable = Readonly<Record<string, readonly [flags: string, help: string]>>;

type Argument = "none" | "required" | "optional";

interface Known {
  readonly key: string;
  readonly argument: Argument;
}

export class Options<T extends OptionTable> {
  /** As given. */
  readonly order: { readonly key: keyof T & string; readonly value: string | undefined }[] = [];

  has(key: keyof T & string): boolean {
    for (const given of this.order) if (given.key === key) return true;
    return false;
  }

  /** The last value given. */
  value(key: keyof T & string): string | undefined {
    return this.order.findLast((given) => given.key === key)?.value;
  }

  list(key: keyof T & string): string[] {
    return this.order.filter((given) => given.key === key).map((given) => given.value ?? "");
  }

  /** Which of these was given last. */
  last<K extends keyof T & string>(...keys: K[]): K | undefined {
    return this.order.findLast((given) => (keys as string[]).includes(given.key))?.key as K | undefined;
  }
}

/** A command line's words, taken from the left. */
class Words {
  private at = 0;

  constructor(private readonly words: readonly string[]) {}

  next(): string | undefined {
    return this.words[this.at++];
  }

  left(): readonly string[] {
    return this.words.slice(this.at);
  }
}

/** Short letters and long names to what they mean. */
export class Grammar<T extends OptionTable> {
  private readonly short = new Map<string, Known>();
  private readonly long = new Map<string, Known>();

  constructor(
    table: T,
    private readonly digits?: string,
  ) {
    for (const [key, [flags]] of Object.entries(table)) {
      const argument: Argument = /\[=?\w/.test(flags) ? "optional" : /[= ][A-Z]/.test(flags.replace(/, /g, ",")) ? "required" : "none";
      for (const flag of flags.split(", ")) {
        const name = /^--?([^=[ ]+)/.exec(flag)![1]!;
        (flag.startsWith("--") ? this.long : this.short).set(name, { key, argument });
      }
    }
  }

  /** Splits a command line; with `inOrder` the first operand ends the options. */
  parse(args: readonly string[], inOrder = false): { options: Options<T>; operands: string[] } {
    const options = new Options<T>();
    const operands: string[] = [];
    const rest = new Words(args);
    for (let word = rest.next(); word !== undefined; word = rest.next()) {
      if (word[0] !== "-" || word.length === 1) operands.push(word);
      else if (word === "--") return { options, operands: operands.concat(rest.left()) };
      else if (word[1] === "-") this.parseLong(word, rest, options);
      else this.parseShort(word, rest, options);
      if (inOrder && operands.length > 0) return { options, operands: operands.concat(rest.left()) };
    }
    return { options, operands };
  }

  private parseLong(word: string, rest: Words, options: Options<T>): void {
    const [, name, given] = /^--([^=]*)(?:=([^]*))?$/.exec(word)!;
    const { key, argument, full } = this.findLong(name!, word);
    if (given !== undefined && argument === "none") throw new UsageFault(`option '--${full}' doesn't allow an argument`);
    const value = given ?? (argument === "required" ? rest.next() : undefined);
    if (argument === "required" && value === undefined) throw new UsageFault(`option '--${full}' requires an argument`);
    options.order.push({ key, value });
  }

  private findLong(name: string, word: string): Known & { full: string } {
    const exact = this.long.get(name);
    if (exact) return { ...exact, full: name };
    const near = [...this.long].filter(([full]) => full.startsWith(name) && name !== "");
    if (near.length === 0) throw new UsageFault(`unrecognized option '${word.replace(/=[^]*/, "")}'`);
    if (new Set(near.map(([, known]) => known.key)).size > 1) {
      const all = near.map(([full]) => ` '--${full}'`).join("");
      throw new UsageFault(`option '${word}' is ambiguous; possibilities:${all}`);
    }
    return { ...near[0]![1], full: near[0]![0] };
  }

  private parseShort(word: string, rest: Words, options: Options<T>): void {
    for (let at = 1; at < word.length; at += 1) {
      const letter = String.fromCodePoint(word.codePointAt(at)!);
      if (this.digits !== undefined && letter >= "0" && letter <= "9") {
        const [number] = /^\d+/.exec(word.slice(at))!;
        options.order.push({ key: this.digits, value: number });
        at += number.length - 1;
        continue;
      }
      const known = this.short.get(letter);
      if (!known) throw new UsageFault(`invalid option -- '${letter}'`);
      if (known.argument === "none") {
        options.order.push({ key: known.key, value: undefined });
        continue;
      }
      const attached = word.slice(at + 1);
      const value = attached !== "" ? attached : known.argument === "required" ? rest.next() : undefined;
      if (value === undefined && known.argument === "required") throw new UsageFault(`option requires an argument -- '${letter}'`);
      options.order.push({ key: known.key, value });
      return;
    }
  }
}

/** The options' part of a help text. */
export function describeOptions(table: OptionTable): string {
  const rows = Object.values(table).map(([flags, help]) => [`  ${flags.startsWith("--") ? "    " : ""}${flags}`, help] as const);
  const lines = rows.map(([flags, help]) => (flags.length > 27 ? `${flags}\n${" ".repeat(29)}${help}` : flags.padEnd(29) + help));
  return lines.map((line) => `${line}\n`).join("");
}
