/** From `--name value` words to the JSON object that a tool is called with. */

import type { Parameter, Parameters } from "./tool_schema";
import { ArgumentFault, parsed, typedValue } from "./tool_values";

export type { Schema } from "./tool_schema";

type Values = Record<string, unknown>;

const OPTION = /^--([^=]+)(?:=([^]*))?$/;

/** The words from `first` on. Options over `--json` over what was piped; throws ArgumentFault. */
export function readArguments(words: readonly string[], parameters: Parameters, piped: string, first = 0): string {
  const { values, base } = new Reading(words, parameters, first).read();
  if (base === undefined && piped === "") return JSON.stringify(values);
  return JSON.stringify({ ...(piped.trim() === "" ? {} : object(piped, "standard input")), ...base, ...values });
}

class Reading {
  readonly values: Values = Object.create(null) as Values;
  /** Of `--json`. */
  base: Values | undefined;
  /** Arrays that an option has begun. */
  private begun: Set<string> | undefined;

  constructor(
    private readonly words: readonly string[],
    private readonly parameters: Parameters,
    private at: number,
  ) {}

  read(): this {
    const { words, parameters } = this;
    while (this.at < words.length) {
      const word = words[this.at++]!;
      const parameter = parameters.found(word);
      if (parameter === undefined) this.option(word);
      else this.place(parameter, word, undefined);
    }
    return this;
  }

  /** An option that was not met before, or has its value attached. */
  private option(word: string): void {
    const [, name, attached] = OPTION.exec(word) ?? [];
    if (name === undefined) throw new ArgumentFault(`unexpected argument '${word}': parameters are written --name value, or all as --json '{…}'`);
    if (name === "json") this.base = { ...this.base, ...object(attached ?? this.words[this.at++], "--json") };
    else this.place(this.parameters.find(name), `--${name}`, attached);
  }

  private place({ path, kind, negated }: Parameter, where: string, attached: string | undefined): void {
    if (negated) return this.store(path, false);
    if (kind.isFlag && attached === undefined && this.isFlag(kind.types.size === 1)) return this.store(path, true);
    const text = attached ?? this.words[this.at++];
    if (text === undefined) throw new ArgumentFault(`${where} needs a value`);
    if (kind.isList && !/^\s*\[/.test(text)) this.append(path, typedValue(text, kind.items, where));
    else this.store(path, typedValue(text, kind, where));
  }

  /** Whether an option that may be a flag is one, by the word behind it. */
  private isFlag(only: boolean): boolean {
    const next = this.words[this.at];
    return next === undefined || (next !== "true" && next !== "false" && (only || next.startsWith("--")));
  }

  private append(path: readonly string[], item: unknown): void {
    const begun = (this.begun ??= new Set());
    const key = path.join(".");
    const before = begun.has(key) ? (look(this.values, path) as unknown[]) : [];
    begun.add(key);
    this.store(path, [...before, item]);
  }

  private store(path: readonly string[], value: unknown): void {
    const last = path.length - 1;
    let at = this.values;
    for (let index = 0; index < last; index += 1) at = (at[path[index]!] ??= Object.create(null)) as Values;
    at[path[last]!] = value;
  }
}

function look(values: Values, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (at as Values)[key], values);
}

function object(text: string | undefined, where: string): Values {
  if (text === undefined) throw new ArgumentFault(`${where} needs a JSON object`);
  const value = parsed(text, where);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new ArgumentFault(`${where} must be a JSON object`);
  return value as Values;
}
