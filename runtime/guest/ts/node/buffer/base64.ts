import { kernel } from "amla:kernel";
import { coded } from "../errors";

const { bytes: native } = kernel;

function missing(): Error {
  return coded(TypeError, "ERR_MISSING_ARGS", 'The "input" argument must be specified');
}

function invalid(message: string): DOMException {
  return new DOMException(message, "InvalidCharacterError");
}

/** Base64 text to a string of bytes, strictly as the HTML standard has it. */
export function atob(input: unknown): string {
  if (arguments.length === 0) throw missing();
  let text = String(input).replace(/[\t\n\f\r ]/g, "");
  if (text.length % 4 === 0) text = text.replace(/==?$/, "");
  if (/[^A-Za-z0-9+/]/.test(text)) throw invalid("Invalid character");
  if (text.length % 4 === 1) throw invalid("The string to be decoded is not correctly encoded.");
  return native.latin1Decode(native.base64Decode(text));
}

/** A string of bytes to base64 text. */
export function btoa(input: unknown): string {
  if (arguments.length === 0) throw missing();
  const text = String(input);
  if (/[^\0-\xff]/.test(text)) throw invalid("Invalid character");
  return native.base64Encode(native.latin1Encode(text), false);
}
