/** From the texts of an object's entries to the text of the object: on one line, in columns, or one a line. */

import { stripColors } from "./colors";
import { inColumns } from "./columns";
import type { Context } from "./context";

/** How an object is laid out around its entries. */
export interface Frame {
  /** Before the opening brace: a function, a regular expression, an error; may be empty. */
  base: string;
  open: string;
  close: string;
  /** Elements of a list, which may be put into columns, rather than named properties. */
  list: boolean;
}

/** Lists up to this long are never put into columns. */
const SHORT_LIST = 6;

/** Whether the entries, with what stands around them, fit on one line. */
function fitsOnLine(ctx: Context, entries: readonly string[], start: number, base: string): boolean {
  let total = entries.length + start;
  if (total + entries.length > ctx.breakLength) return false;
  for (const entry of entries) {
    total += ctx.colors ? stripColors(entry).length : entry.length;
    if (total > ctx.breakLength) return false;
  }
  return base === "" || !base.includes("\n");
}

/** `compact: true`, the style of old: braces share lines with entries. */
function tight(ctx: Context, entries: readonly string[], frame: Frame): string {
  const { base, open, close } = frame;
  if (fitsOnLine(ctx, entries, 0, base)) {
    return `${open}${base ? ` ${base}` : ""} ${entries.join(", ")} ${close}`;
  }
  const indentation = `\n${" ".repeat(ctx.indent)}`;
  const lead = base === "" && open.length === 1 ? " " : `${base ? ` ${base}` : ""}\n${indentation.slice(1)}  `;
  return `${open}${lead}${entries.join(`,${indentation}  `)} ${close}`;
}

/** The whole text of an object at nesting `depth`, with its entries. */
export function layout(ctx: Context, entries: string[], frame: Frame, depth: number, value: object): string {
  if (ctx.compact === true) return tight(ctx, entries, frame);
  const head = frame.base ? `${frame.base} ${frame.open}` : frame.open;
  let rows = entries;
  if (typeof ctx.compact === "number" && ctx.compact >= 1) {
    if (frame.list && entries.length > SHORT_LIST) rows = inColumns(ctx, entries, value);
    // An object goes on one line if it nests no more than `compact` levels and was not put into columns.
    if (ctx.level - depth < ctx.compact && rows.length === entries.length) {
      const start = rows.length + ctx.indent + frame.open.length + frame.base.length + 10;
      if (fitsOnLine(ctx, rows, start, frame.base)) {
        const line = rows.join(", ");
        if (!line.includes("\n")) return `${head} ${line} ${frame.close}`;
      }
    }
  }
  const indentation = `\n${" ".repeat(ctx.indent)}`;
  return `${head}${indentation}  ${rows.join(`,${indentation}  `)}${indentation}${frame.close}`;
}
