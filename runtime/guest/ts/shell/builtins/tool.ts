/** tool: lists, describes and calls the owner's tools. */

import { table as tools } from "../../bridge/tools";
import { native } from "../../bridge/native";
import { then, type Maybe } from "../io/maybe";
import { Reader } from "../io/reader";
import type { Shell } from "../run/shell";
import { type Builtin, print } from "./builtin";
import { ArgumentFault, readArguments } from "./tool_arguments";
import { describeTool, type Description } from "./tool_help";

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
  const [wanted, ...rest] = args;
  if (wanted === undefined) return print(shell, name, listing());
  if (wanted === "--help") return print(shell, name, USAGE);
  if (wanted === "--list") return print(shell, name, listing());
  if (wanted.startsWith("-")) return refused(shell, `${wanted}: the first argument is a tool's name; \`tool' lists them`);
  const path = tools.canonical(wanted);
  if (!tools.has(path)) {
    const near = tools.nearest(path);
    return refused(shell, `there is no tool '${wanted}'${near === undefined ? "; \`tool' lists them" : `; did you mean '${near.replaceAll("/", ".")}'?`}`);
  }
  return then(describe(shell, path), (description) => {
    if (typeof description === "string") return refused(shell, `${wanted}: ${description}`, FAILED);
    if (rest.includes("--help") || rest.includes("-h")) return print(shell, name, describeTool(description));
    return then(input(shell), (text) => invoke(shell, wanted, path, description, rest, text));
  });
};

function listing(): string {
  const rows = tools.list().map(({ path, description }) => [path.replaceAll("/", "."), description.split("\n", 1)[0]!] as const);
  const width = Math.min(40, Math.max(0, ...rows.map(([shown]) => shown.length)));
  return rows.map(([shown, words]) => `${`${shown.padEnd(width)}  ${words}`.trimEnd()}\n`).join("");
}

function refused(shell: Shell, message: string, status = WRONG): number {
  void shell.stderr.write(`tool: ${message}\n`);
  return status;
}

/** Descriptions that the host gave in this run. */
const known = new WeakMap<object, Map<string, Description>>();

/** The tool's description, or a message when the host has none. */
function describe(shell: Shell, path: string): Maybe<Description | string> {
  let descriptions = known.get(shell.session);
  if (!descriptions) known.set(shell.session, (descriptions = new Map()));
  const told = descriptions.get(path);
  if (told) return told;
  return new Promise((resolve) => {
    shell.session.host.describe(path, (ok, json) => {
      const answer = parse(json) as Description & Refusal;
      if (ok) descriptions.set(path, answer);
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

function invoke(shell: Shell, name: string, path: string, description: Description, args: readonly string[], piped: string): Maybe<number> {
  let json: string;
  try {
    json = readArguments(args, description.parameters, piped);
  } catch (error) {
    if (error instanceof ArgumentFault) return refused(shell, `${name}: ${error.message}`);
    throw error;
  }
  const answer = new Promise<readonly [boolean, Uint8Array]>((resolve) => {
    shell.session.host.call(path, json, (ok, bytes) => resolve([ok, bytes.slice()]));
  });
  return answer.then(([ok, bytes]) => conclude(shell, name, ok, bytes));
}

function conclude(shell: Shell, name: string, ok: boolean, bytes: Uint8Array): Maybe<number> {
  if (ok) {
    const line = new Uint8Array(bytes.length + 1);
    line.set(bytes);
    line[bytes.length] = 10;
    return then(shell.stdout.write(line), () => 0);
  }
  const { code, message } = parse(bytes) as Refusal;
  const text = message ?? "it failed";
  return refused(shell, text.includes(name) ? text : `${name}: ${text}`, STATUS[code ?? ""] ?? FAILED);
}

function parse(json: Uint8Array): unknown {
  return JSON.parse(native.bytes.utf8Decode(json));
}
