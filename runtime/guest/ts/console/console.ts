/** The `console` of one run: what it prints, its indentation, counters and timers. */

import type { InspectOptions } from "./context";
import { duration } from "./duration";
import { formatWithOptions } from "./format";
import { inspect } from "./inspect";
import { table } from "./table";

export interface ConsoleHost {
  /** Puts out `text` as it is; `fd` is 1 for stdout, 2 for stderr. */
  write(fd: 1 | 2, text: string): void;
  /** Puts out what is said of the use of the console itself; on stderr unless given. */
  warn?(text: string): void;
  /** Milliseconds from any fixed moment. */
  now(): number;
}

/** Columns that each open group indents by. */
const GROUP_INDENT = 2;

/** A new console with nothing counted, timed or grouped. */
export function createConsole(host: ConsoleHost) {
  let indent = "";
  const counters = new Map<string, number>();
  const timers = new Map<string, number>();

  function put(fd: 1 | 2, text: string): void {
    if (indent === "") host.write(fd, `${text}\n`);
    else host.write(fd, `${indent}${text.includes("\n") ? text.replaceAll("\n", `\n${indent}`) : text}\n`);
  }

  const print = (fd: 1 | 2, values: unknown[]): void => put(fd, formatWithOptions(undefined, values));

  function warning(text: string): void {
    const line = `Warning: ${text}\n`;
    if (host.warn) host.warn(line);
    else host.write(2, line);
  }

  function elapsed(label: string, method: string): string | undefined {
    const start = timers.get(label);
    if (start !== undefined) return `${label}: ${duration(host.now() - start)}`;
    warning(`No such label '${label}' for console.${method}()`);
    return undefined;
  }

  function group(...label: unknown[]): void {
    if (label.length > 0) print(1, label);
    indent += " ".repeat(GROUP_INDENT);
  }

  return {
    log: (...values: unknown[]): void => print(1, values),
    warn: (...values: unknown[]): void => print(2, values),
    dir(value: unknown, options?: InspectOptions): void {
      put(1, inspect(value, { customInspect: false, ...options }));
    },
    time(label: unknown = "default"): void {
      const name = String(label);
      if (timers.has(name)) warning(`Label '${name}' already exists for console.time()`);
      else timers.set(name, host.now());
    },
    timeEnd(label: unknown = "default"): void {
      const text = elapsed(String(label), "timeEnd");
      if (text !== undefined) put(1, text);
      timers.delete(String(label));
    },
    timeLog(label: unknown = "default", ...values: unknown[]): void {
      const text = elapsed(String(label), "timeLog");
      if (text !== undefined) put(1, formatWithOptions(undefined, ["%s", text, ...values]));
    },
    assert(condition: unknown, ...values: unknown[]): void {
      if (condition) return;
      const [first, ...rest] = values;
      print(2, [values.length === 0 ? "Assertion failed" : `Assertion failed: ${first as string}`, ...rest]);
    },
    /** There is no screen to clear. */
    clear(): void {},
    count(label: unknown = "default"): void {
      const name = `${label as string}`;
      const count = (counters.get(name) ?? 0) + 1;
      counters.set(name, count);
      put(1, `${name}: ${count}`);
    },
    countReset(label: unknown = "default"): void {
      const name = `${label as string}`;
      if (!counters.delete(name)) warning(`Count for '${name}' does not exist`);
    },
    group,
    groupEnd(): void {
      indent = indent.slice(GROUP_INDENT);
    },
    table(data: unknown, columns?: string[]): void {
      if (typeof data === "object" && data !== null) put(1, table(data, columns));
      else print(1, [data]);
    },
    debug: (...values: unknown[]): void => print(1, values),
    info: (...values: unknown[]): void => print(1, values),
    dirxml: (...values: unknown[]): void => print(1, values),
    error: (...values: unknown[]): void => print(2, values),
    groupCollapsed: group,
    /** There is no inspector to tell. */
    profile(): void {},
    profileEnd(): void {},
    timeStamp(): void {},
  };
}

export type Console = ReturnType<typeof createConsole>;
