/** Words that the grammar itself uses, where a command may begin; in the order in which bash lists them. */

export const RESERVED: ReadonlySet<string> = new Set(
  "if then else elif fi case esac for select while until do done in function time { } ! [[ ]] coproc".split(" "),
);
