/** tool: lists, describes and calls the owner's tools. */

import { table as tools } from "../../bridge/tools";
import { native } from "../../bridge/native";
import { then, type Maybe } from "../io/maybe";
import { Reader } from "../io/reader";
import type { Shell } from "../run/shell";
import { type Builtin, print } from "./builtin";
import { writeTo } from "../io/writer";
import { readArguments } from "./tool_arguments";
import { describeTool, type Description } from "./tool_help";
import { Parameters } from "./tool_schema";
import { ArgumentFault } from "./tool_values";

const FAILED = 1;
const WRONG = 2;
const DENIED = 126;

const STATUS: Readonly<Record<string, number>> = {
  ERR_TOOL_DENIED: DENIED,
  ERR_TOOL_LIMIT: DENIED,
  ERR_TOOL_SCHEMA: WRONG,
  ERR_TOOL_ARGUMENT: WRONG,
  ERR_UNKNOWN_TOOL: WRONG,
};

const USAGE = `Usage: tool NAME [--PARAMETER VALUE]... [--FLAG] [--json OBJECT]
  or:  tool                  list the tools
  or:  tool NAME --help      describe one
Calls a tool of the sandbox's owner and prints its result as JSON. Values are read as the tool's schema says.
A JSON object piped or redirected to the command is taken as arguments too; options go before --json, and that before it.
Status: 0 done, 1 the tool failed, 2 wrong arguments or no such tool, 126 denied.
`;

interface Refusal {
  readonly code?: string;
  readonly message?: string;
}

export const tool: Builtin = (shell, args, name) => {
  const wanted = args[0];
  if (wanted === undefined) return print(shell, name, listing());
  const known = toldIn(shell).get(wanted);
  return known === undefined ? unknown(shell, args, wanted, name) : use(shell, args, known, name);
};

/** A first argument that was no tool's name so far in this run. */
function unknown(shell: Shell, args: readonly string[], wanted: string, name: string): Maybe<number> {
  if (wanted.startsWith("-")) return named(shell, wanted, name);
  const path = tools.canonical(wanted);
  if (!tools.has(path)) {
    const near = tools.nearest(path);
    return refused(shell, `there is no tool '${wanted}'${near === undefined ? "; \`tool' lists them" : `; did you mean '${near.replaceAll("/", ".")}'?`}`);
  }
  return describe(shell, path).then((told) => {
    if (typeof told === "string") return refused(shell, `${wanted}: ${told}`, FAILED);
    const known = { spelling: wanted, path, description: told, parameters: new Parameters(told.parameters) };
    toldIn(shell).set(wanted, known);
    return use(shell, args, known, name);
  });
}

function use(shell: Shell, args: readonly string[], known: Known, name: string): Maybe<number> {
  if (args.includes("--help", 1) || args.includes("-h", 1)) return print(shell, name, describeTool(known.description));
  return then(input(shell), (text) => invoke(shell, known, args, text));
}

/** An option in place of a tool's name. */
function named(shell: Shell, option: string, name: string): Maybe<number> {
  if (option === "--help" || option === "-h") return print(shell, name, USAGE);
  if (option === "--list") return print(shell, name, listing());
  return refused(shell, `${option}: the first argument is a tool's name; \`tool' lists them`);
}

function listing(): string {
  const rows = tools.list().map(({ path, description }) => [path.replaceAll("/", "."), description.split("\n", 1)[0]!] as const);
  const width = Math.min(40, Math.max(0, ...rows.map(([shown]) => shown.length)));
  return rows.map(([shown, words]) => `${`${shown.padEnd(width)}  ${words}`.trimEnd()}\n`).join("");
}

function refused(shell: Shell, message: string, status = WRONG): number {
  void shell.stderr.write(`tool: ${message}\n`);
  return status;
}

/** What the host told of a tool. */
interface Known {
  /** As the script writes its name. */
  readonly spelling: string;
  readonly path: string;
  readonly description: Description;
  readonly parameters: Parameters;
}

/** By session, since what remains of a tool's calls is told with it, and by the spelling of its name. */
const told = new WeakMap<object, Map<string, Known>>();

function toldIn({ session }: Shell): Map<string, Known> {
  let known = told.get(session);
  if (known === undefined) told.set(session, (known = new Map()));
  return known;
}

/** The tool's description, or a message when the host has none. */
function describe(shell: Shell, path: string): Promise<Description | string> {
  return new Promise((resolve) => {
    shell.session.host.describe(path, (ok, json) => {
      const answer = parse(json) as Description & Refusal;
      resolve(ok ? answer : (answer.message ?? "it cannot be described"));
    });
  });
}

/** What was piped or redirected to this very command, and is not meant for the loop that it is in. */
function input(shell: Shell): Maybe<string> {
  const { descriptors } = shell.context;
  if (shell.ownInput === undefined || shell.loops > 0 || !descriptors.has(0) || descriptors.get(0) !== shell.ownInput) return "";
  return new Reader(shell.ownInput).text();
}

function invoke(shell: Shell, { spelling, path, parameters }: Known, args: readonly string[], piped: string): Maybe<number> {
  let json: string;
  try {
    json = readArguments(args, parameters, piped, 1);
  } catch (error) {
    if (error instanceof ArgumentFault) return refused(shell, `${spelling}: ${error.message}`);
    throw error;
  }
  return new Promise((resolve, reject) => {
    shell.session.host.call(path, json, (ok, bytes) => {
      try {
        resolve(ok ? printResult(shell, bytes) : failure(shell, spelling, bytes));
      } catch (error) {
        reject(error as Error);
      }
    });
  });
}

function printResult(shell: Shell, json: Uint8Array): Maybe<number> {
  const written = writeTo(shell.descriptor(1), `${native.text.decode(json)}\n`);
  return written === undefined ? 0 : written.then(() => 0);
}

function failure(shell: Shell, name: string, json: Uint8Array): number {
  const { code, message } = parse(json) as Refusal;
  const text = message ?? "it failed";
  return refused(shell, text.includes(name) ? text : `${name}: ${text}`, STATUS[code ?? ""] ?? FAILED);
}

function parse(json: Uint8Array): unknown {
  return JSON.parse(native.bytes.utf8Decode(json));
}
