/** ulimit: numbers that a script may set and read; what holds are the sandbox's own limits. */

import type { Maybe } from "../io/maybe";
import { ShellError } from "../run/errors";
import type { Shell } from "../run/shell";
import { type Builtin, print, refuse } from "./builtin";

interface Resource {
  readonly title: string;
  readonly unit?: string;
  readonly start: string;
}

/** In the order of `ulimit -a`. */
const RESOURCES: Readonly<Record<string, Resource>> = {
  R: { title: "real-time non-blocking time", unit: "microseconds", start: "unlimited" },
  c: { title: "core file size", unit: "blocks", start: "0" },
  d: { title: "data seg size", unit: "kbytes", start: "unlimited" },
  e: { title: "scheduling priority", start: "0" },
  f: { title: "file size", unit: "blocks", start: "unlimited" },
  i: { title: "pending signals", start: "0" },
  l: { title: "max locked memory", unit: "kbytes", start: "0" },
  m: { title: "max memory size", unit: "kbytes", start: "unlimited" },
  n: { title: "open files", start: "1024" },
  p: { title: "pipe size", unit: "512 bytes", start: "8" },
  q: { title: "POSIX message queues", unit: "bytes", start: "0" },
  r: { title: "real-time priority", start: "0" },
  s: { title: "stack size", unit: "kbytes", start: "8192" },
  t: { title: "cpu time", unit: "seconds", start: "unlimited" },
  u: { title: "max user processes", start: "512" },
  v: { title: "virtual memory", unit: "kbytes", start: "unlimited" },
  x: { title: "file locks", start: "unlimited" },
};
const USUAL = "f";
const COLUMN = 20;

const USAGE = "ulimit [-SHabcdefiklmnpqrstuvxPRT] [limit]";

/** Which of a resource's two limits: the one that holds, or the one that it may be raised to. */
type Which = "soft" | "hard";

function current(shell: Shell, letter: string, which: Which): string {
  return shell.limits.get(`${which} ${letter}`) ?? RESOURCES[letter]!.start;
}

function line(shell: Shell, letter: string, which: Which): string {
  const { title, unit } = RESOURCES[letter]!;
  const option = `(${unit ? `${unit}, ` : ""}-${letter})`;
  return `${title.padEnd(COLUMN)}${option.padStart(COLUMN)} ${current(shell, letter, which)}\n`;
}

/** Letters of resources and the operand, which stands behind its letter. */
function readRequest(args: readonly string[], name: string): { letters: string[]; asked: ReadonlySet<Which>; value: string | undefined } {
  let index = 0;
  const letters: string[] = [];
  const asked = new Set<Which>();
  for (; index < args.length && /^-./.test(args[index]!); index += 1) {
    if (args[index] === "--") {
      index += 1;
      break;
    }
    for (const letter of args[index]!.slice(1)) {
      if (letter === "a") letters.push(...Object.keys(RESOURCES));
      else if (letter in RESOURCES) letters.push(letter);
      else if (letter === "S" || letter === "H") asked.add(letter === "S" ? "soft" : "hard");
      else throw new ShellError(`${name}: -${letter}: invalid option\n${name}: usage: ${USAGE}`, 2);
    }
  }
  return { letters: letters.length > 0 ? letters : [USUAL], asked, value: args[index] };
}

export const ulimit: Builtin = (shell, args, name): Maybe<number> => {
  const { letters, asked, value } = readRequest(args, name);
  if (value === undefined) {
    const which = asked.has("hard") && !asked.has("soft") ? "hard" : "soft";
    const [only] = letters;
    return print(shell, name, letters.length === 1 ? `${current(shell, only!, which)}\n` : letters.map((letter) => line(shell, letter, which)).join(""));
  }
  if (!/^(\d+|unlimited|hard|soft)$/.test(value)) refuse(name, `${value}: invalid number`);
  for (const letter of letters) set(shell, letter, value, asked.size > 0 ? asked : BOTH, name);
  return 0;
};

const BOTH: ReadonlySet<Which> = new Set<Which>(["soft", "hard"]);

/** A limit can be lowered, and raised to the hard one at most. */
function set(shell: Shell, letter: string, value: string, asked: ReadonlySet<Which>, name: string): void {
  const number = (text: string): number => (text === "unlimited" ? Infinity : Number(text));
  const wanted = value === "hard" || value === "soft" ? current(shell, letter, value) : value;
  if (number(wanted) > number(current(shell, letter, "hard"))) refuse(name, `${RESOURCES[letter]!.title}: cannot modify limit: Operation not permitted`);
  const limits = new Map(shell.limits);
  for (const which of asked) limits.set(`${which} ${letter}`, wanted);
  shell.limits = limits;
}
