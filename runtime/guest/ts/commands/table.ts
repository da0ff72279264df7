/** All commands by name, as /bin lists them. */

import type { Command } from "../shell/process";
import { awk } from "./awk";
import { cat } from "./cat";
import { egrep, fgrep, grep } from "./grep";

export const commands: ReadonlyMap<string, Command> = new Map<string, Command>(
  Object.entries({
    awk,
    cat,
    egrep,
    fgrep,
    gawk: awk,
    grep,
  }),
);
