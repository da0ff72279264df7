/** Patches as read from a file: unified, context and normal, with the headers that name files. */

export interface HunkLine {
  readonly mark: " " | "-" | "+";
  /** With its end, unless the file has none there. */
  readonly text: string;
}

export interface Hunk {
  /** From 1; where lines would come behind for none. */
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly HunkLine[];
}

export interface FilePatch {
  readonly style: "unified" | "context" | "normal";
  /** As the headers have them, with the times behind a tab. */
  readonly oldHeader: string | undefined;
  readonly newHeader: string | undefined;
  readonly index: string | undefined;
  readonly renameFrom: string | undefined;
  readonly renameTo: string | undefined;
  /** Permissions of a new file. */
  readonly mode: number | undefined;
  readonly hunks: readonly Hunk[];
  /** Where its first hunk, or what stands for one, is in the input; from 1. */
  readonly line: number;
  /** What led up to it. */
  readonly leading: readonly string[];
}

/** The patch is none; ends the command with status 2. */
export class Malformed {
  constructor(readonly message: string) {}
}

const NO_END = "\\";
/** Empty lines at a patch's end that something may have cut off. */
const BLANKS_MOST = 2;
const UNIFIED = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const NORMAL = /^(\d+)(?:,(\d+))?([acd])(\d+)(?:,(\d+))?\s*$/;
const STARS = /^\*{15}/;
const CONTEXT_OLD = /^\*\*\* (\d+)(?:,(\d+))? \*\*\*\*/;
const CONTEXT_NEW = /^--- (\d+)(?:,(\d+))? ----/;

type Headers = { -readonly [K in keyof Omit<FilePatch, "style" | "hunks" | "line" | "leading">]: FilePatch[K] };

function noHeaders(): Headers {
  return { oldHeader: undefined, newHeader: undefined, index: undefined, renameFrom: undefined, renameTo: undefined, mode: undefined };
}

export class PatchParser {
  private at = 0;

  /** `lines` with their ends. */
  constructor(private readonly lines: readonly string[]) {}

  *patches(): Generator<FilePatch> {
    for (let patch = this.next(); patch; patch = this.next()) yield patch;
  }

  private next(): FilePatch | undefined {
    const headers = noHeaders();
    const from = this.at;
    for (; this.at < this.lines.length; this.at += 1) {
      const line = this.bare(this.at);
      const style = this.styleAt(line);
      const leading = (): string[] => this.lines.slice(from, this.at).map((text) => text.replace(/\r?\n$/, ""));
      if (style) {
        const place = { line: this.at + 1, leading: leading() };
        return { ...headers, style, ...place, hunks: this.hunks(style) };
      }
      if (headers.renameTo !== undefined && line.startsWith("diff --git ")) return { ...headers, style: "unified", line: this.at + 1, leading: leading(), hunks: [] };
      this.header(line, headers);
    }
    return headers.renameTo === undefined ? undefined : { ...headers, style: "unified", line: this.at, leading: [], hunks: [] };
  }

  private bare(at: number): string {
    return (this.lines[at] ?? "").replace(/\n$/, "");
  }

  private styleAt(line: string): FilePatch["style"] | undefined {
    if (UNIFIED.test(line)) return "unified";
    if (STARS.test(line) && CONTEXT_OLD.test(this.bare(this.at + 1))) return "context";
    return NORMAL.test(line) && /^[<>] /.test(this.bare(this.at + 1)) ? "normal" : undefined;
  }

  private header(line: string, headers: Headers): void {
    const after = (start: string): string => line.slice(start.length);
    const context = line.startsWith("*** ") || (line.startsWith("--- ") && this.bare(this.at - 1).startsWith("*** "));
    if (line.startsWith("diff --git ")) Object.assign(headers, noHeaders());
    else if (line.startsWith("*** ")) headers.oldHeader = after("*** ");
    else if (line.startsWith("--- ")) headers[context ? "newHeader" : "oldHeader"] = after("--- ");
    else if (line.startsWith("+++ ")) headers.newHeader = after("+++ ");
    else if (line.startsWith("Index: ")) headers.index = after("Index: ").trim();
    else if (line.startsWith("rename from ")) headers.renameFrom = after("rename from ");
    else if (line.startsWith("rename to ")) headers.renameTo = after("rename to ");
    else if (/^new file mode [0-7]+$/.test(line)) headers.mode = Number.parseInt(after("new file mode "), 8) & 0o777;
    else if (/^new mode [0-7]+$/.test(line)) headers.mode = Number.parseInt(after("new mode "), 8) & 0o777;
  }

  private hunks(style: FilePatch["style"]): Hunk[] {
    const read = { unified: () => this.unified(), context: () => this.context(), normal: () => this.normal() }[style];
    const hunks: Hunk[] = [];
    while (this.at < this.lines.length && this.styleAt(this.bare(this.at)) === style) hunks.push(read());
    return hunks;
  }

  private malformed(): never {
    if (this.at >= this.lines.length) throw new Malformed("unexpected end of file in patch");
    throw new Malformed(`malformed patch at line ${this.at + 1}: ${this.bare(this.at)}`);
  }

