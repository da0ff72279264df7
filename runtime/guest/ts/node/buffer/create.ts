import { kernel } from "amla:kernel";
import { coded, invalidType, invalidValue, outOfRange, received } from "../errors";
import { adopt, type Bytes, bytesOf, FastBuffer, isAnyBuffer, isBytes, MAX_LENGTH } from "./base";
import { encodingOf, findEncoding } from "./encodings";
import { fill } from "./fill";

function requireSize(size: unknown, name = "size"): asserts size is number {
  if (typeof size !== "number") throw invalidType(name, "of type number", size);
  if (!(size >= 0 && size <= MAX_LENGTH)) throw outOfRange(name, `>= 0 && <= ${MAX_LENGTH}`, size);
}

export function alloc(size: number, value?: unknown, encoding?: unknown): FastBuffer {
  requireSize(size);
  const buffer = new FastBuffer(size);
  if (value !== undefined && value !== 0 && size > 0) {
    if (encoding !== undefined && typeof encoding !== "string")
      throw invalidType("encoding", "of type string", encoding);
    fill.call(buffer, value, encoding);
  }
  return buffer;
}

export function allocUnsafe(size: number): FastBuffer {
  requireSize(size);
  return new FastBuffer(size);
}

function fromArrayBuffer(buffer: ArrayBuffer, offset: unknown, length: unknown): FastBuffer {
  const start = offset === undefined ? 0 : +(offset as number) || 0;
  const room = buffer.byteLength - start;
  if (room < 0) throw coded(RangeError, "ERR_BUFFER_OUT_OF_BOUNDS", '"offset" is outside of buffer bounds');
  if (length === undefined) return new FastBuffer(buffer, start, room);
  const size = Math.max(0, Math.trunc(+(length as number) || 0));
  if (size > room) throw coded(RangeError, "ERR_BUFFER_OUT_OF_BOUNDS", '"length" is outside of buffer bounds');
  return new FastBuffer(buffer, start, size);
}

type ArrayLike = { length?: unknown; type?: unknown; data?: unknown; buffer?: unknown };

function fromObject(value: ArrayLike): FastBuffer | undefined {
  if (value.length !== undefined || isAnyBuffer(value.buffer)) {
    if (typeof value.length !== "number") return new FastBuffer(0);
    return adopt(Uint8Array.from(value as ArrayLike & { length: number; [index: number]: number }));
  }
  if (value.type === "Buffer" && Array.isArray(value.data)) return adopt(Uint8Array.from(value.data as number[]));
  return undefined;
}

type Primitive = { [Symbol.toPrimitive]?: unknown };

/** What an object that is no list stands for: its valueOf() or Symbol.toPrimitive, as String objects have. */
function fromWrapper(value: object, second: unknown, third: unknown): FastBuffer | undefined {
  const inner: unknown = typeof value.valueOf === "function" ? value.valueOf() : undefined;
  if (inner != null && inner !== value && (typeof inner === "string" || typeof inner === "object")) {
    return from(inner, second, third);
  }
  const listed = fromObject(value as ArrayLike);
  if (listed) return listed;
  const convert = (value as Primitive)[Symbol.toPrimitive];
  if (typeof convert !== "function") return undefined;
  const text: unknown = convert.call(value, "string");
  return typeof text === "string" ? fromString(text, second) : undefined;
}

function fromString(text: string, encoding?: unknown): FastBuffer {
  return adopt(encodingOf(typeof encoding === "string" && encoding !== "" ? encoding : undefined).encode(text));
}

const SOURCES = "of type string or an instance of Buffer, ArrayBuffer, or Array or an Array-like Object.";

export function from(value: unknown, second?: unknown, third?: unknown): FastBuffer {
  if (typeof value === "string") return fromString(value, second);
  if (typeof value === "object" && value !== null) {
    if (isAnyBuffer(value)) return fromArrayBuffer(value, second, third);
    if (isBytes(value)) return adopt(new Uint8Array(value));
    const made = fromWrapper(value, second, third);
    if (made) return made;
  }
  throw coded(TypeError, "ERR_INVALID_ARG_TYPE", `The first argument must be ${SOURCES}${received(value)}`);
}

export function of(...items: number[]): FastBuffer {
  return adopt(Uint8Array.from(items));
}

export function copyBytesFrom(view: ArrayBufferView, offset = 0, length?: number): FastBuffer {
  const { types } = kernel;
  if (types.typedArrayName(view) === undefined) throw invalidType("view", "an instance of TypedArray", view);
  const array = view as Uint8Array;
  const end = length === undefined ? array.length : offset + length;
  return adopt(new Uint8Array(bytesOf(array.subarray(offset, end))));
}

export function concat(list: readonly Bytes[], length?: number): FastBuffer {
  if (!Array.isArray(list)) throw invalidType("list", "an instance of Array", list);
  if (length !== undefined) requireSize(length, "length");
  const total = length ?? list.reduce((sum: number, item: Bytes) => sum + (item.length || 0), 0);
  const result = new FastBuffer(list.length === 0 ? 0 : total);
  let at = 0;
  list.forEach((item: unknown, index) => {
    if (!isBytes(item)) throw invalidType(`list[${index}]`, "an instance of Buffer or Uint8Array", item);
    const size = Math.min(item.length, result.length - at);
    kernel.bytes.copy(item, 0, result, at, size);
    at += size;
  });
  return result;
}

export function byteLength(value: unknown, encoding?: unknown): number {
  if (typeof value === "string") return (findEncoding(encoding) ?? encodingOf()).size(value);
  if (ArrayBuffer.isView(value) || isAnyBuffer(value)) return value.byteLength;
  throw invalidType("string", "of type string or an instance of Buffer or ArrayBuffer", value);
}

/** Bytes in another encoding: Node offers only those without a table. */
export function transcode(source: Bytes, fromName: string, toName: string): FastBuffer {
  if (!isBytes(source)) throw invalidType("source", "an instance of Buffer or Uint8Array", source);
  const [decoder, encoder] = [findEncoding(fromName), findEncoding(toName)];
  if (!decoder || !encoder) throw invalidValue("encoding", decoder ? toName : fromName);
  const text = decoder.decode(source);
  const narrow = encoder.name === "ascii" ? /[^\x00-\x7f]/gu : encoder.name === "latin1" ? /[^\x00-\xff]/gu : undefined;
  return adopt(encoder.encode(narrow ? text.replace(narrow, "?") : text));
}
