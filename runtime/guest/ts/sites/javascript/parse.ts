/** A script in JavaScript or TypeScript, as a tree; offsets in it lead back to the text as it was written. */

import type { Options, Program } from "acorn";
import { native } from "../../bridge/native";
import { describeFailure } from "../../bridge/failure";
import { furthest, unsupported } from "../../loader/faults";
import type { mapTypes } from "../../loader/typescript";
import { HERE, type Origin, ScriptFault } from "../site";

interface Parsed {
  readonly program: Program;
  readonly origin: Origin;
}

const FENCED = /^\s*(`{3,}|~{3,})[^\n`]*\n([\s\S]*?)\n?[ \t]*\1\s*$/;
const TYPESCRIPT_NAME = /\.[mc]?ts$/;

/** What the script is called in errors on their way. */
const NAME = "script";

const OPTIONS: Options = {
  ecmaVersion: "latest",
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  allowSuperOutsideMethod: false,
  allowHashBang: true,
};

let acorn: { parse(text: string, options: Options): Program } | undefined;
let typescript: { mapTypes: typeof mapTypes } | undefined;

/** The ways in which a run would read it, in their order (ts/loader/compile.ts). Throws ScriptFault. */
export function parseScript(source: string, filename: string): Parsed {
  const text = unfenced(source);
  const attempts = TYPESCRIPT_NAME.test(filename) ? [typed] : [plain, typed];
  const faults: unknown[] = [];
  for (const attempt of attempts) {
    try {
      return attempt(text);
    } catch (error) {
      faults.push(error);
    }
  }
  const fault = furthest(faults, text, NAME);
  throw located(unsupported(fault, text, NAME) ?? fault, text);
}

/** Of the same length, so that offsets stay. */
function unfenced(source: string): string {
  const match = FENCED.exec(source);
  if (!match) return source;
  const start = source.indexOf("\n", source.indexOf(match[1]!)) + 1;
  const end = start + match[2]!.length;
  const blank = (text: string): string => text.replace(/[^\n]/g, " ");
  return blank(source.slice(0, start)) + source.slice(start, end) + blank(source.slice(end));
}

function plain(text: string): Parsed {
  return { program: tree(text), origin: HERE };
}

function typed(text: string): Parsed {
  typescript ??= native.host.module("amla:loader/typescript") as { mapTypes: typeof mapTypes };
  const { code, origin } = typescript.mapTypes(text, NAME);
  return { program: tree(code), origin };
}

/** Scripts are sloppy unless they import something. */
function tree(text: string): Program {
  acorn ??= native.host.module("amla:loader/imports") as typeof acorn;
  try {
    return acorn!.parse(text, { ...OPTIONS, sourceType: "script" });
  } catch (error) {
    if (!/^\s*(?:import|export)\b|\bimport\s*\.\s*meta\b/m.test(text)) throw error;
    return acorn!.parse(text, { ...OPTIONS, sourceType: "module" });
  }
}

function located(fault: unknown, text: string): ScriptFault {
  const { message } = fault as Error;
  if (fault instanceof RangeError || message.startsWith("Not enough stack")) return new ScriptFault("it is nested too deeply", 0);
  const { line = 1, column = 1 } = describeFailure(fault);
  const before = text.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  return new ScriptFault(message, Math.min(before + column - 1, text.length));
}
