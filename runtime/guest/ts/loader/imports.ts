/**
 * Static imports in a script.
 *
 * A script is the body of an async function, where `import` declarations may not stand. Each is replaced in place by an
 * `await import(…)` that binds the same names, so that every line keeps its number. Bindings are values, not live views.
 * `import.meta` becomes a global of the same length.
 */

import { type Node, type Options, type Token, parse } from "acorn";

/** For whoever else reads scripts: there is one acorn in the guest. */
export { parse };

interface Specifier extends Node {
  local: { name: string };
  imported?: { name?: string; value?: string };
}

interface ImportNode extends Node {
  specifiers: Specifier[];
  source: { raw: string };
}

interface ExportNode extends Node {
  declaration: Node | null;
}

const OPTIONS: Options = {
  ecmaVersion: "latest",
  sourceType: "module",
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  allowHashBang: true,
};

const META = "import$meta";

type Rewrite = (node: never, source: string) => string;

const REWRITES: Readonly<Record<string, Rewrite>> = {
  ImportDeclaration: rewriteImport,
  ExportNamedDeclaration: rewriteExport,
  ExportDefaultDeclaration: rewriteDefault,
};

/** The source with its imports rewritten; throws acorn's SyntaxError for what does not parse. */
export function rewriteImports(original: string): string {
  const tokens: Token[] = [];
  const { body } = parse(original, { ...OPTIONS, onToken: tokens }) as Node & { body: Node[] };
  const source = withoutMeta(original, tokens);
  let rewritten = "";
  let at = 0;
  for (const node of body) {
    const rewrite = REWRITES[node.type];
    if (!rewrite) continue;
    const text = source.slice(node.start, node.end);
    rewritten += source.slice(at, node.start) + padded(rewrite(node as never, source), text);
    at = node.end;
  }
  return rewritten + source.slice(at);
}

/** Every `import.meta` replaced; what stands within it, if anything does, becomes blanks behind it. */
function withoutMeta(source: string, tokens: readonly Token[]): string {
  let replaced = source;
  tokens.forEach(({ type, start }, i) => {
    const meta = tokens[i + 2] as (Token & { value: unknown }) | undefined;
    if (type.keyword !== "import" || tokens[i + 1]?.type.label !== "." || meta?.value !== "meta") return;
    const within = source.slice(start, meta.end).replace(/[^\n]/g, " ").slice(META.length);
    replaced = replaced.slice(0, start) + META + within + replaced.slice(meta.end);
  });
  return replaced;
}

function rewriteImport(node: ImportNode): string {
  const whole = node.specifiers.find((each) => each.type === "ImportNamespaceSpecifier");
  const load = `await import(${node.source.raw})`;
  if (node.specifiers.length === 0) return `${load};`;
  if (whole && node.specifiers.length === 1) return `const ${whole.local.name} = ${load};`;
  const names = node.specifiers.filter((each) => each !== whole).map(binding).join(", ");
  if (!whole) return `const { ${names} } = ${load};`;
  return `const ${whole.local.name} = ${load}, { ${names} } = ${whole.local.name};`;
}

function binding(specifier: Specifier): string {
  if (specifier.type === "ImportDefaultSpecifier") return `default: ${specifier.local.name}`;
  const imported = specifier.imported!.name ?? JSON.stringify(specifier.imported!.value);
  return imported === specifier.local.name ? imported : `${imported}: ${specifier.local.name}`;
}

/** Nobody imports a script, so what it exports is merely declared. */
function rewriteExport(node: ExportNode, source: string): string {
  return node.declaration ? source.slice(node.declaration.start, node.declaration.end) : ";";
}

function rewriteDefault(node: ExportNode, source: string): string {
  const text = source.slice(node.declaration!.start, node.declaration!.end);
  const declares = /Declaration$/.test(node.declaration!.type) && /^(?:async\s+)?(?:function\s*\*?|class)\s+[\w$]/.test(text);
  return declares ? text : `(${text});`;
}

/** Line breaks of the replaced text are kept, so that what follows stays where it was. */
function padded(text: string, replaced: string): string {
  const missing = replaced.split("\n").length - text.split("\n").length;
  return text + "\n".repeat(Math.max(0, missing));
}
