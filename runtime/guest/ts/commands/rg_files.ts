/** Which files rg searches: below directories, by globs and types. */

import type { Process } from "../shell/process";
import { Errno } from "../vfs/errors";
import { Directory, type Inode, RegularFile, Symlink } from "../vfs/inode";
import { entriesOf } from "../vfs/tree";
import { find } from "../vfs/walk";
import { Failure } from "./command";

/** Of the types that rg knows, those that scripts name. */
export const TYPES: Readonly<Record<string, readonly string[]>> = {
  c: ["*.[chH]", "*.[chH].in", "*.cats"], cpp: ["*.[ChH]", "*.cc", "*.cpp", "*.cxx", "*.hh", "*.hpp", "*.hxx", "*.inl"],
  cs: ["*.cs"], css: ["*.css", "*.scss"], csv: ["*.csv"], docker: ["*Dockerfile*"], go: ["*.go"], h: ["*.h", "*.hh", "*.hpp"],
  html: ["*.htm", "*.html", "*.ejs"], java: ["*.java", "*.jsp", "*.properties"], js: ["*.js", "*.jsx", "*.vue", "*.cjs", "*.mjs"],
  json: ["*.json", "composer.lock"], jsonl: ["*.jsonl"], kotlin: ["*.kt", "*.kts"], log: ["*.log"], lua: ["*.lua"],
  make: ["[Mm]akefile", "[Gg][Nn][Uu]makefile", "*.mk", "*.mak"], markdown: ["*.markdown", "*.md", "*.mdown", "*.mdx"],
  md: ["*.markdown", "*.md", "*.mdown", "*.mdx"], php: ["*.php"], py: ["*.py"], python: ["*.py"], ruby: ["*.rb", "Gemfile", "Rakefile"],
  rust: ["*.rs"], sh: ["*.sh", "*.bash", "*.zsh", ".bashrc", ".profile"], sql: ["*.sql", "*.psql"], swift: ["*.swift"],
  toml: ["*.toml", "Cargo.lock"], ts: ["*.ts", "*.tsx", "*.cts", "*.mts"], tsv: ["*.tsv"], txt: ["*.txt"],
  typescript: ["*.ts", "*.tsx", "*.cts", "*.mts"], xml: ["*.xml", "*.xsd", "*.xsl", "*.svg"], yaml: ["*.yaml", "*.yml"],
};

export interface Choice {
  /** In order; the last that matches decides. */
  readonly globs: readonly { readonly glob: string; readonly folds: boolean }[];
  readonly types: readonly string[];
  readonly notTypes: readonly string[];
  readonly hidden: boolean;
  readonly follow: boolean;
  readonly depth: number;
}

type Test = (path: string, name: string) => boolean;

const PIECES: Readonly<Record<string, string>> = { "**/": "(?:[^]*/)?", "/**": "/[^]*", "**": "[^]*", "*": "[^/]*", "?": "[^/]", "{": "(?:", "}": ")" };

/** A glob of ignore files: without a slash it means names, else paths below the present directory. */
function tester(glob: string, folds: boolean): Test {
  const anchored = glob.replace(/\/$/, "").includes("/");
  let braces = 0;
  const source = glob.replace(/^\/|\/$/g, "").replace(/\*\*\/|\/\*\*$|\*\*|\[[!^]?\]?[^\]]*\]|\\.|[^]/g, (piece) => {
    if (piece.length > 1 && piece.startsWith("[")) return piece.replace(/^\[!/, "[^").replace(/\\/g, "\\\\");
    if (piece === "{") braces += 1;
    if (piece === "}") braces -= 1;
    if (piece === "," && braces > 0) return "|";
    return PIECES[piece] ?? piece.replace(/^\\(?=.)/, "").replace(/[.+^$()|[\]\\{}]/g, "\\$&");
  });
  const regex = compile(glob, source, folds);
  return (path, name) => regex.test(anchored ? path : name);
}

function compile(glob: string, source: string, folds: boolean): RegExp {
  try {
    return new RegExp(`^(?:${source})$`, folds ? "iu" : "u");
  } catch {
    throw new Failure(`error parsing glob '${glob}'`, 2);
  }
}

function typeTests(names: readonly string[]): Test[] {
  return names.flatMap((name) => {
    const globs = TYPES[name];
    if (!globs) throw new Failure(`unrecognized file type: ${name}`, 2);
    return globs.map((glob) => tester(glob, false));
  });
}

/** Files below what it is given, in the order of names. */
export class Files {
  private readonly globs: readonly { readonly wanted: boolean; readonly test: Test }[];
  private readonly types: readonly Test[];
  private readonly notTypes: readonly Test[];

  constructor(
    private readonly process: Process,
    private readonly choice: Choice,
  ) {
    this.globs = choice.globs.map(({ glob, folds }) => ({ wanted: !glob.startsWith("!"), test: tester(glob.replace(/^!/, ""), folds) }));
    this.types = typeTests(choice.types);
    this.notTypes = typeTests(choice.notTypes);
  }

  /** The files of an operand; what is no directory is itself. `bare`: no operand was given. */
  *below(root: string, bare: boolean): Generator<string> {
    const top = this.nodeOf(root);
    if (top instanceof Directory) yield* this.walk(top, bare ? "" : root.replace(/\/*$/, "/"), 1);
    else yield root;
  }

  isDirectory(path: string): boolean {
    return this.nodeOf(path) instanceof Directory;
  }

  private *walk(directory: Directory, prefix: string, depth: number): Generator<string> {
    if (depth > this.choice.depth) return;
    for (const { name, node } of entriesOf(this.process.context, directory)) {
      const path = prefix + name;
      const target = node instanceof Symlink && this.choice.follow ? this.nodeOf(path) : node;
      if (target instanceof Directory) {
        if (this.enters(path, name)) yield* this.walk(target, `${path}/`, depth + 1);
      } else if (target instanceof RegularFile && this.takes(path, name)) yield path;
    }
  }

  /** What the globs say: the last that matches. */
  private chosen(path: string, name: string): boolean | undefined {
    const relative = path.replace(/^\.\//, "");
    return this.globs.findLast(({ test }) => test(relative, name))?.wanted;
  }

  private enters(path: string, name: string): boolean {
    return this.chosen(path, name) ?? (this.choice.hidden || !name.startsWith("."));
  }

  private takes(path: string, name: string): boolean {
    const chosen = this.chosen(path, name);
    if (chosen !== undefined) return chosen;
    if (this.globs.some(({ wanted }) => wanted) || this.notTypes.some((test) => test(path, name))) return false;
    if (this.types.length > 0 && !this.types.some((test) => test(path, name))) return false;
    return this.choice.hidden || !name.startsWith(".");
  }

  private nodeOf(path: string): Inode | undefined {
    try {
      return find(this.process.context, path);
    } catch (error) {
      if (error instanceof Errno) return undefined;
      throw error;
    }
  }
}
