import { native } from "../bridge/native";
import type { Maybe } from "../shell/io/maybe";
import type { Reader } from "../shell/io/reader";
import { Killed } from "../shell/io/signals";
import { Writer } from "../shell/io/writer";
import type { Process } from "../shell/process";
import { createPipe } from "../vfs/pipe";
import { command, Failure } from "./command";
import { close, openWriter } from "./files";
import { type Options, UsageFault } from "./options";
import { demandSize, OUT_OF_RANGE, quoted } from "./sizes";
import { byteEnds, dealt, lineEnds, pieces } from "./split_chunks";
import { Names } from "./split_names";
import { nameQuoted, nameShown } from "./quoting";
import { openForReading, orFail } from "./named";

const TABLE = {
  suffixLength: ["-a, --suffix-length=N", "suffixes have N characters, at first 2"],
  additional: ["--additional-suffix=SUFFIX", "end names in SUFFIX"],
  bytes: ["-b, --bytes=SIZE", "put SIZE bytes in each file"],
  lineBytes: ["-C, --line-bytes=SIZE", "put at most SIZE bytes of whole lines in each file"],
  numeric: ["-d", "suffixes are numbers"],
  numericFrom: ["--numeric-suffixes[=FROM]", "as -d, from FROM on"],
  hex: ["-x", "suffixes are hexadecimal numbers"],
  hexFrom: ["--hex-suffixes[=FROM]", "as -x, from FROM on"],
  noEmpty: ["-e, --elide-empty-files", "with -n, leave out empty files"],
  lines: ["-l, --lines=NUMBER", "put NUMBER lines in each file, not 1000"],
  chunks: ["-n, --number=CHUNKS", "make N files; K/N prints one; l/N keeps lines whole; r/N deals lines out in turn"],
  separator: ["-t, --separator=SEP", "lines end in SEP"],
  filter: ["--filter=COMMAND", "give the pieces to this command of the shell, which finds the file's name in $FILE"],
  unbuffered: ["-u, --unbuffered", "ignored"],
  verbose: ["--verbose", "tell of each file"],
} as const;

type Given = Options<typeof TABLE>;

function namesOf(options: Given, prefix: string, files: number | undefined): Names {
  const kind = options.last("numeric", "numericFrom", "hex", "hexFrom");
  const start = kind && options.order.findLast(({ key }) => key === kind)!.value;
  const digits = kind === undefined ? "abcdefghijklmnopqrstuvwxyz" : kind.startsWith("hex") ? "0123456789abcdef" : "0123456789";
  const from = start === undefined ? 0 : Number.parseInt(start, digits.length);
  if (Number.isNaN(from)) throw new Failure(`${quoted(start!)}: invalid start value for numerical suffix`);
  const length = options.value("suffixLength") ?? "0";
  if (!/^\d+$/.test(length)) throw new Failure(`invalid suffix length: ${quoted(length)}`);
  const needed = files === undefined ? 0 : Math.ceil(Math.log(from + files) / Math.log(digits.length) - 1e-9);
  if (Number(length) > 0 && needed > Number(length)) throw new Failure(`the suffix length needs to be at least ${needed}`);
  return new Names({
    prefix,
    additional: options.value("additional") ?? "",
    digits,
    from,
    length: Number(length) || Math.max(2, needed, start?.length ?? 0),
    grows: length === "0" && start === undefined && files === undefined,
  });
}

/** The output: a file at a time. */
class Output {
  private writer: Writer | undefined;
  private command: { readonly name: string; readonly status: Maybe<number> } | undefined;

  constructor(
    private readonly process: Process,
    private readonly names: Names,
    private readonly verbose: boolean,
    private readonly filter: string | undefined,
  ) {}

  /** The next file begins with what is written next. */
  async finish(): Promise<void> {
    if (this.writer) close(this.writer);
    this.writer = undefined;
    const { command } = this;
    this.command = undefined;
    const status = await command?.status;
    if (!status) return;
    const how = status > 128 ? `signal ${status - 128}` : `exit ${status}`;
    throw new Failure(`with FILE=${command!.name}, ${how} from command: ${this.filter!}`, status);
  }

  open(): Writer {
    const name = this.names.next();
    if (this.verbose) this.process.stdout.print(`${this.filter === undefined ? `creating file ${nameQuoted(name)}` : `executing with FILE=${name}`}\n`);
    if (this.filter !== undefined) return (this.writer = this.start(this.filter, name));
    return (this.writer = orFail(nameShown(name), () => openWriter(this.process, name)));
  }

  /** Runs the command that takes the file's bytes. */
  private start(filter: string, name: string): Writer {
    const [read, write] = createPipe();
    write.references += 1;
    const env = new Map(this.process.env).set("FILE", name);
    this.command = { name, status: this.process.shell(filter, "sh", [], { stdin: read, env }) };
    return new Writer(write);
  }

  async write(bytes: Uint8Array): Promise<void> {
    try {
      await (this.writer ?? this.open()).write(bytes);
    } catch (error) {
      if (!this.command || !(error instanceof Killed)) throw error; // the command needs no more
    }
  }
}

