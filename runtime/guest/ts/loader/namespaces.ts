/**
 * TypeScript's namespaces as functions that fill an object, which is what TypeScript makes of them. Types stay for whoever
 * strips them; all lines keep their numbers.
 */

import { parse } from "sucrase/dist/esm/parser";
import { ContextualKeyword } from "sucrase/dist/esm/parser/tokenizer/keywords";
import { isTopLevelDeclaration, type Token } from "sucrase/dist/esm/parser/tokenizer";
import { TokenType as tt } from "sucrase/dist/esm/parser/tokenizer/types";
import type { Edit } from "./edits";

interface Block {
  /** Where `namespace` begins, where its `{` ends and its `}` begins. */
  readonly start: number;
  readonly inside: number;
  readonly close: number;
  readonly names: readonly string[];
}

interface Exports {
  /** The words `export`, taken out. */
  readonly blanks: readonly Edit[];
  readonly exports: readonly string[];
  /** Those of them that are variables. */
  readonly changing: ReadonlySet<string>;
  /** All names that are declared here. */
  readonly declared: ReadonlySet<string>;
}

/** What earlier blocks of a namespace export, by its full name. */
type Exported = Map<string, Set<string>>;

const OPENING = new Set<number>([tt.braceL, tt.parenL, tt.bracketL, tt.dollarBraceL]);
const CLOSING = new Set<number>([tt.braceR, tt.parenR, tt.bracketR]);
const VARIABLES = new Set<number>([tt._const, tt._let, tt._var]);
const MODIFIERS = new Set<number>([ContextualKeyword._abstract, ContextualKeyword._async]);
const OF_TYPES = new Set<number>([ContextualKeyword._type, ContextualKeyword._interface, ContextualKeyword._declare]);

/** The edits that take the namespaces out of a script, in the order of the text; none where it cannot be read, which others tell. */
export function namespaceEdits(source: string): Edit[] {
  let script: Namespaces;
  try {
    script = new Namespaces(source, new Map(), "");
  } catch {
    return [];
  }
  return script.edits(0);
}

/** One text that can hold namespaces: the script, or the inside of one. */
class Namespaces {
  private readonly tokens: Token[];
  private readonly depths: number[];

  constructor(
    private readonly source: string,
    private readonly exported: Exported,
    private readonly path: string,
  ) {
    this.tokens = parse(source, false, true, false).tokens;
    let depth = 0;
    this.depths = this.tokens.map(({ type }) => {
      if (CLOSING.has(type)) depth--;
      const own = depth;
      if (OPENING.has(type)) depth++;
      return own;
    });
  }

  /** `offset` is where this text stands in the script. */
  edits(offset: number): Edit[] {
    return this.blocks().flatMap((block) => this.blockEdits(block, offset));
  }

  private blocks(): Block[] {
    const found: Block[] = [];
    for (let at = 0; at < this.tokens.length; at++) {
      const block = this.depths[at] === 0 ? this.blockAt(at) : undefined;
      if (block) found.push(block);
    }
    return found;
  }

  private blockAt(at: number): Block | undefined {
    const { contextualKeyword, start } = this.tokens[at]!;
    const named = contextualKeyword === ContextualKeyword._namespace || contextualKeyword === ContextualKeyword._module;
    const before = this.tokens[at - 1];
    if (!named || before?.type === tt.dot || before?.contextualKeyword === ContextualKeyword._declare) return undefined;
    const names: string[] = [];
    let next = at + 1;
    for (; this.tokens[next]?.type === tt.name; next += 2) {
      names.push(this.textOf(this.tokens[next]!));
      if (this.tokens[next + 1]?.type !== tt.dot) break;
    }
    if (names.length === 0 || this.tokens[next + 1]?.type !== tt.braceL) return undefined;
    const end = this.tokens.findIndex(({ type }, index) => index > next + 1 && type === tt.braceR && this.depths[index] === 0);
    return { start, names, inside: this.tokens[next + 1]!.end, close: this.tokens[end]!.start };
  }

  private textOf({ start, end }: Token): string {
    return this.source.slice(start, end);
  }

