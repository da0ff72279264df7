/** `${x@P}` and PS4: the escapes of prompts, then the expansions. */

import { native } from "../../bridge/native";
import { formatTime } from "../format/time";
import type { Maybe } from "../io/maybe";
import { readText } from "../syntax/words";
import type { Scope } from "./scope";
import { SETTINGS } from "./settings";
import { compileHereDocument } from "./word";

type Escape = (scope: Scope) => string;

const moment =
  (format: string): Escape =>
  (scope) =>
    formatTime(format, Math.floor(native.clock.now() / 1000), scope.variables.get("TZ"));
const host: Escape = (scope) => scope.variables.get("HOSTNAME") ?? "sandbox";

const ESCAPES: Readonly<Record<string, Escape>> = {
  a: () => "\x07",
  e: () => "\x1b",
  n: () => "\n",
  r: () => "\r",
  s: () => "bash",
  u: (scope) => scope.variables.get("USER") ?? "user",
  h: (scope) => host(scope).replace(/\..*/, ""),
  H: host,
  v: () => "5.2",
  V: () => "5.2.15",
  w: (scope) => abbreviated(scope),
  W: (scope) => abbreviated(scope).replace(/^.*\/(?=.)/, ""),
  $: () => "$",
  "\\": () => "\\",
  "[": () => "",
  "]": () => "",
  j: () => "0",
  l: () => "tty",
  "#": () => "1",
  "!": () => "1",
  d: moment("%a %b %d"),
  t: moment("%H:%M:%S"),
  T: moment("%I:%M:%S"),
  "@": moment("%I:%M %p"),
  A: moment("%H:%M"),
};

function abbreviated(scope: Scope): string {
  const { cwd } = scope.context;
  const home = scope.variables.get("HOME");
  if (!home || home === "/" || (cwd !== home && !cwd.startsWith(`${home}/`))) return cwd;
  return `~${cwd.slice(home.length)}`;
}

export function expandPrompt(scope: Scope, text: string): Maybe<string> {
  const unescaped = text.replace(/\\(?:([0-7]{3})|([^]))/g, (whole, octal?: string, letter?: string) => {
    if (octal) return String.fromCharCode(parseInt(octal, 8) & 255);
    return ESCAPES[letter!]?.(scope) ?? whole;
  });
  return expandText(scope, unescaped);
}

/** The expansions of a text that a script holds. */
export function expandText(scope: Scope, text: string): Maybe<string> {
  return compileHereDocument(readText(text, SETTINGS))(scope);
}