async function splitLines(reader: Reader, output: Output, count: number, end: number): Promise<void> {
  let left = count;
  for (let chunk = await reader.chunk(); chunk.length > 0; chunk = await reader.chunk()) {
    const bytes = chunk.slice();
    let start = 0;
    for (let at = bytes.indexOf(end); at >= 0; at = bytes.indexOf(end, at + 1)) {
      left -= 1;
      if (left > 0) continue;
      await output.write(bytes.subarray(start, at + 1));
      await output.finish();
      start = at + 1;
      left = count;
    }
    if (start < bytes.length) await output.write(bytes.subarray(start));
  }
}

async function splitBytes(reader: Reader, output: Output, size: number): Promise<void> {
  let left = size;
  for (let chunk = await reader.chunk(Math.min(left, 65536)); chunk.length > 0; chunk = await reader.chunk(Math.min(left, 65536))) {
    left -= chunk.length;
    await output.write(chunk);
    if (left > 0) continue;
    await output.finish();
    left = size;
  }
}

/** A line that is longer than the size is cut. */
async function splitLineBytes(reader: Reader, output: Output, size: number, end: number): Promise<void> {
  let left = size;
  for (let line = await reader.lineBytes(end); line.length > 0; line = await reader.lineBytes(end)) {
    let rest = line.slice();
    if (rest.length > left && left < size) {
      await output.finish();
      left = size;
    }
    for (; rest.length > left; rest = rest.subarray(left), left = size) {
      await output.write(rest.subarray(0, left));
      await output.finish();
    }
    if (rest.length > 0) await output.write(rest);
    left -= rest.length;
  }
}

interface Chunks {
  readonly kind: string;
  /** The one to print, counted from 1. */
  readonly only: number | undefined;
  readonly count: number;
}

function parseChunks(text: string): Chunks {
  const [, kind, only, count] = /^(?:([lr])\/)?(?:\s*\+?(\d+)\/)?\s*\+?(\d+)$/.exec(text) ?? [];
  if (count === undefined || Number(count) === 0) throw new Failure(`invalid number of chunks: ${quoted(text)}${Number(count) === 0 ? OUT_OF_RANGE : ""}`);
  if (only !== undefined && (Number(only) === 0 || Number(only) > Number(count))) throw new Failure(`invalid chunk number: ${quoted(only)}`);
  return { kind: kind ?? "", only: only === undefined ? undefined : Number(only), count: Number(count) };
}

async function splitChunks(process: Process, reader: Reader, output: Output, { kind, only, count }: Chunks, end: number, noEmpty: boolean): Promise<void> {
  const bytes = (await reader.all()).slice();
  const parts = kind === "r" ? dealt(bytes, count, end) : pieces(bytes, kind === "l" ? lineEnds(bytes, count, end) : byteEnds(bytes.length, count));
  if (only !== undefined) {
    for (const piece of parts[only - 1]!) await process.stdout.write(piece);
    return;
  }
  for (const part of parts) {
    if (noEmpty && part.every(({ length }) => length === 0)) continue;
    output.open();
    for (const piece of part) await output.write(piece);
    await output.finish();
  }
}

function separatorOf(options: Given): number {
  const text = options.value("separator");
  if (text === undefined) return 10;
  if (text === "\\0") return 0;
  const bytes = native.text.encode(text);
  if (bytes.length === 0) throw new Failure("empty record separator");
  if (bytes.length > 1) throw new Failure(`multi-character separator ${quoted(text)}`);
  return bytes[0]!;
}

function demand(options: Given, key: "bytes" | "lineBytes" | "lines"): number {
  const complaint = `invalid number of ${key === "lines" ? "lines" : "bytes"}`;
  const size = demandSize(options.value(key)!, complaint);
  if (size === 0) throw new Failure(`${complaint}: ${quoted(options.value(key)!)}${OUT_OF_RANGE}`);
  return size;
}

export const split = command({
  name: "split",
  usage: "[OPTION]... [FILE [PREFIX]]",
  about: "Write pieces of FILE, or of standard input, to PREFIXaa, PREFIXab and so on; PREFIX is x unless told otherwise.",
  options: TABLE,
  digits: "lines",
  async run(process, options, operands) {
    if (operands.length > 2) throw new UsageFault(`extra operand ${quoted(operands[2]!)}`);
    const kinds = new Set(options.order.map(({ key }) => key).filter((key) => ["bytes", "lineBytes", "lines", "chunks"].includes(key)));
    if (kinds.size > 1) throw new UsageFault("cannot split in more than one way");
    const end = separatorOf(options);
    const chunks = options.has("chunks") ? parseChunks(options.value("chunks")!) : undefined;
    const names = namesOf(options, operands[1] ?? "x", chunks?.count);
    const reader = openForReading(process, operands[0] ?? "-");
    const output = new Output(process, names, options.has("verbose"), options.value("filter"));
    if (chunks?.only !== undefined && options.has("filter")) throw new UsageFault("--filter does not process a chunk extracted to stdout");
    if (chunks) await splitChunks(process, reader, output, chunks, end, options.has("noEmpty"));
    else if (options.has("bytes")) await splitBytes(reader, output, demand(options, "bytes"));
    else if (options.has("lineBytes")) await splitLineBytes(reader, output, demand(options, "lineBytes"), end);
    else await splitLines(reader, output, options.has("lines") ? demand(options, "lines") : 1000, end);
    await output.finish();
    return 0;
  },
});
