/** What the bytes of a file say about its kind, in file(1)'s words. */

import { native } from "../bridge/native";

/** Where the bytes are, what they are (as characters of one byte each), the kind, and its MIME type. */
type Magic = readonly [offset: number, bytes: string, words: string, mime: string];

const MAGIC: readonly Magic[] = [
  [0, "\x89PNG\r\n\x1a\n", "PNG image data", "image/png"],
  [0, "\xff\xd8\xff", "JPEG image data", "image/jpeg"],
  [0, "GIF87a", "GIF image data, version 87a", "image/gif"],
  [0, "GIF89a", "GIF image data, version 89a", "image/gif"],
  [0, "BM", "PC bitmap", "image/bmp"],
  [0, "II*\0", "TIFF image data, little-endian", "image/tiff"],
  [0, "MM\0*", "TIFF image data, big-endian", "image/tiff"],
  [8, "WEBP", "RIFF (little-endian) data, Web/P image", "image/webp"],
  [8, "WAVE", "RIFF (little-endian) data, WAVE audio", "audio/x-wav"],
  [8, "AVI ", "RIFF (little-endian) data, AVI", "video/x-msvideo"],
  [0, "%PDF-", "PDF document", "application/pdf"],
  [0, "\x1f\x8b", "gzip compressed data", "application/gzip"],
  [0, "BZh", "bzip2 compressed data", "application/x-bzip2"],
  [0, "\xfd7zXZ\0", "XZ compressed data", "application/x-xz"],
  [0, "(\xb5/\xfd", "Zstandard compressed data (v0.8+)", "application/zstd"],
  [0, "7z\xbc\xaf\x27\x1c", "7-zip archive data, version 0.4", "application/x-7z-compressed"],
  [0, "PK\x03\x04", "Zip archive data", "application/zip"],
  [0, "PK\x05\x06", "Zip archive data (empty)", "application/zip"],
  [0, "Rar!\x1a\x07", "RAR archive data", "application/x-rar"],
  [257, "ustar  \0", "POSIX tar archive (GNU)", "application/x-tar"],
  [257, "ustar\0", "POSIX tar archive", "application/x-tar"],
  [0, "!<arch>\n", "current ar archive", "application/x-archive"],
  [0, "070701", "ASCII cpio archive (SVR4 with no CRC)", "application/x-cpio"],
  [0, "070702", "ASCII cpio archive (SVR4 with CRC)", "application/x-cpio"],
  [0, "070707", "ASCII cpio archive (pre-SVR4 or odc)", "application/x-cpio"],
  [0, "\0asm\x01\0\0\0", "WebAssembly (wasm) binary module version 0x1 (MVP)", "application/wasm"],
  [0, "SQLite format 3\0", "SQLite 3.x database", "application/vnd.sqlite3"],
  [0, "OggS", "Ogg data", "application/ogg"],
  [0, "fLaC", "FLAC audio bitstream data", "audio/flac"],
  [0, "ID3", "Audio file with ID3", "audio/mpeg"],
  [4, "ftyp", "ISO Media", "video/mp4"],
  [0, "\xca\xfe\xba\xbe", "compiled Java class data", "application/x-java-applet"],
  [0, "MZ", "MS-DOS executable", "application/x-dosexec"],
  [0, "wOFF", "Web Open Font Format", "font/woff"],
  [0, "wOF2", "Web Open Font Format (Version 2)", "font/woff2"],
];

export interface Kind {
  readonly words: string;
  readonly mime: string;
  readonly charset: string;
}

const binary = (words: string, mime: string): Kind => ({ words, mime, charset: "binary" });

/** Bytes that are looked at. */
export const SAMPLE = 64 * 1024;

export function kindOf(bytes: Uint8Array): Kind {
  const head = native.bytes.latin1Decode(bytes.subarray(0, 512));
  if (head.startsWith("\x7fELF")) return elf(head);
  for (const [offset, magic, words, mime] of MAGIC) {
    if (head.startsWith(magic, offset)) return binary(words + details(words, bytes), mime);
  }
  return textKind(bytes) ?? binary("data", "application/octet-stream");
}

const MACHINES: Readonly<Record<number, string>> = { 3: "Intel 80386", 40: "ARM", 62: "x86-64", 183: "ARM aarch64", 243: "UCB RISC-V" };
const ELF_TYPES: Readonly<Record<number, string>> = { 1: "relocatable", 2: "executable", 3: "shared object", 4: "core file" };

function elf(head: string): Kind {
  const byte = (at: number): number => head.charCodeAt(at) || 0;
  const order = byte(5) === 2 ? "MSB" : "LSB";
  const type = ELF_TYPES[byte(5) === 2 ? byte(17) : byte(16)] ?? "object";
  const machine = MACHINES[byte(5) === 2 ? byte(19) : byte(18)];
  return binary(`ELF ${byte(4) === 1 ? 32 : 64}-bit ${order} ${type}${machine ? `, ${machine}` : ""}, version 1 (SYSV)`, "application/x-executable");
}

/** What some kinds say about themselves. */
function details(words: string, bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (words.startsWith("PNG") && bytes.length >= 29) {
    const color = ["grayscale", "", "RGB", "colormap", "gray+alpha", "", "RGBA"][bytes[25]!] ?? "";
    return `, ${view.getUint32(16)} x ${view.getUint32(20)}, ${bytes[24]}-bit${bytes[25] === 6 ? "/color RGBA" : bytes[25] === 2 ? "/color RGB" : ` ${color}`}, ${bytes[28] ? "" : "non-"}interlaced`;
  }
  if (words.startsWith("GIF") && bytes.length >= 10) return `, ${view.getUint16(6, true)} x ${view.getUint16(8, true)}`;
  if (words.startsWith("PDF")) return `, version ${/%PDF-(\d\.\d)/.exec(native.bytes.latin1Decode(bytes.subarray(0, 16)))?.[1] ?? "?"}`;
  return "";
}

