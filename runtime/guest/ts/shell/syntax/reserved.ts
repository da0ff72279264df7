/** Words that the grammar itself uses, where a command may begin. */

export const RESERVED: ReadonlySet<string> = new Set(
  "! [[ ]] case coproc do done elif else esac fi for function if in select then time until while { }".split(" "),
);
