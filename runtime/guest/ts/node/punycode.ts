export { decode, encode, toASCII, toUnicode } from "./url/punycode";

export const version = "2.1.0";
export const ucs2 = {
  decode: (text: string): number[] => [...text].map((character) => character.codePointAt(0)!),
  encode: (points: number[]): string => String.fromCodePoint(...points),
};
