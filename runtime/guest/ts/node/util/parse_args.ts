/** `util.parseArgs`: command line options, positionals and, when asked, the tokens they came from. */

import { kernel } from "amla:kernel";
import { coded, invalidType, received } from "../errors";

type Value = string | boolean;

interface OptionConfig {
  type: "string" | "boolean";
  short?: string;
  multiple?: boolean;
  default?: Value | Value[];
}

interface Config {
  args?: string[];
  options?: Record<string, OptionConfig>;
  strict?: boolean;
  allowPositionals?: boolean;
  allowNegative?: boolean;
  tokens?: boolean;
}

interface OptionToken {
  kind: "option";
  name: string;
  rawName: string;
  index: number;
  value: string | undefined;
  inlineValue: boolean | undefined;
}

type Token = OptionToken | { kind: "positional"; index: number; value: string } | { kind: "option-terminator"; index: number };

interface Settings {
  options: Record<string, OptionConfig>;
  strict: boolean;
  allowPositionals: boolean;
  allowNegative: boolean;
}

function checkOptions(options: Record<string, OptionConfig>): void {
  for (const [name, { type, short, multiple }] of Object.entries(options)) {
    const at = `options.${name}`;
    if (type !== "string" && type !== "boolean") {
      throw coded(TypeError, "ERR_INVALID_ARG_TYPE", `The "${at}.type" property must be ('string|boolean').${received(type)}`);
    }
    if (short !== undefined && typeof short !== "string") throw invalidType(`${at}.short`, "of type string", short);
    if (short !== undefined && short.length !== 1) {
      throw coded(TypeError, "ERR_INVALID_ARG_VALUE", `The property '${at}.short' must be a single character. Received ${shown(short)}`);
    }
    if (multiple !== undefined && typeof multiple !== "boolean") throw invalidType(`${at}.multiple`, "of type boolean", multiple);
  }
}

const shown = (value: unknown): string => kernel.console.inspect(value);

const takesValue = ({ options }: Settings, name: string): boolean => Object.hasOwn(options, name) && options[name]?.type === "string";

function longName({ options }: Settings, short: string): string {
  return Object.entries(options).find(([, option]) => option.short === short)?.[0] ?? short;
}

/** Reads arguments one by one; what an option takes as its value is taken from the front of the rest. */
class Tokenizer {
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

const failure = (code: string, message: string): Error => coded(TypeError, `ERR_PARSE_ARGS_${code}`, message);

function unknownOption(rawName: string, { allowPositionals }: Settings): Error {
  const hint = allowPositionals
    ? `. To specify a positional argument starting with a '-', place it at the end of the command after '--', as in '-- "${rawName}"` : "";
  return failure("UNKNOWN_OPTION", `Unknown option '${rawName}'${hint}`);
}

function checkToken(token: OptionToken, settings: Settings): void {
  const option = Object.hasOwn(settings.options, token.name) ? settings.options[token.name] : undefined;
  if (option === undefined) throw unknownOption(token.rawName, settings);
  const spelled = `${option.short === undefined ? "" : `-${option.short}, `}--${token.name}`;
  if (option.type === "string" && typeof token.value !== "string") {
    throw failure("INVALID_OPTION_VALUE", `Option '${spelled} <value>' argument missing`);
  }
  if (option.type === "boolean" && token.value !== undefined) {
    throw failure("INVALID_OPTION_VALUE", `Option '${spelled}' does not take an argument`);
  }
  if (token.inlineValue === false && token.value?.startsWith("-") && token.value.length > 1) throw looksLikeOption(token, option);
}

function looksLikeOption({ name, rawName }: OptionToken, { short }: OptionConfig): Error {
  const glued = rawName.startsWith("--") ? `'${rawName}=-XYZ'` : `'--${name}=-XYZ' or '-${short}-XYZ'`;
  return failure("INVALID_OPTION_VALUE",
    `Option '${rawName}' argument is ambiguous.\nDid you forget to specify the option argument for '${rawName}'?\n`
    + `To specify an option argument starting with a dash use ${glued}.`);
}

/** `--no-name` is `--name` set to false, where that is allowed; the token then carries the name. */
function takeNegation(token: OptionToken, { options, allowNegative }: Settings): boolean {
  if (!allowNegative || !token.name.startsWith("no-") || token.value !== undefined) return false;
  const name = token.name.slice(3);
  if (!Object.hasOwn(options, name) || options[name]?.type !== "boolean") return false;
  token.name = name;
  return true;
}

type Values = Record<string, Value | Value[]>;

function store(values: Values, name: string, value: Value, option: OptionConfig | undefined): void {
  if (name === "__proto__") return;
  if (!option?.multiple) values[name] = value;
  else if (Array.isArray(values[name])) values[name].push(value);
  else values[name] = [value];
}

function collect(tokens: readonly Token[], settings: Settings): { values: Values; positionals: string[] } {
  const values = Object.create(null) as Values;
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === "option") {
      const negative = takeNegation(token, settings);
      if (settings.strict && !negative) checkToken(token, settings);
      const { name } = token;
      const value = negative ? false : (token.value ?? true);
      store(values, name, value, Object.hasOwn(settings.options, name) ? settings.options[name] : undefined);
    } else if (token.kind === "positional") {
      if (!settings.allowPositionals) throw unexpected(token.value);
      positionals.push(token.value);
    }
  }
  for (const [name, option] of Object.entries(settings.options)) {
    if (option.default !== undefined && values[name] === undefined) values[name] = option.default;
  }
  return { values, positionals };
}

function unexpected(value: string): Error {
  return failure("UNEXPECTED_POSITIONAL",
    `Unexpected argument '${value}'. This command does not take positional arguments`);
}

export function parseArgs(config: Config = {}): object {
  if (typeof config !== "object" || config === null) throw invalidType("config", "of type object", config);
  const { args = kernel.process.argv.slice(2), options = {}, strict = true, allowNegative = false, tokens: wanted = false } = config;
  if (!Array.isArray(args)) throw invalidType("args", "an instance of Array", args);
  checkOptions(options);
  const settings: Settings = { options, strict, allowNegative, allowPositionals: config.allowPositionals ?? !strict };
  const tokens = new Tokenizer(args, settings).run();
  const { values, positionals } = collect(tokens, settings);
  return wanted ? { values, positionals, tokens } : { values, positionals };
}
