import { kernel } from "amla:kernel";

const { bytes: native } = kernel;

/** Base64 text to a string of bytes, strictly as the HTML standard has it. */
export function atob(input: unknown): string {
  if (arguments.length === 0) throw new TypeError('The "data" argument must be specified');
  let text = String(input).replace(/[\t\n\f\r ]/g, "");
  if (text.length % 4 === 0) text = text.replace(/==?$/, "");
  if (text.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(text)) {
    throw new DOMException("The string to be decoded is not correctly encoded.", "InvalidCharacterError");
  }
  return native.latin1Decode(native.base64Decode(text));
}

/** A string of bytes to base64 text. */
export function btoa(input: unknown): string {
  if (arguments.length === 0) throw new TypeError('The "data" argument must be specified');
  const text = String(input);
  if (/[^\0-\xff]/.test(text)) throw new DOMException("Invalid character", "InvalidCharacterError");
  return native.base64Encode(native.latin1Encode(text), false);
}
