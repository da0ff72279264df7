/** TypeScript to JavaScript: types go, enums are built, lines keep their numbers. */

import { type Options, transform } from "sucrase";
import { applied, type Edit, originIn } from "./edits";
import { namespaceEdits } from "./namespaces";

const NAMESPACE = /^[ \t]*(?:export\s+)?(?:namespace|module)\s+[\w$.]+\s*\{/m;

/**
 * Throws a SyntaxError for what is no TypeScript. Imports that nothing uses go with the types, unless they are to be kept.
 */
export function stripTypes(source: string, filename: string, keepImports = false): string {
  return transform(applied(source, editsOf(source)), optionsFor(filename, keepImports)).code;
}

function editsOf(source: string): Edit[] {
  return NAMESPACE.test(source) ? namespaceEdits(source) : [];
}

function optionsFor(filename: string, keepImports: boolean): Options {
  return { transforms: ["typescript"], filePath: filename, disableESTransforms: true, keepUnusedImports: keepImports };
}

/** The same, and where the script has what stands at an offset of the JavaScript. */
export function mapTypes(source: string, filename: string): { code: string; origin: (offset: number) => number } {
  const edits = editsOf(source);
  const text = applied(source, edits);
  const { code, sourceMap } = transform(text, { ...optionsFor(filename, false), sourceMapOptions: { compiledFilename: filename } });
  const lines = readMappings(sourceMap!.mappings);
  const [from, to] = [lineStarts(text), lineStarts(code)];
  return { code, origin: (offset) => Math.min(originIn(edits, placeOf(offset, lines, from, to)), source.length) };
}

function placeOf(offset: number, lines: readonly (readonly Segment[])[], from: readonly number[], to: readonly number[]): number {
  const line = to.findLastIndex((start) => start <= offset);
  const column = offset - to[line]!;
  const segment = lines[line]?.findLast(([made]) => made <= column);
  return (from[line] ?? 0) + (segment ? segment[1] + column - segment[0] : column);
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** Columns: where in the JavaScript, and where in the script. */
type Segment = readonly [made: number, written: number];

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Mappings of a source map whose lines are those of its only source. */
function readMappings(mappings: string): Segment[][] {
  let written = 0;
  return mappings.split(";").map((line) => {
    let made = 0;
    return line.split(",").filter(Boolean).map((segment): Segment => {
      const [step = 0, , , shift = 0] = readNumbers(segment);
      return [(made += step), (written += shift)];
    });
  });
}

/** Base 64 with five bits a digit, the sixth telling that more follow, and the sign in the lowest bit of all. */
function readNumbers(segment: string): number[] {
  const numbers: number[] = [];
  let [value, shift] = [0, 0];
  for (const each of segment) {
    const digit = DIGITS.indexOf(each);
    value |= (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return numbers;
}
