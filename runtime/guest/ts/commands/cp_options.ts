/** What cp can be told. */

import { BACKUP_OPTIONS } from "./backups";
import type { Preserve } from "./copying";
import { OVERWRITE_OPTIONS } from "./overwriting";
import { type Options, UsageFault } from "./options";
import { quoted } from "./sizes";
import { TARGET_OPTIONS } from "./targets";

export const CP_OPTIONS = {
  archive: ["-a, --archive", "as -dR --preserve=all"],
  attributes: ["--attributes-only", "make the files, but copy no data"],
  ...BACKUP_OPTIONS,
  contents: ["--copy-contents", "ignored"],
  linksKept: ["-d", "as -P --preserve=links"],
  ...OVERWRITE_OPTIONS,
  commandLine: ["-H", "follow symbolic links that are operands"],
  hardLink: ["-l, --link", "make hard links instead of copies"],
  dereference: ["-L, --dereference", "copy what symbolic links stand for"],
  noDereference: ["-P, --no-dereference", "copy symbolic links as links"],
  preserveUsual: ["-p", "as --preserve=mode,ownership,timestamps"],
  preserve: ["--preserve[=ATTRIBUTES]", "keep mode, ownership, timestamps, links, context, xattr, all"],
  noPreserve: ["--no-preserve=ATTRIBUTES", "do not keep them"],
  parents: ["--parents", "make the directories of each source below the target"],
  recursive: ["-r, -R, --recursive", "copy directories and what is in them"],
  reflink: ["--reflink[=WHEN]", "ignored"],
  remove: ["--remove-destination", "remove what has the name first"],
  sparse: ["--sparse=WHEN", "ignored"],
  strip: ["--strip-trailing-slashes", "remove slashes behind sources"],
  symbolicLink: ["-s, --symbolic-link", "make symbolic links instead of copies"],
  ...TARGET_OPTIONS,
  verbose: ["-v, --verbose", "tell of each file"],
  oneFileSystem: ["-x, --one-file-system", "ignored"],
} as const;

export type CpOptions = Options<typeof CP_OPTIONS>;

const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  mode: ["mode"], timestamps: ["timestamps"], ownership: [], links: [], context: [], xattr: [], all: ["mode", "timestamps"],
};

function attributes(list: string): readonly string[] {
  return list.split(",").flatMap((word) => {
    const known = ATTRIBUTES[word];
    if (!known) throw new UsageFault(`invalid argument ${quoted(word)} for ${quoted("--preserve")}`);
    return known;
  });
}

export function preserved(options: CpOptions): Preserve {
  const kept = new Set<string>();
  for (const { key, value } of options.order) {
    if (key === "archive" || key === "preserveUsual") attributes("all").forEach((each) => kept.add(each));
    if (key === "preserve") attributes(value ?? "all").forEach((each) => kept.add(each));
    if (key === "noPreserve") attributes(value!).forEach((each) => kept.delete(each));
  }
  return { mode: kept.has("mode"), timestamps: kept.has("timestamps") };
}

export function keepsLinks(options: CpOptions): boolean {
  return options.has("archive") || options.has("linksKept") || options.list("preserve").some((list) => /(?:^|,)(?:links|all)(?:,|$)/.test(list || "all"));
}

/** Which symbolic links are followed. */
export function follows(options: CpOptions): "all" | "operands" | "none" {
  const last = options.last("archive", "linksKept", "commandLine", "dereference", "noDereference");
  if (last === "dereference") return "all";
  if (last === "commandLine") return "operands";
  return last === undefined && !options.has("recursive") && !options.has("hardLink") ? "all" : "none";
}