  private blockEdits({ start, inside, close, names }: Block, offset: number): Edit[] {
    const path = [this.path, ...names].join(".");
    const body = new Namespaces(this.source.slice(inside, close), this.exported, path);
    const { blanks, exports, changing, declared } = body.exports();
    const known = this.exported.get(path) ?? new Set();
    const seen = [...known].filter((name) => !declared.has(name));
    this.exported.set(path, new Set([...known, ...exports]));
    const shift = (edit: Edit): Edit => ({ ...edit, start: edit.start + offset + inside, end: edit.end + offset + inside });
    const inner = [...blanks, ...body.edits(0)].toSorted((a, b) => a.start - b.start).map(shift);
    const head = names.map((name, depth) => this.opening(name, depth)).join("");
    const reused = seen.length > 0 ? `const {${seen.join(",")}}=${names.at(-1)!};` : "";
    const filled = exports.map((name) => kept(names.at(-1)!, name, changing.has(name))).join("");
    return [
      { start: start + offset, end: inside + offset, text: `${head}${reused}` },
      ...inner,
      { start: close + offset, end: close + offset + 1, text: `;${filled}${closings(names)}` },
    ];
  }

  /** A class, which a namespace may add to, is declared already. */
  private opening(name: string, depth: number): string {
    const isClass = depth === 0 && new RegExp(`\\bclass\\s+${name.replaceAll("$", "\\$")}\\b`).test(this.source);
    return `${isClass ? "" : `var ${name};`}(function(${name}){`;
  }

  private exports(): Exports {
    const blanks: Edit[] = [];
    const exports = new Set<string>();
    const changing = new Set<string>();
    this.tokens.forEach(({ type, start, end }, at) => {
      if (type !== tt._export || this.depths[at] !== 0) return;
      blanks.push({ start, end, text: " ".repeat(end - start) });
      const { type: kind } = this.tokens[at + 1]!;
      for (const name of this.exportedBy(at + 1)) {
        exports.add(name);
        if (kind === tt._let || kind === tt._var) changing.add(name);
      }
    });
    const declared = this.tokens.filter((token, at) => this.depths[at] === 0 && isTopLevelDeclaration(token));
    const names = declared.map((token) => this.textOf(token));
    return { blanks, exports: [...exports], changing, declared: new Set([...names, ...exports]) };
  }

  private exportedBy(at: number): string[] {
    const { type, contextualKeyword } = this.tokens[at]!;
    if (type === tt._const && this.tokens[at + 1]?.type === tt._enum) return this.exportedBy(at + 1);
    if (VARIABLES.has(type)) return this.variables(at);
    if (MODIFIERS.has(contextualKeyword)) return this.exportedBy(at + 1);
    if (OF_TYPES.has(contextualKeyword)) return [];
    const name = this.tokens.find((token, index) => index > at && token.type === tt.name)!;
    return [this.textOf(name)];
  }

  private variables(at: number): string[] {
    const names: string[] = [];
    for (let next = at + 1; next < this.tokens.length; next++) {
      const token = this.tokens[next]!;
      if (this.depths[next] === 0 && this.endsVariables(next)) break;
      if (isTopLevelDeclaration(token) && !token.isType) names.push(this.textOf(token));
    }
    return names;
  }

  /** Whether another statement begins, as far as it could declare something. */
  private endsVariables(at: number): boolean {
    const { type } = this.tokens[at]!;
    if (type === tt.semi || type === tt._export || VARIABLES.has(type)) return true;
    const before = this.tokens[at - 1]!.type;
    return (type === tt._class || type === tt._function) && before !== tt.eq && before !== tt.comma && before !== tt.arrow;
  }
}

/** Makes an export a property; that of a variable is the variable itself. */
function kept(object: string, name: string, changes: boolean): string {
  if (!changes) return `${object}.${name}=${name};`;
  return `Object.defineProperty(${object},"${name}",{get:()=>${name},set:(v)=>{${name}=v},enumerable:true,configurable:true});`;
}

/** The ends of the functions, from the innermost; each is given its object, and kept by the one around it. */
function closings(names: readonly string[]): string {
  const end = (name: string): string => `})(${name}||(${name}={}));`;
  return names.map((name, depth) => end(name) + (depth > 0 ? `${names[depth - 1]!}.${name}=${name};` : "")).toReversed().join("");
}
