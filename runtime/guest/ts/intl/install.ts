/**
 * Puts the locale-aware methods and the global `Intl` into a realm. Each loads its module when it is first called, so a
 * script that never asks for them pays nothing.
 */

type Require = (name: string) => unknown;
type Method = (this: unknown, ...args: unknown[]) => unknown;

interface NumberModule {
  numberToLocaleString(value: number | bigint, locales: unknown, options: unknown): string;
}
interface DateModule {
  dateToLocaleString(time: number, locales: unknown, options: unknown, need: "any" | "date" | "time"): string;
}
interface CollateModule {
  localeCompare(a: string, b: string, locales: unknown, options: unknown): number;
}
interface CaseModule {
  changeCase(text: string, upper: boolean, locales: unknown): string;
}

/** Define everything on the realm's own prototypes; `require` loads the amla:intl-… modules. */
export function install(global: Record<string, unknown>, require: Require): void {
  Object.defineProperty(global, "Intl", {
    configurable: true,
    enumerable: false,
    get: () => replace(global, "Intl", (require("amla:intl") as { Intl: unknown }).Intl),
    set: (value: unknown) => replace(global, "Intl", value),
  });
  define(Number.prototype, numberMethods(require));
  define(BigInt.prototype, bigintMethods(require));
  define(String.prototype, stringMethods(require));
  define(Date.prototype, dateMethods(require));
  define(Array.prototype, arrayMethods);
  define(Object.getPrototypeOf(Uint8Array.prototype) as object, arrayMethods);
}

function replace(global: object, name: string, value: unknown): unknown {
  Object.defineProperty(global, name, { value, writable: true, configurable: true, enumerable: false });
  return value;
}

/** The methods take their optional arguments as a rest, so that their length is that of ECMA-402. */
function define(prototype: object, methods: Readonly<Record<string, Method>>): void {
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true, enumerable: false });
  }
}

const numberMethods = (require: Require): Record<string, Method> => ({
  toLocaleString(...args: unknown[]) {
    const value = Number.prototype.valueOf.call(this);
    return (require("amla:intl-number") as NumberModule).numberToLocaleString(value, args[0], args[1]);
  },
});

const bigintMethods = (require: Require): Record<string, Method> => ({
  toLocaleString(...args: unknown[]) {
    const value = BigInt.prototype.valueOf.call(this);
    return (require("amla:intl-number") as NumberModule).numberToLocaleString(value, args[0], args[1]);
  },
});

const dateMethods = (require: Require): Record<string, Method> => {
  const write = (date: unknown, args: readonly unknown[], need: "any" | "date" | "time"): string => {
    const time = Date.prototype.getTime.call(date as Date);
    return (require("amla:intl-date") as DateModule).dateToLocaleString(time, args[0], args[1], need);
  };
  return {
    toLocaleString(...args: unknown[]) {
      return write(this, args, "any");
    },
    toLocaleDateString(...args) {
      return write(this, args, "date");
    },
    toLocaleTimeString(...args) {
      return write(this, args, "time");
    },
  };
};

const stringMethods = (require: Require): Record<string, Method> => {
  const changed = (self: unknown, upper: boolean, locales: unknown, name: string): string => {
    const text = textOf(self, name);
    if (locales === undefined) return upper ? text.toUpperCase() : text.toLowerCase();
    return (require("amla:intl-text") as CaseModule).changeCase(text, upper, locales);
  };
  return {
    localeCompare(that, ...args) {
      const text = textOf(this, "localeCompare");
      return (require("amla:intl-collate") as CollateModule).localeCompare(text, `${that as string}`, args[0], args[1]);
    },
    toLocaleUpperCase(...args) {
      return changed(this, true, args[0], "toLocaleUpperCase");
    },
    toLocaleLowerCase(...args) {
      return changed(this, false, args[0], "toLocaleLowerCase");
    },
  };
};

type Item = { toLocaleString(locales: unknown, options: unknown): string } | null | undefined;

/** Arrays hand the arguments on to their elements' toLocaleString; this array's own is met on the way when it is cyclic. */
const joining = new Set<unknown>();
const arrayMethods: Record<string, Method> = {
  toLocaleString(...args: unknown[]) {
    const array = Object(this) as ArrayLike<Item>;
    if (joining.has(array)) return "";
    joining.add(array);
    try {
      const write = (item: Item): string => (item === undefined || item === null ? "" : item.toLocaleString(args[0], args[1]));
      return Array.from({ length: array.length }, (_, i) => write(array[i])).join(",");
    } finally {
      joining.delete(array);
    }
  },
};

function textOf(value: unknown, method: string): string {
  if (value === undefined || value === null) {
    throw new TypeError(`String.prototype.${method} called on null or undefined`);
  }
  return String(value as string);
}
