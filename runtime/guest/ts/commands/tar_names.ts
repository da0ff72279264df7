/** Which members are meant, and what they are called. */

import { compilePattern } from "../shell/expand/pattern";
import { edited } from "./sed_text";

const NO_OPTIONS = new Set<string>();

/** Patterns of --exclude: a name, or what of it begins behind a slash, or a directory that leads to it. */
export function excluder(patterns: readonly string[]): (name: string) => boolean {
  const compiled = patterns.map((pattern) => compilePattern(pattern.replace(/\/+$/, ""), NO_OPTIONS, false));
  return (name) => {
    const parts = name.replace(/\/+$/, "").split("/");
    const ends = parts.map((_, i) => parts.slice(0, i + 1).join("/"));
    return compiled.some((pattern) => ends.some((text) => suffixes(text).some((suffix) => pattern.test(suffix))));
  };
}

function suffixes(text: string): string[] {
  const all = [text];
  for (let at = text.indexOf("/"); at >= 0; at = text.indexOf("/", at + 1)) if (at + 1 < text.length) all.push(text.slice(at + 1));
  return all;
}

/** The members that were asked for: by name, with what is in a directory. */
export class Wanted {
  private readonly found = new Set<string>();
  private readonly tests: readonly ((name: string) => boolean)[];

  constructor(
    private readonly operands: readonly string[],
    wildcards: boolean,
  ) {
    this.tests = operands.map((operand) => {
      const bare = operand.replace(/\/+$/, "");
      if (!wildcards) return (name: string) => name === bare || name.startsWith(`${bare}/`);
      const pattern = compilePattern(bare, NO_OPTIONS, false);
      return (name: string) => name.split("/").some((_, i, parts) => pattern.test(parts.slice(0, i + 1).join("/")));
    });
  }

  has(name: string): boolean {
    if (this.operands.length === 0) return true;
    const bare = name.replace(/\/+$/, "");
    const hits = this.operands.filter((_, i) => this.tests[i]!(bare));
    for (const operand of hits) this.found.add(operand);
    return hits.length > 0;
  }

  get missing(): string[] {
    return this.operands.filter((operand) => !this.found.has(operand));
  }
}

/** Makes names relative and safe; tells of each kind of start that it takes away, once. */
export class SafeNames {
  private readonly told = new Set<string>();

  constructor(
    private readonly keeps: boolean,
    private readonly tell: (message: string) => void,
  ) {}

  member(name: string): string {
    return this.safe(name, "member names");
  }

  link(target: string): string {
    return this.safe(target, "hard link targets");
  }

  private safe(name: string, what: string): string {
    if (this.keeps) return name;
    const [start] = /^(?:[^]*\/)?\.\.(?:\/+|$)|^\/+/.exec(name) ?? [""];
    if (start === "") return name;
    const shown = start.startsWith("/") && /^\/+$/.test(start) ? "/" : start;
    const message = `Removing leading \`${shown}' from ${what}`;
    if (!this.told.has(message)) this.tell(message);
    this.told.add(message);
    return name.slice(start.length) || ".";
  }
}

/** Without that many leading components; undefined for nothing that is left. */
export function strip(name: string, count: number): string | undefined {
  if (count === 0) return name;
  const rest = name.split("/").filter((part, i) => part !== "" || i > 0).slice(count).join("/");
  return rest === "" ? undefined : rest;
}

/** In that directory, unless it begins with it. */
export function inTopLevel(name: string, directory: string): string {
  const bare = name.replace(/^[/.]+/, "");
  return bare === directory || bare.startsWith(`${directory}/`) ? name : `${directory}/${name}`;
}

/** The directory that --one-top-level means where it names none: the archive's name without what tells its kind. */
export function topLevelOf(archive: string): string | undefined {
  return /([^/]+?)\.(?:tar(?:\.[a-zA-Z0-9]+)?|t[a-z]{1,2}[z2])$/.exec(archive)?.[1];
}

export function transformer(expressions: readonly string[]): (name: string) => string {
  if (expressions.length === 0) return (name) => name;
  return (name) => edited(expressions.join("\n"), name);
}
