import type { Process } from "../shell/process";
import { realpath } from "../vfs/tree";
import { findDirectory } from "../vfs/walk";
import { describeErrno } from "../shell/io/errors";
import { command, Failure } from "./command";
import { type Options, UsageFault } from "./options";
import { refusal } from "./programs";
import { nameQuoted } from "./quoting";
import { quoted } from "./sizes";

const TROUBLE = 125;

const TABLE = {
  ignore: ["-i, --ignore-environment", "start with an empty environment"],
  zero: ["-0, --null", "end each line with a NUL byte"],
  unset: ["-u, --unset=NAME", "take NAME out of the environment"],
  chdir: ["-C, --chdir=DIR", "run in DIR"],
  split: ["-S, --split-string=TEXT", "split TEXT into arguments"],
  debug: ["-v, --debug", "ignored"],
  block: ["--block-signal[=SIG]", "ignored"],
  defaults: ["--default-signal[=SIG]", "ignored"],
  ignored: ["--ignore-signal[=SIG]", "ignored"],
} as const;

const ESCAPES: Readonly<Record<string, string>> = { f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", "#": "#", $: "$", '"': '"', "'": "'", "\\": "\\" };
const PIECE = /'((?:[^'\\]|\\[^])*)'|"((?:[^"\\]|\\[^])*)"|\\([^])|\$\{(\w+)\}|(\s+)|([^\s'"\\$]+)|([^])/g;

/** What -S makes of a text. */
function splitText(text: string, env: ReadonlyMap<string, string>): string[] {
  const words: string[] = [];
  let word: string | undefined;
  const inner = (part: string): string =>
    part.replace(/\\([^])|\$\{(\w+)\}/g, (whole, escape?: string, name?: string) => (name !== undefined ? (env.get(name) ?? "") : escape === "_" ? " " : (ESCAPES[escape!] ?? whole)));
  for (const [whole, single, double, escape, name, blank, plain] of text.matchAll(PIECE)) {
    if (blank !== undefined || escape === "_") {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (escape === "c" || (whole.startsWith("#") && word === undefined)) break;
    else if (single !== undefined) word = (word ?? "") + single.replace(/\\(['\\])/g, "$1");
    else if (double !== undefined) word = (word ?? "") + inner(double);
    else if (name !== undefined) word = (word ?? "") + (env.get(name) ?? "");
    else if (escape !== undefined) word = (word ?? "") + (ESCAPES[escape] ?? bad(escape));
    else if (plain !== undefined) word = (word ?? "") + plain;
    else throw new Failure(whole === "$" ? "only ${VARNAME} expansion is supported" : "no terminating quote in -S string", TROUBLE);
  }
  if (word !== undefined) words.push(word);
  return words;
}

function bad(escape: string): never {
  throw new Failure(`invalid sequence '\\${escape}' in -S`, TROUBLE);
}

/** Puts what -S says in the place of the option. */
function rewritten(process: Process, args: readonly string[]): readonly string[] {
  const at = args.findIndex((word) => /^(?:-[i0v]*S|--split-string)/.test(word));
  const first = args.findIndex((word) => !word.startsWith("-"));
  if (at < 0 || (first >= 0 && first < at)) return args;
  const [, front, attached] = /^(?:(-[i0v]*)S|--split-string=?)([^]*)$/.exec(args[at]!)!;
  const text = attached !== "" ? attached! : (args[at + 1] ?? "");
  const before = front && front !== "-" ? [front] : [];
  return rewritten(process, [...args.slice(0, at), ...before, ...splitText(text, process.env), ...args.slice(at + (attached === "" ? 2 : 1))]);
}

function environment(process: Process, options: Options<typeof TABLE>, ignore: boolean): Map<string, string> {
  const env = new Map(ignore ? [] : process.env);
  for (const name of options.list("unset")) {
    if (name === "" || name.includes("=")) throw new Failure(`cannot unset ${quoted(name)}: Invalid argument`, TROUBLE);
    env.delete(name);
  }
  return env;
}

function folder(process: Process, path: string): string {
  try {
    findDirectory(process.context, path);
    return realpath(process.context, path);
  } catch (error) {
    throw new Failure(`cannot change directory to ${nameQuoted(path)}: ${describeErrno(error)}`, TROUBLE);
  }
}

const inner = command({
  name: "env",
  usage: "[OPTION]... [-] [NAME=VALUE]... [COMMAND [ARG]...]",
  about: "Set each NAME to VALUE in the environment and run COMMAND; without one, print the environment.",
  options: TABLE,
  failure: TROUBLE,
  inOrder: true,
  run(process, options, operands) {
    const alone = operands[0] === "-";
    const words = alone ? operands.slice(1) : operands;
    const env = environment(process, options, alone || options.has("ignore"));
    let at = 0;
    for (; at < words.length && words[at]!.includes("="); at += 1) {
      const [, name, value] = /^([^=]*)=([^]*)$/.exec(words[at]!)!;
      env.set(name!, value!);
    }
    const argv = words.slice(at);
    const chdir = options.value("chdir");
    if (argv.length === 0) {
      if (chdir !== undefined) throw new UsageFault("must specify command with --chdir (-C)");
      const end = options.has("zero") ? "\0" : "\n";
      for (const [name, value] of env) process.stdout.print(`${name}=${value}${end}`);
      return 0;
    }
    if (options.has("zero")) throw new UsageFault("cannot specify --null (-0) with command");
    const refused = refusal(process, argv[0]!, quoted(argv[0]!), env.get("PATH"));
    if (refused) return refused;
    return process.launch(argv, { env, ...(chdir === undefined ? {} : { cwd: folder(process, chdir) }) });
  },
});

export const env: typeof inner = (process) => {
  const args = rewritten(process, process.args);
  return inner(args === process.args ? process : (Object.create(process, { args: { value: args } }) as Process));
};
