/**
 * Words that are made of constants and values alone, `"$dir/$name.txt"` or `$1`, for c/shell/phrase.h, which expands them
 * in one call. What is not as plain as it looks when it runs (unset, an array, to be split) is left to the usual way.
 */

import { native, type PhraseHandle } from "../../bridge/native";
import type { Part, Word } from "../syntax/ast";
import { expandBraces } from "./braces";
import { isVariable } from "./parameter/source";
import { type Expandable, tildeInArgument } from "./tilde";

/** As numbered in C. */
const TEXT = 0;
const VARIABLE = 1;
const POSITION = 2;
const WORD_END = 3;
const SPLIT = 4;

const PIECES_MOST = 48;

/** Unquoted, beside an expansion, it might make a pattern of the word. */
const MAGIC = /[*?[(]/;

/** Of the fields of words. Undefined also where they are always the same. */
export function compileWordsPhrase(words: readonly Word[]): PhraseHandle | undefined {
  const phrase = new Phrase(SPLIT);
  for (const word of words) {
    const [item, ...more] = expandBraces(word);
    if (more.length > 0 || typeof item === "function" || item!.length === 0 || !phrase.word(tildeInArgument(item!))) return undefined;
  }
  return phrase.finish();
}

/** Of one text, which is not split. */
export function compileTextPhrase(parts: readonly Expandable[]): PhraseHandle | undefined {
  const phrase = new Phrase(0);
  return phrase.word(parts) ? phrase.finish() : undefined;
}

class Phrase {
  private readonly pieces: (string | number)[] = [];
  private varies = false;

  /** `split`: what marks an unquoted expansion. */
  constructor(private readonly split: number) {}

  finish(): PhraseHandle | undefined {
    const fits = this.varies && this.pieces.length <= 2 * PIECES_MOST;
    return fits ? native.shell.phrase(this.pieces) : undefined;
  }

  word(parts: readonly Expandable[]): boolean {
    if (!parts.every((part) => this.part(part, this.split))) return false;
    this.pieces.push(WORD_END, 0);
    return true;
  }

  private part(part: Expandable, split: number): boolean {
    switch (part.kind) {
      case "literal":
        return this.literal(part.text, split !== 0 && !part.quoted);
      case "double":
        return part.parts.length === 0 ? this.literal("", false) : part.parts.every((inner) => this.part(inner, 0));
      case "parameter":
        return this.parameter(part, split);
      default:
        return false;
    }
  }

  private literal(text: string, bare: boolean): boolean {
    if (bare && MAGIC.test(text)) return false;
    this.pieces.push(TEXT, text);
    return true;
  }

  private parameter({ name, operation, subscript, indirect, length }: Extract<Part, { kind: "parameter" }>, split: number): boolean {
    if (operation || subscript || indirect || length) return false;
    this.varies = true;
    if (isVariable(name)) this.pieces.push(VARIABLE + split, name);
    else if (/^[1-9]\d*$/.test(name)) this.pieces.push(POSITION + split, Number(name) - 1);
    else return false;
    return true;
  }
}
