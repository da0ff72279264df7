/** The call of a tool that the cursor is in, in JavaScript. */

import { native } from "../../bridge/native";
import { table } from "../../bridge/tools";
import type { Session } from "../session";
import type { Slot } from "./slot";
import { chainEndingAt } from "./chain";
import type { Bracket, Scan, Token } from "./tokens";

/** A tool's path as JavaScript spells it. */
export function toolNamed(path: string): string {
  return path.split("/").map((segment) => segment.replace(/[^\p{ID_Continue}$]/gu, "_").replace(/^(?=\d)/, "_")).join(".");
}

/** The path of the tool that a chain of names is. */
export function toolAt(session: Session | undefined, chain: readonly Token[]): string | undefined {
  if (chain.some(({ kind }) => kind !== "name")) return undefined;
  if (session && native.realm.variables(session.active.realm.realm).includes(chain[0]!.text)) return undefined;
  return pathOf(chain.map(({ text }) => text).join("."));
}

/** The path of the tool that the bracket `open` calls. */
function toolCalled(session: Session | undefined, { tokens }: Scan, open: Bracket): string | undefined {
  const chain = open.text === "(" ? chainEndingAt(tokens, open.at - 1) : undefined;
  if (!chain || chain.some(({ kind }) => kind !== "name")) return undefined;
  const name = chain.map(({ text }) => text).join(".");
  if (name === "tools.call") {
    const argument = tokens[open.at + 1];
    return argument?.kind === "string" && !argument.isOpen ? pathOf(argument.text.slice(1, -1)) : undefined;
  }
  return toolAt(session, chain);
}

function pathOf(name: string): string | undefined {
  const path = table.canonical(name);
  if (table.list().some((tool) => tool.path === path)) return path;
  return table.list().find((tool) => toolNamed(tool.path).replaceAll(".", "_") === name)?.path;
}

/** The place in a tool's arguments before the token `at`, where `prefix` is being typed. */
export function toolCallAt(session: Session | undefined, found: Scan, at: number, prefix: string, quote: string): Slot | undefined {
  const { tokens, open } = found;
  const path: string[] = [];
  let level = open.length - 1;
  for (; level >= 0 && open[level]!.text === "{"; level -= 1) {
    const before = tokens[open[level]!.at - 1];
    if (before?.text !== ":") break;
    path.unshift(keyText(tokens[open[level]!.at - 2]));
  }
  const call = open[level - 1];
  if (open[level]?.text !== "{" || !call) return undefined;
  const tool = toolCalled(session, found, call);
  if (tool === undefined) return undefined;
  const inside = open[open.length - 1]!.at;
  const before = tokens[at - 1]!;
  const key = before.text === ":" ? keyText(tokens[at - 2]) : undefined;
  if (key === undefined && before.text !== "{" && before.text !== ",") return undefined;
  return { tool, path, key, used: keysFrom(tokens, inside + 1, at), prefix, quote };
}

function keyText(token: Token | undefined): string {
  return token?.kind === "string" ? token.text.slice(1, -1) : (token?.text ?? "");
}

/** Keys of the object whose first token is `from`. */
function keysFrom(tokens: readonly Token[], from: number, to: number): string[] {
  const keys: string[] = [];
  let depth = 0;
  for (let at = from; at < to; at += 1) {
    const { text } = tokens[at]!;
    if (/^[([{]$/.test(text)) depth += 1;
    else if (/^[)\]}]$/.test(text)) depth -= 1;
    else if (depth === 0 && (at === from || tokens[at - 1]!.text === ",") && /^[:,]$/.test(tokens[at + 1]?.text ?? "")) keys.push(keyText(tokens[at]));
  }
  return keys;
}

/** The tool whose arguments the cursor is in. */
export function toolAround(session: Session | undefined, found: Scan): string | undefined {
  for (const open of [...found.open].reverse()) {
    const tool = toolCalled(session, found, open);
    if (tool !== undefined) return tool;
  }
  const { tokens } = found;
  const chain = chainEndingAt(tokens, tokens.length - 1);
  return chain?.every(({ kind }) => kind === "name") ? pathOf(chain.map(({ text }) => text).join(".")) : undefined;
}
