/** Terminal styles: which colour a kind of value gets, and the escape codes that turn a colour on and off. */

import type { Style, Stylize } from "./context";

type Codes = [on: number, off: number];

const BASIC = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const modifiers: [string, Codes][] = [
  ["reset", [0, 0]],
  ["bold", [1, 22]],
  ["dim", [2, 22]],
  ["italic", [3, 23]],
  ["underline", [4, 24]],
  ["blink", [5, 25]],
  ["inverse", [7, 27]],
  ["hidden", [8, 28]],
  ["strikethrough", [9, 29]],
  ["doubleunderline", [21, 24]],
];

function palette(name: (color: string) => string, first: number, off: number): [string, Codes][] {
  return BASIC.map((color, index) => [name(color), [first + index, off]]);
}

/** Node's names, in Node's order. */
export const colors: Record<string, Codes> = Object.assign(
  Object.create(null) as Record<string, Codes>,
  Object.fromEntries<Codes>([
    ...modifiers,
    ...palette((color) => color, 30, 39),
    ...palette((color) => `bg${capital(color)}`, 40, 49),
    ["framed", [51, 54]],
    ["overlined", [53, 55]],
    ["gray", [90, 39]],
    ...palette((color) => `${color}Bright`, 90, 39).slice(1),
    ["bgGray", [100, 49]],
    ...palette((color) => `bg${capital(color)}Bright`, 100, 49).slice(1),
  ]),
);

/** Other spellings of the same colours; not listed among the keys, as in Node. */
const aliases: Record<string, string> = {
  grey: "gray", blackBright: "gray", bgGrey: "bgGray", bgBlackBright: "bgGray", faint: "dim", conceal: "hidden",
  crossedout: "strikethrough", crossedOut: "strikethrough", strikeThrough: "strikethrough",
  doubleUnderline: "doubleunderline", swapcolors: "inverse", swapColors: "inverse",
};
for (const [alias, name] of Object.entries(aliases)) {
  Object.defineProperty(colors, alias, { get: () => colors[name], enumerable: false, configurable: true });
}

export const styles: Record<Style, string> = Object.assign(Object.create(null) as Record<Style, string>, {
  special: "cyan", number: "yellow", bigint: "yellow", boolean: "yellow", undefined: "grey", null: "bold",
  string: "green", symbol: "green", date: "magenta", regexp: "red", module: "underline",
});

export const colored: Stylize = (text, style) => {
  const codes = colors[styles[style]];
  return codes === undefined ? text : `\u001b[${codes[0]}m${text}\u001b[${codes[1]}m`;
};

/** For what is there but not the object's own. */
export function dimmed(text: string): string {
  return `\u001b[2m${text}\u001b[22m`;
}

/** ECMA-48: operating system commands up to their terminator, control sequences, and escapes of one character. */
const ESCAPES = /\u001b\][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[ -/]*[0-Z\\^-~]/g;

/** The text without terminal escape sequences. */
export function stripColors(text: string): string {
  return text.replace(ESCAPES, "");
}
