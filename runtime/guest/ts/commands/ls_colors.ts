/** Colours of names, by LS_COLORS or as ls has them without it. */

import { Device, Directory, RegularFile, S_IFIFO, S_IFMT, Symlink } from "../vfs/inode";
import type { Entry } from "./ls_entry";

const USUAL = "rs=0:di=01;34:ln=01;36:pi=33:so=01;35:bd=01;33:cd=01;33:ex=01;32:su=37;41:sg=30;43:tw=30;42:ow=34;42:st=37;44";

function kindOf({ node, aim }: Entry, colors: ReadonlyMap<string, string>): string {
  if (node instanceof Symlink) return aim === undefined && colors.has("or") ? "or" : "ln";
  if (node instanceof Directory) {
    const open = (node.mode & 0o002) !== 0;
    return node.mode & 0o1000 ? (open ? "tw" : "st") : open ? "ow" : "di";
  }
  if (node instanceof Device) return "cd";
  if ((node.mode & S_IFMT) === S_IFIFO) return "pi";
  if (node.mode & 0o4000) return "su";
  if (node.mode & 0o2000) return "sg";
  return node instanceof RegularFile && node.mode & 0o111 ? "ex" : "fi";
}

const TERMINAL = /^(?:Eterm|ansi|alacritty|[Ek]term|con(?:sole|emu|25)|cygwin|dtterm|foot|gnome|hurd|jfbterm|konsole|kitty|linux|mach|mlterm|putty|rxvt|screen|st|terminator|tmux|vt100|vt220|xterm|.*color)/;

/** Without LS_COLORS there are colours only for a terminal that is known to have them. */
export function hasColors(env: ReadonlyMap<string, string>): boolean {
  return Boolean(env.get("LS_COLORS") || env.get("COLORTERM")) || TERMINAL.test(env.get("TERM") ?? "");
}

export class Colors {
  private readonly known: Map<string, string>;
  private begun = false;

  constructor(list: string | undefined) {
    this.known = new Map(`${USUAL}:${list ?? ""}`.split(":").flatMap((each) => (each.includes("=") ? [each.split("=", 2) as [string, string]] : [])));
  }

  paint(text: string, entry: Entry): string {
    const code = this.codeFor(entry);
    if (!code || /^0*$/.test(code)) return text;
    const reset = this.begun ? "" : "\x1b[0m";
    this.begun = true;
    return `${reset}\x1b[${code}m${text}\x1b[0m`;
  }

  private codeFor(entry: Entry): string | undefined {
    const kind = kindOf(entry, this.known);
    if (kind !== "fi") return this.known.get(kind);
    const ending = [...this.known.keys()].filter((key) => key.startsWith("*") && entry.name.endsWith(key.slice(1)));
    return this.known.get(ending.at(-1) ?? "fi");
  }
}
