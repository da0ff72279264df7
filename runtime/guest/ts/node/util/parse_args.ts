/** `util.parseArgs`: command line options, positionals and, when asked, the tokens they came from. */

import { kernel } from "amla:kernel";
import { coded, invalidType, received } from "../errors";
import { type OptionConfig, type OptionToken, type Settings, type Token, Tokenizer, type Value } from "./arg_tokens";

interface Config {
  args?: string[];
  options?: Record<string, OptionConfig>;
  strict?: boolean;
  allowPositionals?: boolean;
  allowNegative?: boolean;
  tokens?: boolean;
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