  /** The line's text behind its mark; without an end if a note says so, which is passed. */
  private text(skip: number): string {
    const text = this.lines[this.at++]!.slice(skip);
    if (!this.lines[this.at]?.startsWith(NO_END)) return text.endsWith("\n") ? text : `${text}\n`;
    this.at += 1;
    return text.replace(/\n$/, "");
  }

  private unified(): Hunk {
    const [, oldStart, oldCount = "1", newStart, newCount = "1"] = UNIFIED.exec(this.bare(this.at))!;
    this.at += 1;
    const lines: HunkLine[] = [];
    let [old, fresh] = [Number(oldCount), Number(newCount)];
    while (old > 0 || fresh > 0) {
      const line = this.lines[this.at];
      if (line === undefined) {
        if (Math.max(old, fresh) > BLANKS_MOST) this.malformed();
        lines.push({ mark: " ", text: "\n" });
        old -= 1;
        fresh -= 1;
        continue;
      }
      const blank = line === "\n" || line === "\r\n" || line === "";
      const mark = blank ? " " : line[0]!;
      if (mark !== " " && mark !== "-" && mark !== "+" && mark !== "\t") this.malformed();
      const kept = mark === "\t" ? " " : mark;
      if (kept !== "+") old -= 1;
      if (kept !== "-") fresh -= 1;
      if (old < 0 || fresh < 0) this.malformed();
      lines.push({ mark: kept, text: this.text(blank || mark === "\t" ? 0 : 1) });
    }
    return { oldStart: Number(oldStart) + (oldCount === "0" ? 1 : 0), newStart: Number(newStart) + (newCount === "0" ? 1 : 0), lines };
  }

  private normal(): Hunk {
    const [, first, last = first, letter, to, toLast = to] = NORMAL.exec(this.bare(this.at))!;
    this.at += 1;
    const take = (count: number, mark: "-" | "+", sign: string): HunkLine[] =>
      Array.from({ length: count }, () => {
        if (!this.lines[this.at]?.startsWith(sign)) this.malformed();
        return { mark, text: this.text(2) };
      });
    const old = letter === "a" ? [] : take(Number(last) - Number(first) + 1, "-", "<");
    if (letter === "c") {
      if (!this.bare(this.at).startsWith("---")) this.malformed();
      this.at += 1;
    }
    const fresh = letter === "d" ? [] : take(Number(toLast) - Number(to) + 1, "+", ">");
    return { oldStart: Number(first) + (letter === "a" ? 1 : 0), newStart: Number(to) + (letter === "d" ? 1 : 0), lines: [...old, ...fresh] };
  }

  private context(): Hunk {
    this.at += 1;
    const [, oldFirst, oldLast = oldFirst] = CONTEXT_OLD.exec(this.bare(this.at))!;
    this.at += 1;
    const old = this.section(/^[-! ] ?/, CONTEXT_NEW);
    const header = CONTEXT_NEW.exec(this.bare(this.at));
    if (!header) this.malformed();
    const [, newFirst, newLast = newFirst] = header;
    this.at += 1;
    const wanted = Number(newLast) - Number(newFirst) + 1;
    const fresh = this.section(/^[+! ] ?/, /^\*{15}|^\*\*\* |^diff |^Index: |^Only in /, newLast === "0" ? 0 : wanted);
    const missing = { old: old.length === 0 && oldLast !== "0", fresh: fresh.length === 0 && newLast !== "0" };
    const lines = merged(missing.old ? common(fresh) : old, missing.fresh ? common(old) : fresh);
    return { oldStart: Number(oldFirst) + (oldLast === "0" ? 1 : 0), newStart: Number(newFirst) + (newLast === "0" ? 1 : 0), lines };
  }

  private section(line: RegExp, end: RegExp, most = Number.POSITIVE_INFINITY): { readonly mark: string; readonly text: string }[] {
    const found: { mark: string; text: string }[] = [];
    while (this.at < this.lines.length && found.length < most) {
      const bare = this.bare(this.at);
      if (end.test(bare) || (bare !== "" && !line.test(bare))) break;
      found.push({ mark: bare[0] ?? " ", text: this.text(Math.min(2, bare.length)) });
    }
    return found;
  }
}

type Marked = readonly { readonly mark: string; readonly text: string }[];

/** What stands for a section that is left out because nothing in it changes. */
function common(lines: Marked): Marked {
  return lines.filter(({ mark }) => mark === " ");
}

/** Both sections of a hunk as one list. */
function merged(old: Marked, fresh: Marked): HunkLine[] {
  const lines: HunkLine[] = [];
  let [a, b] = [0, 0];
  while (a < old.length || b < fresh.length) {
    while (a < old.length && old[a]!.mark !== " ") lines.push({ mark: "-", text: old[a++]!.text });
    while (b < fresh.length && fresh[b]!.mark !== " ") lines.push({ mark: "+", text: fresh[b++]!.text });
    if (a < old.length) lines.push({ mark: " ", text: old[a]!.text });
    else if (b < fresh.length) lines.push({ mark: " ", text: fresh[b]!.text });
    a += 1;
    b += 1;
  }
  return lines;
}
