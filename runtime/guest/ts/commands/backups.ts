/** What becomes of a file that another takes the place of: nothing, or a backup. For cp, mv, ln and install. */

import type { Process } from "../shell/process";
import { exists } from "../vfs/meta";
import * as tree from "../vfs/tree";
import { choose } from "./choices";

const KINDS: Readonly<Record<string, "none" | "numbered" | "existing" | "simple">> = {
  none: "none", off: "none", simple: "simple", never: "simple", existing: "existing", nil: "existing", numbered: "numbered", t: "numbered",
};

export const BACKUP_OPTIONS = {
  backup: ["--backup[=CONTROL]", "keep what is replaced: none, numbered, existing or simple"],
  backupShort: ["-b", "as --backup without an argument"],
  suffix: ["-S, --suffix=SUFFIX", "what is put behind a backup's name instead of ~"],
} as const;

interface Given {
  last(...keys: (keyof typeof BACKUP_OPTIONS)[]): string | undefined;
  value(key: keyof typeof BACKUP_OPTIONS): string | undefined;
}

export class Backups {
  private constructor(
    private readonly process: Process,
    private readonly kind: "none" | "numbered" | "existing" | "simple",
    private readonly suffix: string,
  ) {}

  static of(process: Process, options: Given): Backups {
    const suffix = options.value("suffix") ?? process.env.get("SIMPLE_BACKUP_SUFFIX") ?? "~";
    if (options.last("backup", "backupShort", "suffix") === undefined) return new Backups(process, "none", suffix);
    const word = options.value("backup") ?? process.env.get("VERSION_CONTROL") ?? "existing";
    const kind = choose(KINDS, word, "backup type");
    return new Backups(process, kind, suffix);
  }

  get wanted(): boolean {
    return this.kind !== "none";
  }

  /** Moves a file out of the way; the backup's name. */
  keep(path: string): string {
    const name = this.nameFor(path);
    tree.rename(this.process.context, path, name);
    return name;
  }

  private nameFor(path: string): string {
    let number = 1;
    while (exists(this.process.context, `${path}.~${number}~`, false)) number += 1;
    const numbered = this.kind === "numbered" || (this.kind === "existing" && number > 1);
    return numbered ? `${path}.~${number}~` : path + this.suffix;
  }
}
