/** Special parameters and the variables that the shell makes up. */

import { native } from "../../bridge/native";
import { IndexedArray } from "./arrays";
import type { Shell } from "./shell";
import { type Dynamic, Variable } from "./variables";

/** Letters of `$-`, in bash's order. */
const LETTERS: readonly (readonly [string, string])[] = [
  ["allexport", "a"], ["notify", "b"], ["errexit", "e"], ["noglob", "f"], ["hashall", "h"], ["keyword", "k"],
  ["monitor", "m"], ["noexec", "n"], ["privileged", "p"], ["onecmd", "t"], ["nounset", "u"], ["verbose", "v"],
  ["xtrace", "x"], ["braceexpand", "B"], ["noclobber", "C"], ["errtrace", "E"], ["histexpand", "H"], ["physical", "P"],
  ["functrace", "T"],
];

const SPECIAL: Readonly<Record<string, (shell: Shell) => string | undefined>> = {
  "?": (shell) => String(shell.status),
  $: (shell) => String(shell.rootPid),
  "!": (shell) => (shell.lastBackground === undefined ? undefined : String(shell.lastBackground)),
  "-": (shell) => `${LETTERS.filter(([name]) => shell.options.has(name)).map(([, letter]) => letter).join("")}s`,
  _: (shell) => shell.lastArgument,
  "#": (shell) => String(shell.positional.length),
  "0": (shell) => shell.name,
};

export function specialParameter(shell: Shell, name: string): string | undefined {
  return SPECIAL[name]?.(shell);
}

function list(values: () => Iterable<string>): Dynamic {
  const variable = (): Variable => new Variable(new IndexedArray(values()));
  return { get: () => variable().scalar ?? "", variable };
}

/** 15 bits from the sandbox's own source of randomness; assignments seed a sequence that repeats. */
function randomNumbers(): Dynamic {
  let seed: number | undefined;
  const word = new Uint32Array(1);
  return {
    get() {
      if (seed === undefined) {
        native.random.fill(new Uint8Array(word.buffer));
        return String(word[0]! & 0x7fff);
      }
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
      return String((seed >>> 16) & 0x7fff);
    },
    set(value) {
      seed = Number(value) >>> 0;
    },
  };
}

function seconds(shell: Shell): Dynamic {
  let zero = shell.session.started;
  const now = (): number => native.clock.monotonic();
  return {
    get: () => String(Math.floor((now() - zero) / 1000)),
    set: (value) => (zero = now() - Number(value) * 1000),
  };
}

export function defineDynamics(shell: Shell): void {
  const { dynamic } = shell.variables;
  const define = (name: string, get: () => string): unknown => dynamic.set(name, { get });
  define("LINENO", () => String(shell.line));
  define("BASHPID", () => String(shell.pid));
  define("BASH_SUBSHELL", () => String(shell.level));
  define("EPOCHSECONDS", () => String(Math.floor(native.clock.now() / 1000)));
  define("EPOCHREALTIME", () => (native.clock.now() / 1000).toFixed(6));
  define("SRANDOM", () => String(new DataView(randomBytes(4).buffer).getUint32(0)));
  dynamic.set("RANDOM", randomNumbers());
  dynamic.set("SECONDS", seconds(shell));
  dynamic.set("PIPESTATUS", list(() => shell.pipeStatus.map(String)));
  dynamic.set("FUNCNAME", named(shell, () => shell.calls.map(({ name }) => name).reverse()));
  dynamic.set("BASH_SOURCE", list(() => sources(shell)));
  dynamic.set("BASH_LINENO", list(() => [...shell.calls.map(({ line }) => String(line)).reverse(), "0"]));
  dynamic.set("GROUPS", list(() => ["1000"]));
}

/** FUNCNAME is unset outside functions; inside, the script itself is `main`. */
function named(shell: Shell, names: () => string[]): Dynamic {
  const inside = list(() => [...names(), "main"]);
  return { get: () => (shell.calls.length > 0 ? inside.get() : undefined), variable: () => (shell.calls.length > 0 ? inside.variable!() : undefined) };
}

function sources(shell: Shell): string[] {
  return [...shell.calls.map(({ source }) => source).reverse(), shell.name];
}

function randomBytes(count: number): Uint8Array {
  const bytes = new Uint8Array(count);
  native.random.fill(bytes);
  return bytes;
}
