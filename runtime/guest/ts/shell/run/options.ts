/** Names of the options of `set` and `shopt`. */

/** Options of `set -o`, in the order in which it lists them. */
export const LETTERS: Readonly<Record<string, string>> = {
  allexport: "a", braceexpand: "B", emacs: "", errexit: "e", errtrace: "E", functrace: "T", hashall: "h", histexpand: "H",
  history: "", ignoreeof: "", "interactive-comments": "", keyword: "k", monitor: "m", noclobber: "C", noexec: "n",
  noglob: "f", nolog: "", notify: "b", nounset: "u", onecmd: "t", physical: "P", pipefail: "", posix: "", privileged: "p",
  verbose: "v", vi: "", xtrace: "x",
};
export const BY_LETTER = new Map(Object.entries(LETTERS).flatMap(([name, letter]) => (letter ? [[letter, name] as const] : [])));

/** Options of `shopt`. */
export const SHOPT = [
  "autocd", "assoc_expand_once", "cdable_vars", "cdspell", "checkhash", "checkjobs", "checkwinsize", "cmdhist", "compat31",
  "compat32", "compat40", "compat41", "compat42", "compat43", "compat44", "complete_fullquote", "direxpand", "dirspell",
  "dotglob", "execfail", "expand_aliases", "extdebug", "extglob", "extquote", "failglob", "force_fignore",
  "globasciiranges", "globskipdots", "globstar", "gnu_errfmt", "histappend", "histreedit", "histverify", "hostcomplete",
  "huponexit", "inherit_errexit", "interactive_comments", "lastpipe", "lithist", "localvar_inherit", "localvar_unset",
  "login_shell", "mailwarn", "no_empty_cmd_completion", "nocaseglob", "nocasematch", "noexpand_translation", "nullglob",
  "patsub_replacement", "progcomp", "progcomp_alias", "promptvars", "restricted_shell", "shift_verbose", "sourcepath",
  "varredir_close", "xpg_echo",
];

/** Those of `set` that are on. */
export function setOptions(on: ReadonlySet<string>): string[] {
  return Object.keys(LETTERS).filter((name) => on.has(name));
}

/** Those of `shopt` that are on. */
export function shopts(on: ReadonlySet<string>): string[] {
  return SHOPT.filter((name) => on.has(name));
}
