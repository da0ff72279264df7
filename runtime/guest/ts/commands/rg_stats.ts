/** What a search tells of itself: --json and --stats. */

import { native } from "../bridge/native";
import type { Maybe } from "../shell/io/maybe";
import type { Writer } from "../shell/io/writer";

/** Counts of one file, or of all. */
export class Stats {
  private readonly start = native.clock.now();
  searches = 0;
  withMatch = 0;
  searched = 0;
  printed = 0;
  lines = 0;
  matches = 0;

  add(other: Stats): void {
    for (const key of ["searches", "withMatch", "searched", "printed", "lines", "matches"] as const) this[key] += other[key];
  }

  /** Since it was made. */
  get milliseconds(): number {
    return native.clock.now() - this.start;
  }

  get record(): Readonly<Record<string, unknown>> {
    return {
      elapsed: elapsed(this.milliseconds), searches: this.searches, searches_with_match: this.withMatch, bytes_searched: this.searched,
      bytes_printed: this.printed, matched_lines: this.lines, matches: this.matches,
    };
  }

  /** As --stats prints it. */
  text(whole: number): string {
    const seconds = (ms: number): string => (ms / 1000).toFixed(6);
    return `
${this.matches} matches
${this.lines} matched lines
${this.withMatch} files contained matches
${this.searches} files searched
${this.printed} bytes printed
${this.searched} bytes searched
${seconds(this.milliseconds)} seconds spent searching
${seconds(whole)} seconds
`;
  }
}

function elapsed(ms: number): Readonly<Record<string, unknown>> {
  const nanos = Math.round(ms * 1e6);
  return { secs: Math.floor(nanos / 1e9), nanos: nanos % 1e9, human: `${(ms / 1000).toFixed(6)}s` };
}

/** Text as it is, and other bytes in base64. */
function shown(bytes: Uint8Array): { readonly text: string } | { readonly bytes: string } {
  const text = native.text.decode(bytes);
  return native.bytes.utf8Length(text) === bytes.length && !text.includes("\ufffd") ? { text } : { bytes: native.bytes.base64Encode(bytes) };
}

/** A line, or the lines that a match goes over. */
export interface Found {
  readonly bytes: Uint8Array;
  readonly number: number;
  readonly offset: number;
  /** Whether an end of line follows the bytes. */
  readonly ended: boolean;
}

/** The messages of --json about one file. */
export class JsonReport {
  private begun = false;
  private readonly path: object;

  constructor(
    private readonly out: Writer,
    name: string,
    private readonly stats: Stats,
  ) {
    this.path = { text: name };
  }

  async line(kind: "match" | "context", { bytes, number, offset, ended }: Found, matches: readonly (readonly number[])[]): Promise<void> {
    if (!this.begun) await this.put({ type: "begin", data: { path: this.path } });
    this.begun = true;
    const whole = new Uint8Array(bytes.length + (ended ? 1 : 0));
    whole.set(bytes);
    if (ended) whole[bytes.length] = 10;
    const submatches = matches.map(([start, end]) => ({ match: shown(bytes.subarray(start, end)), start, end }));
    await this.put({ type: kind, data: { path: this.path, lines: shown(whole), line_number: number, absolute_offset: offset, submatches } });
  }

  end(): Maybe<void> {
    if (this.begun) return this.out.write(`${JSON.stringify({ type: "end", data: { path: this.path, binary_offset: null, stats: this.stats.record } })}\n`);
  }

  private put(message: object): Maybe<void> {
    const text = `${JSON.stringify(message)}\n`;
    this.stats.printed += native.bytes.utf8Length(text);
    return this.out.write(text);
  }
}

/** Its keys are in order, unlike those of the other messages. */
export function jsonSummary(stats: Stats, whole: number): string {
  return `${JSON.stringify(sorted({ data: { elapsed_total: elapsed(whole), stats: stats.record }, type: "summary" }))}\n`;
}

function sorted(record: object): object {
  const entries = Object.entries(record).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, value]) => [key, typeof value === "object" ? sorted(value as object) : value] as const));
}
