/** TypeScript to JavaScript: types go, enums are built, lines keep their numbers. */

import { transform } from "sucrase";
import { refusalAt } from "./fault";

const NAMESPACE = /^[ \t]*(?:export\s+)?(?:declare\s+)?(?:namespace|module)\s+[\w$.]+\s*\{/m;
const DECLARED = /^[ \t]*(?:export\s+)?declare\s/;

/**
 * Throws a SyntaxError for what is no TypeScript, and for `namespace` bodies, which would be lost. Imports that nothing uses
 * go with the types, unless they are to be kept.
 */
export function stripTypes(source: string, filename: string, keepImports = false): string {
  const namespace = NAMESPACE.exec(source);
  if (namespace && !DECLARED.test(namespace[0])) {
    const line = source.slice(0, namespace.index).split("\n").length;
    throw refusalAt("TypeScript namespaces are not supported; use an object or a module", filename, line, 1);
  }
  return transform(source, {
    transforms: ["typescript"],
    filePath: filename,
    disableESTransforms: true,
    keepUnusedImports: keepImports,
  }).code;
}
