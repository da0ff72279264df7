/** Zip archives: their directory and the headers of members. */

import { native } from "../bridge/native";

export const Method = { stored: 0, deflated: 8 } as const;

export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  /** Seconds since 1970. */
  readonly time: number;
  /** As stat(2) has it; 0 when the archive's maker told none. */
  readonly mode: number;
  readonly encrypted: boolean;
  /** Where its header is. */
  readonly offset: number;
  readonly comment: string;
}

/** The bytes are no zip archive. */
export class NoZip {}

const [LOCAL, CENTRAL, END] = [0x04034b50, 0x02014b50, 0x06054b50];
const UTF8 = 0x800;
const UNIX = 3;
const [LOCAL_SIZE, CENTRAL_SIZE, END_SIZE] = [30, 46, 22];
const COMMENT_MOST = 0xffff;
/** Extra fields: when it was changed, in seconds; a number of more than 32 bits. */
const [TIMES, WIDE] = [0x5455, 0x0001];

class Bytes {
  private readonly view: DataView;
  constructor(readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  short(at: number): number {
    return this.view.getUint16(at, true);
  }

  long(at: number): number {
    return this.view.getUint32(at, true);
  }

  wide(at: number): number {
    return Number(this.view.getBigUint64(at, true));
  }

  text(at: number, length: number): string {
    return native.text.decode(this.bytes.subarray(at, at + length));
  }
}

// --- reading

export interface Directory {
  readonly entries: ZipEntry[];
  readonly comment: string;
}

export function readDirectory(bytes: Uint8Array, localTime: (wall: number) => number): Directory {
  const source = new Bytes(bytes);
  const end = findEnd(source);
  const entries: ZipEntry[] = [];
  let at = source.long(end + 16);
  for (let left = source.short(end + 10); left > 0; left -= 1) {
    if (at + CENTRAL_SIZE > end || source.long(at) !== CENTRAL) throw new NoZip();
    entries.push(readEntry(source, at, localTime));
    at += CENTRAL_SIZE + source.short(at + 28) + source.short(at + 30) + source.short(at + 32);
  }
  return { entries, comment: source.text(end + END_SIZE, source.short(end + 20)) };
}

function findEnd(source: Bytes): number {
  const { length } = source.bytes;
  for (let at = length - END_SIZE; at >= 0 && at >= length - END_SIZE - COMMENT_MOST; at -= 1) if (source.long(at) === END) return at;
  throw new NoZip();
}

function readEntry(source: Bytes, at: number, localTime: (wall: number) => number): ZipEntry {
  const nameLength = source.short(at + 28);
  const extra = extras(source, at + CENTRAL_SIZE + nameLength, source.short(at + 30));
  const [size, packed, offset] = wideSizes(source, extra.get(WIDE), [source.long(at + 24), source.long(at + 20), source.long(at + 42)]);
  const times = extra.get(TIMES);
  const hasTime = times !== undefined && times.length >= 5 && source.bytes[times.at]! & 1;
  const attributes = source.long(at + 38);
  return {
    name: source.text(at + CENTRAL_SIZE, nameLength), method: source.short(at + 10), crc: source.long(at + 16), packed: packed!, size: size!, offset: offset!,
    time: hasTime ? source.long(times.at + 1) | 0 : localTime(dosTime(source.short(at + 14), source.short(at + 12))),
    mode: source.bytes[at + 5] === UNIX ? attributes >>> 16 : 0, encrypted: (source.short(at + 8) & 1) !== 0,
    comment: source.text(at + CENTRAL_SIZE + nameLength + source.short(at + 30), source.short(at + 32)),
  };
}

interface Extra {
  readonly at: number;
  readonly length: number;
}

function extras(source: Bytes, from: number, length: number): Map<number, Extra> {
  const found = new Map<number, Extra>();
  for (let at = from; at + 4 <= from + length; at += 4 + source.short(at + 2)) found.set(source.short(at), { at: at + 4, length: source.short(at + 2) });
  return found;
}

/** Numbers that don't fit stand in the extra field, in this order. */
function wideSizes(source: Bytes, extra: Extra | undefined, values: readonly number[]): number[] {
  let at = extra?.at ?? 0;
  return values.map((value) => {
    if (value !== 0xffffffff || !extra || at + 8 > extra.at + extra.length) return value;
    at += 8;
    return source.wide(at - 8);
  });
}

/** Where the member's bytes begin. */
export function contentStart(bytes: Uint8Array, { offset }: ZipEntry): number {
  const source = new Bytes(bytes);
  if (offset + LOCAL_SIZE > bytes.length || source.long(offset) !== LOCAL) throw new NoZip();
  return offset + LOCAL_SIZE + source.short(offset + 26) + source.short(offset + 28);
}

/** Wall-clock seconds. */
function dosTime(date: number, time: number): number {
  return Date.UTC(1980 + (date >> 9), ((date >> 5) & 15) - 1, date & 31, time >> 11, (time >> 5) & 63, (time & 31) * 2) / 1000;
}

// --- writing

function record(length: number, fields: readonly (readonly [at: number, size: 1 | 2 | 4, value: number])[], ...tails: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(length + tails.reduce((sum, tail) => sum + tail.length, 0));
  const view = new DataView(bytes.buffer);
  for (const [at, size, value] of fields) {
    if (size === 1) view.setUint8(at, value);
    else if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
  }
  let at = length;
  for (const tail of tails) {
    bytes.set(tail, at);
    at += tail.length;
  }
  return bytes;
}

/** Date and time as DOS had them, of wall-clock seconds. */
function dosWords(wall: number): [date: number, time: number] {
  const moment = new Date(Math.max(wall, 315532800) * 1000);
  const date = ((moment.getUTCFullYear() - 1980) << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate();
  return [date, (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1)];
}

function timesField(time: number): Uint8Array {
  return record(9, [[0, 2, TIMES], [2, 2, 5], [4, 1, 1], [5, 4, time >>> 0]]);
}

const flagsOf = (name: Uint8Array): number => (native.bytes.isAscii(name) ? 0 : UTF8);

export function localHeader(entry: ZipEntry, wall: number): Uint8Array {
  const name = native.text.encode(entry.name);
  const [date, time] = dosWords(wall);
  const extra = timesField(entry.time);
  return record(LOCAL_SIZE, [
    [0, 4, LOCAL], [4, 2, entry.method === Method.deflated ? 20 : 10], [6, 2, flagsOf(name)], [8, 2, entry.method], [10, 2, time], [12, 2, date],
    [14, 4, entry.crc], [18, 4, entry.packed], [22, 4, entry.size], [26, 2, name.length], [28, 2, extra.length],
  ], name, extra);
}

export function centralHeader(entry: ZipEntry, wall: number): Uint8Array {
  const [name, comment] = [native.text.encode(entry.name), native.text.encode(entry.comment)];
  const [date, time] = dosWords(wall);
  const extra = timesField(entry.time);
  const directory = entry.name.endsWith("/") ? 0x10 : 0;
  return record(CENTRAL_SIZE, [
    [0, 4, CENTRAL], [4, 1, 30], [5, 1, UNIX], [6, 2, entry.method === Method.deflated ? 20 : 10], [8, 2, flagsOf(name)], [10, 2, entry.method], [12, 2, time], [14, 2, date],
    [16, 4, entry.crc], [20, 4, entry.packed], [24, 4, entry.size], [28, 2, name.length], [30, 2, extra.length], [32, 2, comment.length],
    [38, 4, ((entry.mode << 16) | directory) >>> 0], [42, 4, entry.offset],
  ], name, extra, comment);
}

export function endRecord(count: number, size: number, offset: number, comment: string): Uint8Array {
  const text = native.text.encode(comment);
  return record(END_SIZE, [[0, 4, END], [8, 2, count], [10, 2, count], [12, 4, size], [16, 4, offset], [20, 2, text.length]], text);
}

/** How much smaller, in whole percent. */
export function saved(size: number, packed: number): number {
  return size === 0 ? 0 : Math.round((100 * (size - packed)) / size);
}
