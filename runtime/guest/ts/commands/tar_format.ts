/** Headers of tar: GNU's own format is written; that, POSIX's and its extended headers are read. */

import { native } from "../bridge/native";

export const BLOCK = 512;
const NAME = 100;
const SEVEN = 0o77777777777; // the largest number in eleven octal digits

/** What a member is: a letter of the header. */
export const Kind = { file: "0", hardlink: "1", symlink: "2", directory: "5", fifo: "6" } as const;

export interface Member {
  readonly name: string;
  readonly kind: string;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly owner: string;
  readonly group: string;
  readonly size: number;
  /** Seconds since 1970. */
  readonly time: number;
  readonly target: string;
}

// --- writing

function number(value: number, digits: number): Uint8Array {
  const bytes = new Uint8Array(digits + 1);
  if (value >= 0 && value <= (digits === 11 ? SEVEN : 8 ** digits - 1)) {
    bytes.set(native.text.encode(value.toString(8).padStart(digits, "0")));
    return bytes;
  }
  let rest = BigInt.asUintN(64, BigInt(value));
  for (let at = digits; at > digits - 8 && at > 0; at -= 1, rest >>= 8n) bytes[at] = Number(rest & 255n);
  bytes[0] = value < 0 ? 255 : 128;
  return bytes;
}

function block(member: Member, name: Uint8Array, target: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(BLOCK);
  const put = (at: number, field: Uint8Array, most: number): void => bytes.set(field.subarray(0, most), at);
  put(0, name, NAME);
  put(100, number(member.mode, 7), 8);
  put(108, number(member.uid, 7), 8);
  put(116, number(member.gid, 7), 8);
  put(124, number(member.size, 11), 12);
  put(136, number(member.time, 11), 12);
  put(148, native.text.encode("        "), 8);
  bytes[156] = member.kind.charCodeAt(0);
  put(157, target, NAME);
  put(257, native.text.encode("ustar  \0"), 8);
  put(265, native.text.encode(member.owner), 31);
  put(297, native.text.encode(member.group), 31);
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  put(148, native.text.encode(`${sum.toString(8).padStart(6, "0")}\0 `), 8);
  return bytes;
}

/** A text too long for its field goes before the header as a member of its own. */
function longText(kind: "K" | "L", text: Uint8Array): Uint8Array[] {
  if (text.length < NAME + (kind === "L" ? 1 : 1)) return [];
  const padded = new Uint8Array(roundUp(text.length + 1));
  padded.set(text);
  const pseudo = { name: "././@LongLink", kind, mode: 0, uid: 0, gid: 0, owner: "root", group: "root", size: text.length + 1, time: 0, target: "" };
  return [block({ ...pseudo, mode: 0o644 }, native.text.encode(pseudo.name), new Uint8Array(0)), padded];
}

export function roundUp(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK;
}

/** What goes before the member's bytes. */
export function headerBlocks(member: Member): Uint8Array[] {
  const [name, target] = [native.text.encode(member.name), native.text.encode(member.target)];
  return [...longText("K", target), ...longText("L", name), block(member, name, target)];
}

// --- reading

function text(bytes: Uint8Array, at: number, length: number): string {
  const field = bytes.subarray(at, at + length);
  const end = field.indexOf(0);
  return native.text.decode(end < 0 ? field : field.subarray(0, end));
}

function value(bytes: Uint8Array, at: number, length: number): number {
  if (bytes[at]! & 0x80) {
    const big = bytes.subarray(at + 1, at + length).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
    return Number(bytes[at] === 255 ? BigInt.asIntN(8 * (length - 1), big) : big);
  }
  const digits = text(bytes, at, length).trim();
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : 0;
}

/** Whether the block's checksum is right. */
export function isHeader(bytes: Uint8Array): boolean {
  let sum = 0;
  for (let at = 0; at < BLOCK; at += 1) sum += at >= 148 && at < 156 ? 32 : bytes[at]!;
  return sum === value(bytes, 148, 8);
}

export function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

export function readHeader(bytes: Uint8Array): Member {
  const posix = text(bytes, 257, 6) === "ustar" && bytes[263] === 48;
  const prefix = posix ? text(bytes, 345, 155) : "";
  const name = text(bytes, 0, NAME);
  const letter = bytes[156] === 0 ? Kind.file : String.fromCharCode(bytes[156]!);
  return {
    name: prefix === "" ? name : `${prefix}/${name}`,
    kind: letter === "7" ? Kind.file : letter === Kind.file && name.endsWith("/") ? Kind.directory : letter,
    mode: value(bytes, 100, 8) & 0o7777, uid: value(bytes, 108, 8), gid: value(bytes, 116, 8), size: value(bytes, 124, 12),
    time: value(bytes, 136, 12), target: text(bytes, 157, NAME), owner: text(bytes, 265, 32), group: text(bytes, 297, 32),
  };
}

/** Records `length key=value` of an extended header, as what they change. */
export function extended(bytes: Uint8Array): Partial<Member> {
  const fields: Record<string, string> = {};
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(32, at);
    const length = Number.parseInt(native.text.decode(bytes.subarray(at, space)), 10);
    if (space < 0 || !(length > 0)) break;
    const [, key, content] = /^([^=]*)=([^]*)\n$/.exec(native.text.decode(bytes.subarray(space + 1, at + length))) ?? [];
    if (key !== undefined) fields[key] = content!;
    at += length;
  }
  const { path, linkpath, size, mtime, uname, gname } = fields;
  return {
    ...(path !== undefined && { name: path }), ...(linkpath !== undefined && { target: linkpath }), ...(size !== undefined && { size: Number(size) }),
    ...(mtime !== undefined && { time: Math.floor(Number(mtime)) }), ...(uname !== undefined && { owner: uname }), ...(gname !== undefined && { group: gname }),
  };
}
