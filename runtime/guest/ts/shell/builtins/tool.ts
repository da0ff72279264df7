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
const NEWLINE = 10;

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
  if (wanted.startsWith("-")) return named(shell, wanted, name);
  const path = tools.canonical(wanted);
  if (!tools.has(path)) {
    const near = tools.nearest(path);
    return refused(shell, `there is no tool '${wanted}'${near === undefined ? "; \`tool' lists them" : `; did you mean '${near.replaceAll("/", ".")}'?`}`);
  }
  return then(known(shell, path), (told) => {
    if (typeof told === "string") return refused(shell, `${wanted}: ${told}`, FAILED);
    if (args.includes("--help", 1) || args.includes("-h", 1)) return print(shell, name, describeTool(told.description));
    return then(input(shell), (text) => invoke(shell, wanted, path, told.parameters, args.slice(1), text));
  });
};

/** An option in place of a tool's name. */
function named(shell: Shell, option: string, name: string): Maybe<number> {
  if (option === "--help") return print(shell, name, USAGE);
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
  readonly description: Description;
  readonly parameters: Parameters;
}

/** Descriptions that the host gave in this run. */
const descriptions = new WeakMap<object, Map<string, Known>>();

/** The tool's description, or a message when the host has none. */
function known(shell: Shell, path: string): Maybe<Known | string> {
  let told = descriptions.get(shell.session);
  if (!told) descriptions.set(shell.session, (told = new Map<string, Known>()));
  return told.get(path) ?? describe(shell, path, told);
}

function describe(shell: Shell, path: string, told: Map<string, Known>): Promise<Known | string> {
  return new Promise((resolve) => {
    shell.session.host.describe(path, (ok, json) => {
      const answer = parse(json) as Description & Refusal;
      if (!ok) return resolve(answer.message ?? "it cannot be described");
      const known = { description: answer, parameters: new Parameters(answer.parameters) };
      told.set(path, known);
      resolve(known);
    });
  });
}

/** What was piped or redirected to this very command, and is not meant for the loop that it is in. */
function input(shell: Shell): Maybe<string> {
  const { descriptors } = shell.context;
  if (shell.ownInput === undefined || shell.loops > 0 || !descriptors.has(0) || descriptors.get(0) !== shell.ownInput) return "";
  return new Reader(shell.ownInput).text();
}

function invoke(shell: Shell, name: string, path: string, parameters: Parameters, words: readonly string[], piped: string): Maybe<number> {
  let json: string;
  try {
    json = readArguments(words, parameters, piped);
  } catch (error) {
    if (error instanceof ArgumentFault) return refused(shell, `${name}: ${error.message}`);
    throw error;
  }
  return new Promise((resolve, reject) => {
    shell.session.host.call(path, json, (ok, bytes) => {
      try {
        resolve(ok ? printResult(shell, bytes) : failure(shell, name, bytes));
      } catch (error) {
        reject(error as Error);
      }
    });
  });
}

function printResult(shell: Shell, json: Uint8Array): Maybe<number> {
  const line = new Uint8Array(json.length + 1);
  line.set(json);
  line[json.length] = NEWLINE;
  return writeTo(shell.descriptor(1), line, true)?.then(() => 0) ?? 0;
}

function failure(shell: Shell, name: string, json: Uint8Array): number {
  const { code, message } = parse(json) as Refusal;
  const text = message ?? "it failed";
  return refused(shell, text.includes(name) ? text : `${name}: ${text}`, STATUS[code ?? ""] ?? FAILED);
}

function parse(json: Uint8Array): unknown {
  return JSON.parse(native.bytes.utf8Decode(json));
}
