/** Scalars of YAML that may go over lines. */

import { keyAhead } from "./yaml_keys";
import type { YamlSource } from "./yaml_source";

/** A scalar behind `|` or `>`, of a node that is indented by more than `indent`. */
export function blockScalar(source: YamlSource, indent: number, header: string): string {
  const [, style, signs] = /^([|>])([-+\d]*)[ \t]*(?:#.*)?$/.exec(header) ?? [];
  if (style === undefined) source.fault("bad header of a block scalar");
  const given = /\d/.exec(signs!)?.[0];
  source.nextLine();
  const lines: string[] = [];
  let depth = given === undefined ? undefined : Math.max(indent, 0) + Number(given);
  for (; source.row < source.lines.length; source.nextLine()) {
    const { line } = source;
    const blank = /^ *$/.test(line);
    const own = line.length - line.trimStart().length;
    if (!blank && depth === undefined && own > indent) depth = own;
    if (!blank && (own < (depth ?? 0) || own <= indent || /^(?:---|\.\.\.)(?:\s|$)/.test(line))) break;
    lines.push(blank && line.length <= (depth ?? line.length) ? "" : line.slice(depth ?? 0));
  }
  return chomped(style === "|" ? lines.join("\n") : foldedBlock(lines), signs!, lines);
}

/** Line ends become blanks between lines that are not indented further. */
function foldedBlock(lines: readonly string[]): string {
  let text = "";
  let breaks = 0;
  let before = "";
  for (const line of lines) {
    if (line === "") {
      breaks += 1;
      continue;
    }
    const isIndented = (each: string): boolean => /^[ \t]/.test(each);
    if (before === "") text += "\n".repeat(breaks);
    else if (isIndented(line) || isIndented(before)) text += "\n".repeat(breaks + 1);
    else text += breaks > 0 ? "\n".repeat(breaks) : " ";
    text += line;
    before = line;
    breaks = 0;
  }
  return text + "\n".repeat(breaks);
}

function chomped(text: string, signs: string, lines: readonly string[]): string {
  const bare = text.replace(/\n+$/, "");
  if (signs.includes("-")) return bare;
  if (signs.includes("+")) return lines.length === 0 ? "" : `${text}\n`;
  return bare === "" ? "" : `${bare}\n`;
}

/** The inside of a quoted scalar, over lines if need be. */
export function quotedScalar(source: YamlSource): string {
  const mark = source.line[source.column]!;
  let text = "";
  for (let at = source.column + 1; ; ) {
    const { line } = source;
    if (at >= line.length) {
      source.nextLine();
      if (source.row >= source.lines.length || source.atDocumentEnd()) source.fault("found unexpected end of stream while scanning a quoted scalar");
      text += "\n";
      at = 0;
      continue;
    }
    const char = line[at]!;
    if (char === mark && mark === "'" && line[at + 1] === "'") {
      text += "''";
      at += 2;
    } else if (char === mark) {
      source.column = at + 1;
      return text;
    } else if (char === "\\" && mark === '"' && at + 1 < line.length) {
      text += char + line[at + 1]!;
      at += 2;
    } else {
      text += char;
      at += 1;
    }
  }
}

/** A scalar without quotes, over lines if need be. */
export function plainScalar(source: YamlSource, indent: number, inFlow: boolean): string {
  const stop = inFlow ? /[ \t]+#.*$|:(?=[\s,[\]{}]|$)|[,[\]{}]/ : /[ \t]+#.*$|:(?=\s|$)/;
  const part = (): [text: string, ends: boolean] => {
    const { rest } = source;
    const at = rest.search(stop);
    const text = at < 0 ? rest : rest.slice(0, at);
    source.column += text.length;
    return [text.trim(), at >= 0];
  };
  let [text, ends] = part();
  while (!ends) {
    const row = source.row;
    source.skip();
    if (source.atDocumentEnd() || (!inFlow && source.column <= indent) || source.row === row) break;
    if (source.row - row > 1 && source.lines.slice(row + 1, source.row).some((line) => /^\s*#/.test(line))) break;
    if (!inFlow && keyAhead(source) !== undefined) source.fault("could not find expected ':'");
    if (inFlow && /^[,[\]{}]|^:(?=[\s,[\]{}]|$)/.test(source.rest)) break;
    const more = part();
    text += (source.row - row > 1 ? "\n".repeat(source.row - row - 1) : " ") + more[0];
    ends = more[1];
  }
  return text;
}
