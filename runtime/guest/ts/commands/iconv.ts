import { CHARSET_NAMES, charsetOf, type Charset } from "./charsets";
import { command, complain, Failure } from "./command";
import { close, openReader, openWriter } from "./files";
import { joinedBytes } from "../bridge/bytes";
import { describeErrno } from "../shell/io/errors";
import type { Reader } from "../shell/io/reader";
import type { Writer } from "../shell/io/writer";
import type { Process } from "../shell/process";
import { Errno } from "../vfs/errors";
import { bytewise } from "./locale";
import { transliterated } from "./transliteration";

const NEWLINE = 10;

interface Conversion {
  readonly from: Charset;
  readonly to: Charset;
  /** What `to` has not is left out, or written in other characters. */
  readonly omits: boolean;
  readonly writes: boolean;
  /** Also what `from` has not is left out, and that is no failure. */
  readonly quiet: boolean;
}

/** `NAME//TRANSLIT//IGNORE`; the locale's encoding where there is no name. */
function parse(process: Process, text = ""): { charset: Charset; suffixes: string[] } {
  const [name = "", ...suffixes] = text.split(/\/+/).filter((part, index) => index === 0 || part !== "");
  const charset = charsetOf(name === "" ? (bytewise(process) ? "ASCII" : "UTF-8") : name);
  if (!charset) throw new Failure("failed to start conversion processing: No such file or directory");
  return { charset, suffixes: suffixes.map((suffix) => suffix.toUpperCase()) };
}

function isLone(character: string): boolean {
  return character.length === 1 && character >= "\ud800" && character <= "\udfff";
}

/** Where the first character is that cannot be converted. */
function faultOf(text: string, { to, writes }: Conversion): number | undefined {
  for (const { 0: character, index } of text.matchAll(to.beyond)) if (!writes || isLone(character)) return index;
  return undefined;
}

/** What `to` has of the text, or has other characters for. */
function converted(text: string, { to, writes }: Conversion): Uint8Array {
  const written = (character: string): string => (writes && !isLone(character) ? transliterated(character, to.has) : "");
  return to.encode(text.replace(to.beyond, written));
}

/** Whole lines of the file, as many as are at hand; all of it where lines are not told by bytes. */
async function* pieces(reader: Reader, isWide: boolean): AsyncGenerator<Uint8Array> {
  if (isWide) {
    yield (await reader.all()).slice();
    return;
  }
  let rest = new Uint8Array(0);
  for (let chunk = await reader.chunk(); chunk.length > 0; chunk = await reader.chunk()) {
    const joined = joinedBytes([rest, chunk]);
    const end = joined.lastIndexOf(NEWLINE) + 1;
    if (end > 0) yield joined.subarray(0, end);
    rest = joined.slice(end);
  }
  yield rest;
}

/** Whether all of it could be converted. */
async function convert(process: Process, writer: Writer, reader: Reader, conversion: Conversion): Promise<boolean> {
  const { from, omits, quiet } = conversion;
  const failed = async (message: string): Promise<boolean> => {
    await writer.flush();
    complain(process, message);
    return false;
  };
  let [before, isWhole] = [0, true];
  for await (const bytes of pieces(reader, from.isWide)) {
    const text = from.decode(bytes);
    const fault = faultOf(text, conversion);
    const ends = fault !== undefined && !omits;
    await writer.write(converted(ends ? text.slice(0, fault) : text, conversion));
    if (from.isCut(bytes) && (fault === undefined || text.length - fault <= 3)) return failed("incomplete character or shift sequence at end of buffer");
    if (ends) return failed(illegal(before + from.encode(text.slice(0, fault)).length));
    if (fault !== undefined) isWhole = quiet;
    before += bytes.length;
    await process.pause();
  }
  return isWhole || failed(illegal(before));
}

function illegal(position: number): string {
  return `illegal input sequence at position ${position}`;
}

/** The file; undefined, after a message, where there is none. */
function input(process: Process, name: string): Reader | undefined {
  try {
    return openReader(process, name);
  } catch (error) {
    if (error instanceof Errno && error.code === "EISDIR") throw new Failure(`error while reading the input: ${describeErrno(error)}`);
    complain(process, `cannot open input file \`${name}': ${describeErrno(error)}`);
    return undefined;
  }
}

async function convertFile(process: Process, writer: Writer, name: string, conversion: Conversion): Promise<boolean> {
  const reader = input(process, name);
  if (!reader) return false;
  const isWhole = await convert(process, writer, reader, conversion);
  if (reader !== process.stdin) close(reader);
  return isWhole;
}

export const iconv = command({
  name: "iconv",
  usage: "[OPTION]... [FILE]...",
  about: "Convert the encoding of each FILE, or of standard input.",
  options: {
    from: ["-f, --from-code=NAME", "the encoding of the input, UTF-8 if not given"],
    to: ["-t, --to-code=NAME[//TRANSLIT][//IGNORE]", "the encoding of the output; what it has not is written in other characters, or left out"],
    omit: ["-c", "leave out what cannot be converted"],
    list: ["-l, --list", "list the encodings"],
    output: ["-o, --output=FILE", "write to FILE, not to standard output"],
    silent: ["-s, --silent", "ignored"],
    verbose: ["--verbose", "ignored"],
  },
  failure: 1,
  async run(process, options, operands) {
    if (options.has("list")) {
      process.stdout.print(CHARSET_NAMES.map((names) => `${names.replaceAll(" ", "// ")}//\n`).join(""));
      return 0;
    }
    const { charset: from } = parse(process, options.value("from"));
    const { charset: to, suffixes } = parse(process, options.value("to"));
    const quiet = options.has("omit");
    const conversion = { from, to, omits: quiet || suffixes.includes("IGNORE"), writes: suffixes.includes("TRANSLIT"), quiet };
    const output = options.value("output");
    const writer = output === undefined ? process.stdout : openWriter(process, output);
    if (to.mark !== "") await writer.write(to.encode(to.mark));
    let status = 0;
    for (const name of operands.length > 0 ? operands : ["-"]) {
      if (!(await convertFile(process, writer, name, conversion))) status = 1;
    }
    if (writer !== process.stdout) close(writer);
    return status;
  },
});
