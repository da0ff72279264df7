/** `[[ text =~ regex ]]` and BASH_REMATCH. */

import { native, type RegexHandle } from "../../bridge/native";
import { IndexedArray } from "./arrays";
import { ShellError } from "./errors";
import type { Shell } from "./shell";
import { Variable } from "./variables";

const EXTENDED = 1;
const IGNORE_CASE = 1 << 4;
const BYTES = 1 << 5;

/** Compiled expressions, by flags and source. */
const known = new Map<string, RegexHandle>();
const KNOWN_MOST = 64;

function compiled(source: string, flags: number): RegexHandle {
  const key = `${flags}${source}`;
  let regex = known.get(key);
  if (regex) return regex;
  try {
    regex = native.regex.create(native.text.encode(source), flags);
  } catch (error) {
    if (error instanceof SyntaxError) throw new ShellError(/too big/.test(error.message) ? "regular expression too big" : "", 2);
    throw error;
  }
  if (known.size >= KNOWN_MOST) known.clear();
  known.set(key, regex);
  return regex;
}

export function matchRegex(shell: Shell, text: string, source: string): boolean {
  const regex = compiled(source, EXTENDED | (shell.options.has("nocasematch") ? IGNORE_CASE : 0) | (shell.variables.bytewise ? BYTES : 0));
  const bytes = native.text.encode(text);
  const spans = native.regex.search(regex, bytes, 0, native.regex.groups(regex) + 1);
  const groups = new IndexedArray();
  for (let at = 0; spans && at < spans.length; at += 2) {
    const [start, end] = [spans[at]!, spans[at + 1]!];
    groups.push(start < 0 ? "" : native.text.decode(bytes.subarray(start, end)));
  }
  shell.variables.replace("BASH_REMATCH", new Variable(groups));
  return spans !== undefined;
}
