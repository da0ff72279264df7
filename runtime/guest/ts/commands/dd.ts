import { joinedBytes } from "../bridge/bytes";
import { native } from "../bridge/native";
import { describeErrno } from "../shell/io/errors";
import { Reader } from "../shell/io/reader";
import { Writer } from "../shell/io/writer";
import type { Process } from "../shell/process";
import { Errno } from "../vfs/errors";
import { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_TRUNC, O_WRONLY } from "../vfs/flags";
import { S_IFIFO, S_IFMT } from "../vfs/inode";
import { open } from "../vfs/open";
import { type OpenFile, OpenRegular } from "../vfs/openfile";
import { command, complain, Failure } from "./command";
import { conversions, Records } from "./dd_convert";
import { type Operands, parseOperands } from "./dd_operands";
import { close } from "./files";
import { nameQuoted } from "./quoting";
import { orFail } from "./named";

function opened(process: Process, name: string, flags: number): OpenFile {
  const file = orFail(`failed to open ${nameQuoted(name)}`, () => open(process.context, name, flags, 0o666));
  file.references += 1;
  return file;
}

function outputFlags({ conversions: wanted, outputFlags: flags, seek }: Operands): number {
  const creates = wanted.has("nocreat") ? 0 : O_CREAT;
  const truncates = wanted.has("notrunc") || seek > 0 ? 0 : O_TRUNC;
  return O_WRONLY | creates | truncates | (wanted.has("excl") ? O_EXCL : 0) | (flags.has("append") ? O_APPEND : 0);
}

class Copy {
  private readonly convert;
  private readonly records: Records | undefined;
  private pending = new Uint8Array(0);
  private readonly counts = { wholeIn: 0, partIn: 0, wholeOut: 0, partOut: 0, bytes: 0 };
  private readonly started = native.clock.monotonic();

  constructor(
    private readonly process: Process,
    private readonly operands: Operands,
    private readonly reader: Reader,
    private readonly writer: Writer,
  ) {
    this.convert = conversions(operands);
    const kind = operands.conversions.has("block") ? "block" : operands.conversions.has("unblock") ? "unblock" : undefined;
    if (kind !== undefined && operands.conversionBlock > 0) this.records = new Records(kind, operands.conversionBlock);
  }

  async run(): Promise<number> {
    await this.skip();
    await this.seek();
    for (let left = this.operands.count; left > 0; ) {
      const most = this.operands.bytes.count ? Math.min(left, this.operands.inputBlock) : this.operands.inputBlock;
      const block = await this.read(most);
      if (block.length === 0) break;
      left -= this.operands.bytes.count ? block.length : 1;
      this.counts[block.length === this.operands.inputBlock ? "wholeIn" : "partIn"] += 1;
      await this.put(this.padded(block));
      await this.process.pause();
    }
    await this.finish();
    return 0;
  }

  /** A pipe's block may be short; other files are read until it is whole. */
  private async read(size: number): Promise<Uint8Array> {
    const isPipe = (this.reader.file.status().mode & S_IFMT) === S_IFIFO;
    let block: Uint8Array = await this.reader.chunk(size);
    if (block.length === size || block.length === 0 || (isPipe && !this.operands.inputFlags.has("fullblock"))) return block.slice();
    const whole = new Uint8Array(size);
    let filled = 0;
    for (; block.length > 0; block = filled < size ? await this.reader.chunk(size - filled) : block.subarray(0, 0)) {
      whole.set(block, filled);
      filled += block.length;
    }
    return whole.subarray(0, filled);
  }

  private padded(block: Uint8Array): Uint8Array {
    if (!this.operands.conversions.has("sync") || block.length === this.operands.inputBlock) return block;
    const whole = new Uint8Array(this.operands.inputBlock).fill(this.records ? 32 : 0);
    whole.set(block);
    return whole;
  }

  private async skip(): Promise<void> {
    const { skip, bytes, inputBlock, input } = this.operands;
    let left = bytes.skip ? skip : skip * inputBlock;
    if (left === 0) return;
    const { file } = this.reader;
    if (file instanceof OpenRegular) {
      const rest = file.status().size - file.seek(0, "current");
      file.seek(Math.min(left, rest), "current");
      left -= Math.min(left, rest);
    } else {
      for (let chunk = await this.reader.chunk(left); chunk.length > 0 && left > 0; chunk = left > 0 ? await this.reader.chunk(left) : chunk) left -= chunk.length;
    }
    if (left > 0 && this.operands.status !== "none") complain(this.process, `${input ?? "'standard input'"}: cannot skip to specified offset`);
  }

