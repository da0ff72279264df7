/** tar's command line: its letters without a dash, and directories that go between names. */

import type { Options, OptionTable } from "./options";

export const TABLE = {
  create: ["-c, --create", "make an archive"],
  extract: ["-x, --extract, --get", "take files out of an archive"],
  list: ["-t, --list", "list what is in an archive"],
  append: ["-r, --append", "put files behind those of an archive"],
  update: ["-u, --update", "put files behind those of an archive that are newer"],
  diff: ["-d, --diff, --compare", "tell how an archive differs from the files"],
  concatenate: ["-A, --concatenate, --catenate", "put the members of archives behind those of an archive"],
  delete: ["--delete", "take members out of an archive"],
  file: ["-f, --file=ARCHIVE", "the archive; - is standard input or output, which also stands for none"],
  gzip: ["-z, --gzip, --gunzip, --ungzip", "compressed by gzip"],
  auto: ["-a, --auto-compress", "compress if the archive's name says so"],
  noAuto: ["--no-auto-compress", "do not"],
  bzip2: ["-j, --bzip2", "not supported"],
  xz: ["-J, --xz", "not supported"],
  compress: ["-Z, --compress, --uncompress", "not supported"],
  zstd: ["--zstd", "not supported"],
  lzma: ["--lzma", "not supported"],
  program: ["-I, --use-compress-program=COMMAND", "gzip only"],
  directory: ["-C, --directory=DIR", "go to DIR"],
  exclude: ["--exclude=PATTERN", "leave out what matches PATTERN"],
  excludeFrom: ["-X, --exclude-from=FILE", "leave out what matches a line of FILE"],
  excludeVcs: ["--exclude-vcs", "leave out what version control keeps"],
  filesFrom: ["-T, --files-from=FILE", "take names from FILE, too"],
  nul: ["--null", "names of -T end in NUL bytes"],
  strip: ["--strip-components=NUMBER", "drop so many leading components of names"],
  transform: ["--transform, --xform=EXPRESSION", "change names by a sed expression"],
  transformed: ["--show-transformed-names, --show-stored-names", "tell of members by what they are called here"],
  topLevel: ["--one-top-level[=DIR]", "put all in DIR, or in a directory with the archive's name"],
  occurrence: ["--occurrence[=NUMBER]", "only the first, or that, of members with one name"],
  toStdout: ["-O, --to-stdout", "write files to standard output"],
  keepOld: ["-k, --keep-old-files", "do not overwrite; that is an error"],
  skipOld: ["--skip-old-files", "do not overwrite"],
  keepNewer: ["--keep-newer-files", "do not overwrite what is newer"],
  overwrite: ["--overwrite", "overwrite, as is done anyway"],
  unlinkFirst: ["-U, --unlink-first", "ignored"],
  permissions: ["-p, --preserve-permissions, --same-permissions", "modes as they are, whatever the umask"],
  noPermissions: ["--no-same-permissions", "the umask counts (the default)"],
  touch: ["-m, --touch", "do not restore times"],
  absolute: ["-P, --absolute-names", "keep leading slashes"],
  dereference: ["-h, --dereference", "follow links"],
  noRecursion: ["--no-recursion", "directories without what is in them"],
  recursion: ["--recursion", "with it (the default)"],
  removeFiles: ["--remove-files", "remove files that are in the archive"],
  owner: ["--owner=NAME[:ID]", "owner of members"],
  group: ["--group=NAME[:ID]", "group of members"],
  mode: ["--mode=CHANGES", "permissions of members"],
  mtime: ["--mtime=DATE", "time of members"],
  numeric: ["--numeric-owner", "owners as numbers"],
  sort: ["--sort=ORDER", "ignored: directories are sorted by name"],
  wildcards: ["--wildcards", "names to take out are patterns"],
  noWildcards: ["--no-wildcards", "they are names (the default)"],
  anchored: ["--anchored", "ignored"],
  noAnchored: ["--no-anchored", "ignored"],
  verbose: ["-v, --verbose", "tell of members; twice: at length"],
  fullTime: ["--full-time", "times to the second"],
  utc: ["--utc", "times in UTC"],
  totals: ["--totals", "tell how many bytes were written"],
  noSameOwner: ["-o, --no-same-owner", "ignored: all files are the user's"],
  sameOwner: ["--same-owner", "ignored: all files are the user's"],
  format: ["-H, --format=FORMAT", "ignored: the format is GNU's"],
  posix: ["--posix", "ignored: the format is GNU's"],
  blocking: ["-b, --blocking-factor=BLOCKS", "ignored"],
  record: ["-B, --read-full-records", "ignored"],
  zeros: ["-i, --ignore-zeros", "ignored"],
  sparse: ["-S, --sparse", "ignored"],
  warning: ["--warning=KEYWORD", "ignored"],
  force: ["--force-local", "ignored"],
  noXattrs: ["--no-xattrs", "ignored"],
  noAcls: ["--no-acls", "ignored"],
  noSelinux: ["--no-selinux", "ignored"],
  delay: ["--delay-directory-restore", "ignored"],
  verify: ["-W, --verify", "not supported"],
  command: ["--to-command=COMMAND", "not supported"],
} as const satisfies OptionTable;

/** What to do: one of them. */
export const MODES = ["create", "extract", "list", "append", "update", "diff", "concatenate", "delete"] as const;

export type Mode = (typeof MODES)[number];
export type Given = Options<typeof TABLE>;

const WITH_ARGUMENT = "fCbTXgLNKVFHI";
/** Stands before a directory among the names. */
export const ENTER = "\0";

/** `-C DIR` becomes a word among the names, since it counts for those behind it; letters are taken apart. */
export function rewrite(args: readonly string[]): readonly string[] {
  const [first, ...rest] = args;
  const bundled = first !== undefined && first !== "" && !first.startsWith("-");
  const result: string[] = [];
  const words = bundled ? rest : [...args];
  if (bundled) takeLetters(first, "", words, result);
  while (words.length > 0) {
    const word = words.shift()!;
    if (word === "--") return [...result, word, ...words];
    if (/^-[^-]/.test(word)) takeLetters(word.slice(1), undefined, words, result);
    else if (word === "--directory") result.push(ENTER + (words.shift() ?? ""));
    else if (word.startsWith("--directory=")) result.push(ENTER + word.slice("--directory=".length));
    else result.push(word);
  }
  return result;
}

/** `attached`: "" where arguments are words of their own, as for letters without a dash. */
function takeLetters(letters: string, attached: "" | undefined, words: string[], result: string[]): void {
  for (let at = 0; at < letters.length; at += 1) {
    const letter = letters[at]!;
    if (!WITH_ARGUMENT.includes(letter)) {
      result.push(`-${letter}`);
      continue;
    }
    const rest = attached === undefined ? letters.slice(at + 1) : "";
    const argument = rest !== "" ? rest : words.shift();
    if (letter === "C") result.push(ENTER + (argument ?? ""));
    else result.push(`-${letter}`, ...(argument === undefined ? [] : [argument]));
    if (rest !== "") return;
  }
}
