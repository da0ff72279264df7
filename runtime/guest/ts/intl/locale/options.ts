/** Reading the options bags of Intl constructors, with the messages that V8 gives. */

export type Options = Readonly<Record<string, unknown>>;

/** Options of the older constructors: undefined is an empty bag, other values become objects. */
export function coerceOptions(service: string, options: unknown): Options {
  if (options === undefined) return Object.create(null) as Options;
  if (options === null) throw new TypeError(`${service} called on null or undefined`);
  return Object(options) as Options;
}

/** Options of the newer constructors: only objects. */
export function objectOptions(options: unknown): Options {
  if (options === undefined) return Object.create(null) as Options;
  if ((typeof options !== "object" && typeof options !== "function") || options === null) {
    throw new TypeError("Incorrect options information provided");
  }
  return options as Options;
}

/** A string option among the allowed values (any if there are none). Throws RangeError for another. */
export function stringOption<T extends string, F extends T | undefined>(
  service: string,
  options: Options,
  name: string,
  allowed: readonly T[] | undefined,
  fallback: F,
): T | F {
  const value = options[name];
  if (value === undefined) return fallback;
  const text = String(value as string) as T;
  if (allowed !== undefined && !allowed.includes(text)) throw outOfRange(service, text, name);
  return text;
}

export function booleanOption(options: Options, name: string): boolean | undefined {
  const value = options[name];
  return value === undefined ? undefined : Boolean(value);
}

/** An integer option between the limits. Throws RangeError outside them. */
export function numberOption<F extends number | undefined>(
  options: Options,
  name: string,
  least: number,
  most: number,
  fallback: F,
): number | F {
  return defaultNumber(options[name], name, least, most, fallback);
}

export function defaultNumber<F extends number | undefined>(
  value: unknown,
  name: string,
  least: number,
  most: number,
  fallback: F,
): number | F {
  if (value === undefined) return fallback;
  const number = Number(value);
  if (!(number >= least && number <= most)) throw new RangeError(`${name} value is out of range.`);
  return Math.floor(number);
}

export function outOfRange(service: string, value: string, name: string): RangeError {
  return new RangeError(`Value ${value} out of range for ${service} options property ${name}`);
}

/** Every constructor reads localeMatcher first; there is only one matcher here. */
export function readLocaleMatcher(service: string, options: Options): void {
  stringOption(service, options, "localeMatcher", ["lookup", "best fit"], "best fit");
}

/** The numbering system asked for by option or keyword. Throws RangeError for any but Latin digits. */
export function readNumberingSystem(options: Options, keyword: string | undefined): "latn" {
  const asked = stringOption("Intl", options, "numberingSystem", undefined, undefined) ?? keyword ?? "latn";
  if (!/^[a-z0-9]{3,8}(-[a-z0-9]{3,8})*$/i.test(asked)) throw new RangeError(`Invalid numberingSystem : ${asked}`);
  if (asked.toLowerCase() !== "latn") throw new RangeError(`Intl here has only the numbering system latn, not ${asked}`);
  return "latn";
}