  /** What lies before stays; what lies behind goes, unless it is to stay. */
  private async seek(): Promise<void> {
    const { seek, bytes, outputBlock, conversions: wanted } = this.operands;
    const offset = bytes.seek ? seek : seek * outputBlock;
    const { file } = this.writer;
    if (offset === 0) return;
    try {
      const at = file.seek(offset, "current");
      if (!wanted.has("notrunc") && this.operands.output !== undefined) file.truncate(at);
    } catch (error) {
      if (!(error instanceof Errno)) throw error;
      for (let left = offset; left > 0; left -= outputBlock) await this.writer.write(new Uint8Array(Math.min(left, outputBlock)));
    }
  }

  private async put(block: Uint8Array): Promise<void> {
    const converted = this.convert(block);
    const bytes = this.records ? this.records.feed(converted) : converted;
    if (this.operands.together && !this.records) return this.write(bytes, this.operands.outputBlock);
    const whole = joinedBytes([this.pending, bytes]);
    const size = this.operands.outputBlock;
    let at = 0;
    for (; at + size <= whole.length; at += size) await this.write(whole.subarray(at, at + size), size);
    this.pending = whole.slice(at);
  }

  private async write(bytes: Uint8Array, size: number): Promise<void> {
    if (bytes.length === 0) return;
    try {
      await this.writer.write(bytes);
    } catch (error) {
      if (!(error instanceof Errno)) throw error;
      this.report();
      throw new Failure(`error writing '${this.operands.output ?? "standard output"}': ${describeErrno(error)}`);
    }
    this.counts.bytes += bytes.length;
    this.counts[bytes.length === size ? "wholeOut" : "partOut"] += 1;
  }

  private async finish(): Promise<void> {
    if (this.records) await this.put(new Uint8Array(0)).then(() => this.tail(this.records!.end()));
    await this.write(this.pending, this.operands.outputBlock);
    this.report();
  }

  private tail(bytes: Uint8Array): void {
    this.pending = Uint8Array.from([...this.pending, ...bytes]);
  }

  private report(): void {
    const { status } = this.operands;
    if (status === "none") return;
    const { wholeIn, partIn, wholeOut, partOut, bytes } = this.counts;
    let text = `${wholeIn}+${partIn} records in\n${wholeOut}+${partOut} records out\n`;
    const truncated = this.records?.truncated ?? 0;
    if (truncated > 0) text += `${truncated} truncated record${truncated === 1 ? "" : "s"}\n`;
    this.process.stderr.print(status === "noxfer" ? text : text + transfer(bytes, (native.clock.monotonic() - this.started) / 1000));
  }
}

function transfer(bytes: number, seconds: number): string {
  const units = bytes < 1000 ? "" : bytes < 1024 ? ` (${scaled(bytes, 1000, "B")})` : ` (${scaled(bytes, 1000, "B")}, ${scaled(bytes, 1024, "iB")})`;
  const rate = seconds > 0 ? `${scaled(bytes / seconds, 1000, "B")}/s` : "Infinity B/s";
  return `${bytes} byte${bytes === 1 ? "" : "s"}${units} copied, ${Number(seconds.toPrecision(6))} s, ${rate}\n`;
}

/** With one digit behind the point where there is one before it. */
function scaled(value: number, base: number, unit: string): string {
  const letters = base === 1000 ? "kMGTPE" : "KMGTPE";
  let power = 0;
  let rest = value;
  for (; rest >= base && power < letters.length; power += 1) rest /= base;
  const shown = rest < 9.95 ? rest.toFixed(1) : String(Math.round(rest));
  return power === 0 && value < 1000 ? `${(value / 1000).toFixed(1)} k${unit}` : `${shown} ${power > 0 ? letters[power - 1] : ""}${unit}`;
}

export const dd = command({
  name: "dd",
  usage: "[OPERAND]...",
  about: "Copy a file by blocks: if=FILE of=FILE bs=BYTES (or ibs, obs, cbs) count=N skip=N seek=N conv=LIST iflag=LIST oflag=LIST status=none|noxfer|progress.",
  options: {},
  async run(process, _options, args) {
    const operands = parseOperands(args);
    const reader = operands.input === undefined ? process.stdin : new Reader(opened(process, operands.input, O_RDONLY));
    const writer = operands.output === undefined ? process.stdout : new Writer(opened(process, operands.output, outputFlags(operands)));
    try {
      return await new Copy(process, operands, reader, writer).run();
    } finally {
      if (reader !== process.stdin) close(reader);
      if (writer !== process.stdout) close(writer);
    }
  },
});
