/** The lines of a listing. */

import { native } from "../bridge/native";
import type { Process } from "../shell/process";
import { Device, Directory, type Inode, S_IFIFO, S_IFMT, Symlink } from "../vfs/inode";
import { describe } from "../vfs/status";
import { scaled, SECTOR, sectorsOf } from "./human";
import { Colors, hasColors } from "./ls_colors";
import { type Entry, entryOf } from "./ls_entry";
import { type Cell, cell, columns, commas } from "./ls_layout";
import type { LsSettings } from "./ls_options";
import { modeText } from "./modes";
import { formatMoment, timeOf } from "./moments";
import { ownerName } from "./owners";
import { escaped, escapedInPlace, questioned, shellQuoted, shellQuotedRaw } from "./quoting";
import { quoted } from "./sizes";

/** Seconds of half a year on average. */
const HALF_YEAR = 31_556_952 / 2;

const QUOTE: Readonly<Record<LsSettings["quoting"], (name: string) => string>> = {
  literal: (name) => name,
  shell: (name) => shellQuotedRaw(name),
  "shell-always": (name) => shellQuotedRaw(name, true),
  "shell-escape": (name) => shellQuoted(name),
  "shell-escape-always": (name) => shellQuoted(name, true),
  "c-maybe": (name) => (/["\\]/.test(name) || escapedInPlace(name) !== name ? escaped(name, '"') : name),
  c: (name) => escaped(name, '"'),
  escape: (name) => escaped(name),
  locale: quoted,
};

export class Printer {
  private readonly colors: Colors | undefined;
  private readonly nowSeconds: number;

  constructor(
    private readonly process: Process,
    private readonly settings: LsSettings,
  ) {
    this.colors = settings.color && hasColors(process.env) ? new Colors(process.env.get("LS_COLORS")) : undefined;
    this.nowSeconds = native.clock.now() / 1000;
  }

  /** A whole list. */
  list(entries: readonly Entry[]): string {
    const { layout, end, width, tab } = this.settings;
    if (entries.length === 0) return "";
    if (layout === "long") return this.long(entries);
    const cells = this.cells(entries);
    if (layout === "single") return cells.map(({ text }) => text + end).join("");
    return layout === "commas" ? commas(cells, width) : columns(cells, layout === "vertical", width, tab);
  }

  /** What stands above the list of a directory. */
  total(entries: readonly Entry[]): string {
    const { layout, blocksShown, blocks, end } = this.settings;
    if (layout !== "long" && !blocksShown) return "";
    const sectors = entries.reduce((sum, { node }) => sum + sectorsOf(node), 0);
    return `total ${scaled(sectors * SECTOR, blocks)}${end}`;
  }

  quoted(name: string): string {
    const text = QUOTE[this.settings.quoting](name);
    return this.settings.hideControl ? questioned(text) : text;
  }

  /** Numbers and blocks in front of names, one column each. */
  private fronts(entries: readonly Entry[]): string[] {
    const { inode, blocksShown, blocks, layout } = this.settings;
    const parts: string[][] = [];
    if (inode) parts.push(entries.map(({ node }) => String(node.ino)));
    if (blocksShown) parts.push(entries.map(({ node }) => scaled(sectorsOf(node) * SECTOR, blocks)));
    const aligned = layout === "commas" ? parts : parts.map(right);
    return entries.map((_, index) => aligned.map((column) => `${column[index]!} `).join(""));
  }

  private cells(entries: readonly Entry[]): Cell[] {
    const fronts = this.fronts(entries);
    return entries.map((entry, index) => {
      const name = this.quoted(entry.name);
      const mark = this.mark(entry.node);
      return cell(fronts[index]! + name + mark, fronts[index]! + this.paint(name, entry) + mark);
    });
  }

  private paint(text: string, entry: Entry): string {
    return this.colors?.paint(text, entry) ?? text;
  }

  private mark(node: Inode): string {
    const { indicator } = this.settings;
    if (indicator === "none") return "";
    if (node instanceof Directory) return "/";
    if (indicator === "slash") return "";
    if (node instanceof Symlink) return "@";
    if ((node.mode & S_IFMT) === S_IFIFO) return "|";
    return indicator === "classify" && !(node instanceof Device) && node.mode & 0o111 ? "*" : "";
  }

  private long(entries: readonly Entry[]): string {
    const { owner, group, author, numeric, end } = this.settings;
    const name = (id: number): string => (numeric ? String(id) : ownerName(id));
    const side = numeric ? right : left;
    const stats = entries.map(({ node }) => describe(node));
    const parts = [
      stats.map(({ mode }) => modeText(mode)),
      right(stats.map(({ nlink }) => String(nlink))),
      ...(owner ? [side(stats.map(({ uid }) => name(uid)))] : []),
      ...(group ? [side(stats.map(({ gid }) => name(gid)))] : []),
      ...(author ? [side(stats.map(({ uid }) => name(uid)))] : []),
      right(entries.map(({ node }) => (node instanceof Device ? `1, ${node.ino}` : scaled(node.size, this.settings.sizes)))),
      right(entries.map(({ node }) => this.time(node))),
    ];
    const fronts = this.fronts(entries);
    return entries.map((entry, index) => `${fronts[index]!}${parts.map((column) => column[index]!).join(" ")} ${this.longName(entry)}${end}`).join("");
  }

  private longName(entry: Entry): string {
    const painted = this.paint(this.quoted(entry.name), entry);
    if (!(entry.node instanceof Symlink)) return painted + this.mark(entry.node);
    const { target } = entry.node;
    const shown = this.quoted(target);
    if (!entry.aim) return `${painted} -> ${shown}`;
    return `${painted} -> ${this.paint(shown, entryOf(this.process, target, entry.path, entry.aim, false))}${this.mark(entry.aim)}`;
  }

  private time(node: Inode): string {
    const { which, timeFormats } = this.settings;
    const moment = timeOf(node, which);
    const { seconds } = moment;
    const recent = seconds > this.nowSeconds - HALF_YEAR && seconds <= this.nowSeconds;
    return formatMoment(timeFormats[recent ? 0 : 1], moment, this.process.env.get("TZ"));
  }
}

function right(texts: readonly string[]): string[] {
  const width = Math.max(...texts.map((text) => text.length));
  return texts.map((text) => text.padStart(width));
}

function left(texts: readonly string[]): string[] {
  const width = Math.max(...texts.map((text) => text.length));
  return texts.map((text) => text.padEnd(width));
}
