/** A chain of members and calls, `a.b["c"].d(…).e`, read backwards from its end. */

import { BEFORE_VALUE, isDot, type Token } from "./tokens";

/** A link, the token in front of it, and whether it hangs on what stands there: an index or a call. */
interface Read {
  readonly link: Token;
  readonly before: number;
  readonly isSuffix: boolean;
}

/** The links up to a token, undefined where they are no plain chain. A call behind `new` is a `construct`. */
export function chainEndingAt(tokens: readonly Token[], end: number): Token[] | undefined {
  const chain: Token[] = [];
  for (let at = end; ; at -= 1) {
    const read = linkEndingAt(tokens, at);
    if (!read) return undefined;
    chain.unshift(read.link);
    at = read.before;
    if (read.isSuffix) at += 1;
    else if (!isDot(tokens[at])) return tokens[at]?.text === "new" ? constructing(chain) : chain;
    else if (read.link.kind !== "name") return undefined;
  }
}

function constructing(chain: readonly Token[]): Token[] {
  const first = chain.findIndex(({ kind }) => kind === "call");
  return chain.map((link, at) => (at === first ? { ...link, kind: "construct" } : link));
}

function linkEndingAt(tokens: readonly Token[], end: number): Read | undefined {
  const token = tokens[end];
  if (token === undefined) return undefined;
  if (/^(?:name|string|template|number|regex)$/.test(token.kind)) return { link: token, before: end - 1, isSuffix: false };
  const open = openingOf(tokens, end);
  if (open === undefined) return undefined;
  const isSuffix = endsValue(tokens[open - 1]);
  const start = { text: "", start: tokens[open]!.start };
  if (token.text === ")") return isSuffix ? { link: { ...start, kind: "call" }, before: open - 1, isSuffix } : undefined;
  if (!isSuffix) return { link: { ...start, kind: "array" }, before: open - 1, isSuffix };
  const index = tokens[open + 1]!;
  const isPlain = end === open + 2 && /^(?:number|string)$/.test(index.kind);
  return isPlain ? { link: index, before: open - 1, isSuffix } : undefined;
}

/** The bracket that the one at `end` closes. */
function openingOf(tokens: readonly Token[], end: number): number | undefined {
  if (!/^[)\]]$/.test(tokens[end]!.text)) return undefined;
  let depth = 0;
  for (let at = end; at >= 0; at -= 1) {
    const { kind, text } = tokens[at]!;
    if (kind !== "punctuation") continue;
    if (/^[)\]}]$/.test(text)) depth += 1;
    else if (/^[([{]$/.test(text) && (depth -= 1) === 0) return at;
  }
  return undefined;
}

/** Whether a bracket behind this token belongs to it. */
export function endsValue(token: Token | undefined): boolean {
  if (token === undefined) return false;
  return token.kind === "punctuation" ? /^[)\]}]$/.test(token.text) : !BEFORE_VALUE.test(token.text);
}
