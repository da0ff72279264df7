import { native } from "../bridge/native";
import { describeErrno } from "../shell/io/errors";
import type { Process } from "../shell/process";
import { findDirectory, pathOf } from "../vfs/walk";
import { Errno } from "../vfs/errors";
import { command, Failure } from "./command";
import { readText } from "./files";
import { type Options, UsageFault } from "./options";
import { Malformed, PatchParser } from "./patch_parse";
import { linesOf, PatchRun, type PatchSettings, TROUBLE } from "./patch_run";

const TABLE = {
  strip: ["-p, --strip=NUM", "drop NUM leading components of names; all but the last without this option"],
  fuzz: ["-F, --fuzz=LINES", "lines of context that need not match (2)"],
  ignoreSpace: ["-l, --ignore-whitespace", "the number of blanks does not count"],
  context: ["-c, --context", "ignored: the style is seen from the patch"],
  normal: ["-n, --normal", "ignored: the style is seen from the patch"],
  unified: ["-u, --unified", "ignored: the style is seen from the patch"],
  ed: ["-e, --ed", "not supported"],
  forward: ["-N, --forward", "leave out patches that seem to have been applied"],
  reverse: ["-R, --reverse", "undo the patch"],
  input: ["-i, --input=PATCHFILE", "read the patch from PATCHFILE, not from standard input"],
  output: ["-o, --output=FILE", "write what comes of it to FILE"],
  reject: ["-r, --reject-file=FILE", "write hunks that failed to FILE"],
  ifdef: ["-D, --ifdef=NAME", "not supported"],
  merge: ["--merge[=STYLE]", "not supported"],
  removeEmpty: ["-E, --remove-empty-files", "remove files that are empty behind the patch"],
  setUtc: ["-Z, --set-utc", "not supported"],
  setTime: ["-T, --set-time", "not supported"],
  backup: ["-b, --backup", "keep a copy of each file"],
  backupMismatch: ["--backup-if-mismatch", "keep a copy where the patch did not match exactly (the default)"],
  noBackupMismatch: ["--no-backup-if-mismatch", "keep no copies but with -b"],
  versionControl: ["-V, --version-control=STYLE", "ignored but for `simple'"],
  prefix: ["-B, --prefix=PREFIX", "what goes before the names of copies"],
  suffix: ["-z, --suffix=SUFFIX", "what goes behind the names of copies (.orig)"],
  directory: ["-d, --directory=DIR", "go to DIR first"],
  batch: ["-t, --batch", "ask nothing; undo patches that seem to have been applied"],
  force: ["-f, --force", "ask nothing; go on as told"],
  silent: ["-s, --quiet, --silent", "tell only of what went wrong"],
  verbose: ["--verbose", "tell of each hunk"],
  dryRun: ["--dry-run", "change no files"],
  posix: ["--posix", "ignored"],
  binary: ["--binary", "keep carriage returns of the patch"],
  get: ["-g, --get=NUM", "ignored"],
  quoting: ["--quoting-style=WORD", "ignored"],
  rejectFormat: ["--reject-format=FORMAT", "not supported"],
  readOnly: ["--read-only=BEHAVIOR", "ignored"],
} as const;

type Given = Options<typeof TABLE>;

function count(options: Given, key: "strip" | "fuzz", what: string): number | undefined {
  const text = options.value(key);
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw new Failure(`**** ${what} ${text} is not a number`, TROUBLE);
  return Number(text);
}

function settingsOf(options: Given, operands: readonly string[]): PatchSettings {
  const [prefix, suffix] = [options.value("prefix") ?? "", options.value("suffix") ?? (options.has("prefix") ? "" : ".orig")];
  const backup = options.has("backup") || options.has("prefix") || options.has("suffix");
  return {
    strip: count(options, "strip", "strip count"), fuzz: count(options, "fuzz", "fuzz factor") ?? 2, reverse: options.has("reverse"), forward: options.has("forward"),
    force: options.has("force"), batch: options.has("batch"), dryRun: options.has("dryRun"), silent: options.has("silent"), verbose: options.has("verbose"),
    output: options.value("output"), reject: options.value("reject"), removeEmpty: options.has("removeEmpty"), backup: options.has("backup"),
    backupMismatch: !options.has("noBackupMismatch") && (backup || !options.has("posix")), backupName: (name) => prefix + name + suffix,
    ignoreSpace: options.has("ignoreSpace"), file: operands[0],
  };
}

async function patchText(process: Process, name: string): Promise<string> {
  try {
    return name === "-" ? native.text.decode(await process.stdin.all()) : await readText(process, name);
  } catch (error) {
    if (!(error instanceof Errno)) throw error;
    throw new Failure(`**** Can't open patch file ${name} : ${describeErrno(error)}`, TROUBLE);
  }
}

/** Lines of the patch; carriage returns go where the headers have them too. */
function patchLines(process: Process, text: string, options: Given): string[] {
  const lines = linesOf(text);
  if (!text.endsWith("\n")) process.stdout.print("patch unexpectedly ends in middle of line\n");
  if (options.has("binary") || !lines.some((line) => /^(--- |\+\+\+ |\*\*\* |@@ ).*\r\n$/.test(line))) return lines;
  process.stdout.print("(Stripping trailing CRs from patch; use --binary to disable.)\n");
  return lines.map((line) => line.replace(/\r\n$/, "\n"));
}

function refuseUnsupported(options: Given): void {
  for (const { key } of options.order) if (TABLE[key][1] === "not supported") throw new Failure(`**** option ${TABLE[key][0].replace(/[=[].*/, "")} is not supported here`, TROUBLE);
}

export const patch = command({
  name: "patch",
  usage: "[OPTION]... [ORIGFILE [PATCHFILE]]",
  about: "Apply a patch, as diff prints it (unified, context or normal), to files.",
  options: TABLE,
  failure: TROUBLE,
  async run(process, options, operands) {
    refuseUnsupported(options);
    if (operands.length > 2) throw new UsageFault(`extra operand '${operands[2]}'`);
    const home = process.context.cwd;
    const directory = options.value("directory");
    if (directory !== undefined) enter(process, directory);
    return applied(process, options, operands).finally(() => {
      process.context.cwd = home; // -d counts for this command alone
    });
  },
});

async function applied(process: Process, options: Given, operands: readonly string[]): Promise<number> {
  const text = await patchText(process, options.value("input") ?? operands[1] ?? "-");
  if (text === "") return 0;
  try {
    const patches = [...new PatchParser(patchLines(process, text, options)).patches()];
    if (patches.length === 0) throw new Failure("**** Only garbage was found in the patch input.", TROUBLE);
    return await new PatchRun(process, settingsOf(options, operands)).run(patches);
  } catch (error) {
    if (error instanceof Malformed) throw new Failure(`**** ${error.message}`, TROUBLE);
    throw error;
  }
}

function enter(process: Process, directory: string): void {
  try {
    process.context.cwd = pathOf(findDirectory(process.context, directory));
  } catch (error) {
    throw new Failure(`**** Can't change to directory ${directory} : ${describeErrno(error)}`, TROUBLE);
  }
}
