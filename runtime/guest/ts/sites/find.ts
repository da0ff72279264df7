/** Finds the tool calls of a script, in it and in the scripts within it. */

import { table } from "../bridge/tools";
import { Parameters, type Schema } from "../shell/builtins/tool_schema";
import { lookAtJavaScript } from "./javascript/script";
import { lookAtShell } from "./shell/script";
import { type Finding, HERE, type Script, ScriptFault, type Site } from "./site";
import { encode, type Path, Unfit } from "./value";

export interface Request {
  readonly language: "javascript" | "shell";
  readonly filename: string;
}

/** A site as the host is told of it; offsets count as JavaScript counts characters. */
interface Told {
  readonly start: number;
  readonly end: number;
  readonly tool: string | null;
  /** JSON text of what is known of the arguments; null for nothing. */
  readonly arguments: string | null;
  readonly open: readonly Path[];
  readonly texts: readonly (readonly [Path, string, string])[];
  readonly shadowed: boolean;
  readonly fault: string;
  readonly note: string;
}

export interface Answer {
  readonly sites: readonly Told[];
  readonly error: { readonly message: string; readonly offset: number } | null;
}

/** Scripts in scripts in scripts go no deeper than this, and are no more than this in all. */
const DEEPEST = 8;
const MOST_TEXT = 8 << 20;
const MOST_SITES = 20_000;

export function findCalls({ language, filename }: Request, source: string): Answer {
  const search = new Search(filename);
  try {
    search.look({ language, text: source, origin: HERE });
    return { sites: search.sorted(), error: null };
  } catch (error) {
    if (error instanceof ScriptFault) return { sites: [], error: { message: error.message, offset: error.offset } };
    if (error instanceof RangeError) return { sites: [], error: { message: "it is nested too deeply", offset: 0 } };
    throw error;
  }
}

class Search implements Finding {
  readonly tools = table;
  private readonly found = new Map<string, Told>();
  private readonly known = new Map<string, Parameters | undefined>();
  private depth = 0;
  private text = 0;

  constructor(private readonly filename: string) {}

  parameters(path: string): Parameters | undefined {
    if (!this.known.has(path)) {
      const schema = table.parameters(path) as Schema | undefined;
      this.known.set(path, schema && new Parameters(schema));
    }
    return this.known.get(path);
  }

  add(site: Site): void {
    if (this.found.size >= MOST_SITES) throw new ScriptFault("it has too many calls of tools", site.start);
    const told = tell(site);
    this.found.set(JSON.stringify(told), told);
  }

  look(script: Script): void {
    this.depth += 1;
    this.text += script.text.length;
    if (this.depth > DEEPEST || this.text > MOST_TEXT) this.giveUp(script);
    else if (!script.isNested) this.read(script);
    else this.readNested(script);
    this.depth -= 1;
  }

  /** Fails when it runs, which is not for us to tell. */
  private readNested(script: Script): void {
    try {
      this.read(script);
    } catch (error) {
      if (!(error instanceof ScriptFault)) throw error;
      this.giveUp(script, `the script in it cannot be parsed: ${error.message}`);
    }
  }

  private read(script: Script): void {
    if (script.language === "shell") lookAtShell(script, this);
    else lookAtJavaScript(script, this.depth === 1 ? this.filename : "nested.js", this);
  }

  private giveUp({ origin }: Script, note = "there are too many scripts within scripts"): void {
    this.add({ start: origin(0), end: origin(0) + 1, tool: undefined, argument: undefined, note });
  }

  sorted(): Told[] {
    return [...this.found.values()].sort((a, b) => a.start - b.start || a.end - b.end);
  }
}

function tell({ start, end, tool, argument, shadowed = false, fault = "", note = "" }: Site): Told {
  const told = { start, end: Math.max(start, end), tool: tool ?? null, shadowed, fault, note };
  if (argument === undefined || fault !== "") return { ...told, ...NOTHING };
  try {
    const { json, open, texts } = encode(argument);
    return { ...told, arguments: json, open, texts };
  } catch (error) {
    if (!(error instanceof Unfit)) throw error;
    return { ...told, ...NOTHING, fault: error.reason };
  }
}

/** Nothing is known of the arguments. */
const NOTHING = { arguments: null, open: [[]], texts: [] };