const LONG_LINE = 300;
/** Bytes that no text has. */
const CONTROL = /[\0-\x06\x0e-\x1a\x1c-\x1f\x7f]/;

function textKind(bytes: Uint8Array): Kind | undefined {
  const marks = native.bytes.latin1Decode(bytes.subarray(0, 3));
  if (marks.startsWith("\xff\xfe")) return { words: "Unicode text, UTF-16, little-endian text", mime: "text/plain", charset: "utf-16le" };
  if (marks.startsWith("\xfe\xff")) return { words: "Unicode text, UTF-16, big-endian text", mime: "text/plain", charset: "utf-16be" };
  const ascii = native.bytes.isAscii(bytes);
  const utf8 = ascii || isUtf8(bytes);
  const text = utf8 ? native.text.decode(bytes) : native.bytes.latin1Decode(bytes);
  if (CONTROL.test(text) || (!utf8 && /[\x80-\x9f]/.test(text))) return undefined;
  const mark = marks === "\xef\xbb\xbf";
  const encoding = ascii ? "ASCII text" : utf8 ? `Unicode text, UTF-8${mark ? " (with BOM)" : ""} text` : "ISO-8859 text";
  const charset = ascii ? "us-ascii" : utf8 ? "utf-8" : "iso-8859-1";
  const [words, mime] = language(mark ? text.slice(1) : text, encoding);
  return { words: words + lineNotes(text, words), mime, charset };
}

/** A sample may end within a character. */
function isUtf8(bytes: Uint8Array): boolean {
  const cuts = bytes.length < SAMPLE ? [0] : [0, 1, 2, 3];
  return cuts.some((cut) => native.bytes.isUtf8(bytes.subarray(0, bytes.length - cut)));
}

/** Programs that scripts name in their first line; {} is the encoding. */
const SCRIPTS: Readonly<Record<string, readonly [string, string]>> = {
  sh: ["POSIX shell script, {} executable", "text/x-shellscript"],
  bash: ["Bourne-Again shell script, {} executable", "text/x-shellscript"],
  zsh: ["Paul Falstad's zsh script, {} executable", "text/x-shellscript"],
  python: ["Python script, {} executable", "text/x-script.python"],
  perl: ["Perl script text executable", "text/x-perl"],
  ruby: ["Ruby script, {} executable", "text/x-ruby"],
  node: ["Node.js script executable, {}", "application/javascript"],
  awk: ["awk script, {} executable", "text/x-awk"],
};

/** Texts that can be told by what is in them. */
const LANGUAGES: readonly (readonly [pattern: RegExp, words: string, mime: string])[] = [
  [/^\s*<\?xml\b/, "XML 1.0 document, {}", "text/xml"],
  [/^\s*(?:<!doctype html|<html\b|<head\b)/i, "HTML document, {}", "text/html"],
  [/^diff |^--- .*\n\+\+\+ /m, "unified diff output, {}", "text/x-diff"],
  [/^#\s*include\b/m, "C source, {}", "text/x-c"],
  [/^(?:import|from) \w[^]*^\s*def \w+\(/m, "Python script, {} executable", "text/x-script.python"],
];

function language(text: string, encoding: string): readonly [string, string] {
  const [, program, argument] = /^#! ?(\S+)[ \t]*(\S*)/.exec(text) ?? [];
  if (program !== undefined) {
    const name = (program.endsWith("/env") && argument ? argument : program).replace(/^.*\//, "");
    const [words, mime] = SCRIPTS[name.replace(/[\d.]+$/, "")] ?? [`a ${program}${argument ? ` ${argument}` : ""} script, {} executable`, "text/plain"];
    return [words.replace("{}", encoding), mime];
  }
  const known = LANGUAGES.find(([pattern]) => pattern.test(text));
  if (known) return [known[1].replace("{}", encoding), known[2]];
  if (/^\s*[[{]/.test(text) && isJson(text)) return ["JSON text data", "application/json"];
  return csvColumns(text) ? ["CSV text", "text/csv"] : [encoding, "text/plain"];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** At least three lines with the same number of commas. */
function csvColumns(text: string): boolean {
  const lines = text.split("\n").slice(0, 10).filter((line) => line !== "");
  if (lines.length < 2 || !lines[0]!.includes(",")) return false;
  const count = (line: string): number => line.replace(/"(?:[^"]|"")*"/g, "").split(",").length;
  return lines.every((line) => count(line) === count(lines[0]!)) && lines.length >= 3;
}

function lineNotes(text: string, words: string): string {
  if (words.startsWith("JSON") || words.startsWith("CSV")) return "";
  const notes: string[] = [];
  const longest = text.split(/\r\n|\n|\r/).reduce((most, line) => Math.max(most, line.length), 0);
  if (longest > LONG_LINE) notes.push(`with very long lines (${longest})`);
  const crlf = text.includes("\r\n");
  const lf = /(?:^|[^\r])\n/.test(text);
  const cr = /\r(?!\n)/.test(text);
  const ends = [...(crlf ? ["CRLF"] : []), ...(cr ? ["CR"] : []), ...(lf ? ["LF"] : [])];
  if (ends.length === 0) notes.push("with no line terminators");
  else if (ends.length > 1 || ends[0] !== "LF") notes.push(`with ${ends.join(", ")} line terminators`);
  if (text.includes("\x1b")) notes.push("with escape sequences");
  if (text.includes("\b")) notes.push("with overstriking");
  return notes.map((note) => `, ${note}`).join("");
}
