/** What a command's environment says of the locale. */

import { native } from "../bridge/native";
import { isBytewise } from "../shell/run/locale";
import type { Process } from "../shell/process";
import { RegexFlag } from "./regex_flags";

/** Whether each byte is a character. */
export function bytewise({ env }: Process): boolean {
  return isBytewise((name) => env.get(name));
}

/** What it adds to the flags of regular expressions. */
export function localeFlag(process: Process): number {
  return bytewise(process) ? RegexFlag.bytes : 0;
}

/** A text as units of the locale: see shell/expand/units.ts. */
export function unitsFor(process: Process): (text: string) => string {
  return bytewise(process) ? native.text.bytes : (text) => text;
}
