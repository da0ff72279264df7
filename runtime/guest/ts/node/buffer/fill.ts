import { kernel } from "amla:kernel";
import { invalidValue, outOfRange, requireString } from "../errors";
import { type FastBuffer, isBytes, MAX_LENGTH } from "./base";
import { encodingOf } from "./encodings";

const { bytes: native } = kernel;

function patternOf(value: unknown, encoding: unknown): number | Uint8Array {
  if (typeof value === "string") {
    const pattern = encodingOf(encoding || undefined).encode(value);
    if (pattern.length === 0 && value.length > 0) throw invalidValue("value", value);
    return pattern.length === 0 ? 0 : pattern;
  }
  if (isBytes(value)) {
    if (value.length === 0) throw invalidValue("value", value);
    return value;
  }
  return typeof value === "boolean" ? Number(value) : +(value as number) & 255;
}

function bound(name: string, value: unknown, absent: number, length: number): number {
  if (value === undefined) return absent;
  const at = value as number;
  if (!(at >= 0 && at <= length)) throw outOfRange(name, `>= 0 && <= ${length}`, value);
  return Math.trunc(at);
}

/** `fill(value[, offset[, end]][, encoding])` */
export function fill(
  this: FastBuffer,
  value: unknown,
  offset?: unknown,
  end?: unknown,
  encoding?: unknown,
): FastBuffer {
  if (typeof offset === "string") [offset, end, encoding] = [undefined, undefined, offset];
  else if (typeof end === "string") [end, encoding] = [undefined, end];
  if (encoding !== undefined) requireString("encoding", encoding);
  const start = bound("offset", offset, 0, MAX_LENGTH);
  const stop = bound("end", end, this.length, this.length);
  const pattern = patternOf(value, encoding);
  if (start < stop) native.fill(this, pattern, start, stop);
  return this;
}
