/** Special parameters and the variables that the shell makes up. */

import { native } from "../../bridge/native";
import { AssociativeArray, IndexedArray } from "./arrays";
import { headOf } from "./heads";
import { setOptions, shopts } from "./options";
import type { Shell } from "./shell";
import type { Call } from "./state";
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
  "-": (shell) => LETTERS.filter(([name]) => shell.options.has(name)).map(([, letter]) => letter).join("") + shell.source,
  _: (shell) => shell.lastArgument,
  "#": (shell) => String(shell.positional.length),
  "0": (shell) => shell.name,
};

export function specialParameter(shell: Shell, name: string): string | undefined {
  return SPECIAL[name]?.(shell);
}

function list(values: (shell: Shell) => string[]): Dynamic {
  const variable = (shell: Shell): Variable => new Variable(new IndexedArray(values(shell)));
  return { get: (shell) => variable(shell).scalar ?? "", variable };
}

/** An associative array of what the shell keeps by name; an assigned element goes there. */
function table(entries: (shell: Shell) => ReadonlyMap<string, string>, put: (shell: Shell, changed: ReadonlyMap<string, string>) => void): Dynamic {
  return {
    get: (shell) => entries(shell).get("0"),
    variable: (shell) => new Variable(new AssociativeArray(new Map(entries(shell)))),
    put: (shell, key, value) => put(shell, new Map(entries(shell)).set(key, value)),
  };
}

const BASH_ALIASES = table(({ aliases }) => aliases, (shell, changed) => (shell.aliases = changed));

/** What `hash` keeps. */
const BASH_CMDS = table(({ hashed }) => hashed, (shell, changed) => {
  shell.hashed = changed;
  shell.hashedBy = shell.variables.get("PATH");
});

/** 15 bits from the sandbox's own source of randomness; an assignment seeds the sequence that bash has for that number. */
const RANDOM: Dynamic = {
  get(shell) {
    if (shell.seed === undefined) return String(randomWord() & 0x7fff);
    shell.seed = afterSeed(shell.seed);
    return String(((shell.seed >>> 16) ^ shell.seed) & 0x7fff);
  },
  set(shell, value) {
    shell.seed = Number.parseInt(value, 10) >>> 0;
  },
};

/** The generator of Park and Miller, computed as bash does; 0 has a successor of its own. */
function afterSeed(seed: number): number {
  const last = seed === 0 ? 123459876 : seed;
  const high = Math.trunc(last / 127773);
  const next = (16807 * (last - 127773 * high) - 2836 * high) | 0;
  return next < 0 ? next + 0x7fffffff : next;
}

const SECONDS: Dynamic = {
  get: (shell) => String(Math.floor((native.clock.monotonic() - shell.secondsZero) / 1000)),
  set(shell, value) {
    shell.secondsZero = native.clock.monotonic() - (Number(value) || 0) * 1000;
  },
};

/** What calls there are, the innermost first, and behind them the script itself, where it is a file. */
function frames(shell: Shell, of: (call: Call) => string, script: string): string[] {
  const calls = shell.calls.map(of).reverse();
  return shell.source === "" ? [...calls, script] : calls;
}

/** FUNCNAME is unset outside functions, also in a sourced file; inside, the script itself is `main`. */
const FUNCNAME: Dynamic = {
  get: (shell) => (shell.variables.insideFunction ? shell.calls[shell.calls.length - 1]?.name : undefined),
  variable: (shell) => (shell.variables.insideFunction ? new Variable(new IndexedArray(frames(shell, ({ name }) => name, "main"))) : undefined),
};

/** Kept as a number as well: each call looks at it. */
const FUNCNEST: Dynamic = {
  get: ({ nestedMost }) => nestedMost,
  set: (shell, value) => void (shell.nestedMost = value),
};

const now = (): number => native.clock.now();

/** By name. */
export const DYNAMICS: ReadonlyMap<string, Dynamic> = new Map<string, Dynamic>(
  Object.entries({
    LINENO: { get: (shell) => String(shell.line) },
    BASH_COMMAND: {
      get({ trapped, running }) {
        const command = trapped ?? running;
        return command ? headOf(command) : "";
      },
    },
    BASH_ARGV0: { get: ({ name }) => name, set: (shell, value) => void (shell.name = value) },
    BASHPID: { get: (shell) => String(shell.pid) },
    BASH_SUBSHELL: { get: (shell) => String(shell.level) },
    EPOCHSECONDS: { get: () => String(Math.floor(now() / 1000)) },
    EPOCHREALTIME: { get: () => (now() / 1000).toFixed(6) },
    SRANDOM: { get: () => String(randomWord()) },
    RANDOM,
    SECONDS,
    SHELLOPTS: { get: ({ options }) => setOptions(options).join(":") },
    BASHOPTS: { get: ({ options }) => shopts(options).join(":") },
    PIPESTATUS: list(({ pipeStatus }) => (typeof pipeStatus === "number" ? [pipeStatus] : pipeStatus).map(String)),
    BASH_ALIASES,
    BASH_CMDS,
    FUNCNAME,
    FUNCNEST,
    BASH_SOURCE: list((shell) => frames(shell, ({ source }) => source, shell.name)),
    BASH_LINENO: list((shell) => frames(shell, ({ line }) => String(line), "0")),
    DIRSTACK: list(({ here, directories }) => [here, ...directories]),
    GROUPS: list(() => ["1000"]),
  } satisfies Record<string, Dynamic>),
);

function randomWord(): number {
  const word = new Uint32Array(1);
  native.random.fill(new Uint8Array(word.buffer));
  return word[0]!;
}
