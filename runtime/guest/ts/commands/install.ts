import type { Process } from "../shell/process";
import { Directory } from "../vfs/inode";
import { chmod } from "../vfs/meta";
import * as tree from "../vfs/tree";
import { find } from "../vfs/walk";
import { Attempts } from "./attempts";
import { Backups, BACKUP_OPTIONS } from "./backups";
import { command, Failure } from "./command";
import { copyBytes, preserve } from "./copying";
import { makePath } from "./mkdir";
import { type ModeChange, parseMode } from "./modes";
import { demandFiles } from "./operands";
import type { Options } from "./options";
import { dirName } from "./paths";
import { nameQuoted } from "./quoting";
import { quoted } from "./sizes";
import { nodeAt, type Pair, pairs, TARGET_OPTIONS } from "./targets";

const TABLE = {
  ...BACKUP_OPTIONS,
  ignored: ["-c", "ignored"],
  compare: ["-C, --compare", "leave a file that is the same already"],
  folders: ["-d, --directory", "make directories"],
  leading: ["-D", "make the directories that the target is in"],
  group: ["-g, --group=GROUP", "ignored"],
  mode: ["-m, --mode=MODE", "the permissions, instead of 755"],
  owner: ["-o, --owner=OWNER", "ignored"],
  times: ["-p, --preserve-timestamps", "keep the times of the sources"],
  strip: ["-s, --strip", "ignored"],
  ...TARGET_OPTIONS,
  verbose: ["-v, --verbose", "tell of each file"],
} as const;

type Given = Options<typeof TABLE>;

const USUAL = "755";

function modeOf(options: Given): ModeChange {
  const text = options.value("mode") ?? USUAL;
  const change = parseMode(text);
  if (!change) throw new Failure(`invalid mode ${quoted(text)}`);
  return change;
}

async function put(process: Process, options: Given, change: ModeChange, backups: Backups, { source, target }: Pair): Promise<void> {
  const { context } = process;
  const node = find(context, source);
  if (options.has("leading")) makePath(process, dirName(target));
  let backup: string | undefined;
  if (nodeAt(process, target, false)) {
    if (backups.wanted) backup = backups.keep(target);
    else {
      tree.unlink(context, target);
      if (options.has("verbose")) process.stdout.print(`removed ${nameQuoted(target)}\n`);
    }
  }
  await copyBytes(process, source, node, target);
  const made = find(context, target);
  chmod(context, made, change(0, false, 0));
  if (options.has("times")) preserve(process, node, target, { mode: false, timestamps: true });
  if (options.has("verbose")) process.stdout.print(`${nameQuoted(source)} -> ${nameQuoted(target)}${backup === undefined ? "" : ` (backup: ${nameQuoted(backup)})`}\n`);
}

function makeFolders(process: Process, options: Given, change: ModeChange, operands: readonly string[]): number {
  const attempts = new Attempts(process);
  const made = (path: string): void => {
    if (options.has("verbose")) process.stdout.print(`${process.name}: creating directory ${nameQuoted(path)}\n`);
  };
  for (const path of operands) {
    attempts.done(() => `cannot create directory ${quoted(path)}`, () => {
      makePath(process, path, made);
      chmod(process.context, find(process.context, path), change(0, true, 0));
    });
  }
  return attempts.status;
}

async function putAll(process: Process, options: Given, change: ModeChange, operands: readonly string[]): Promise<number> {
  const directory = options.value("directory");
  if (options.has("leading") && directory !== undefined) makePath(process, directory);
  const attempts = new Attempts(process);
  const backups = Backups.of(process, options);
  for (const pair of pairs(process, options, operands)) {
    const node = attempts.try(() => `cannot stat ${nameQuoted(pair.source)}`, () => find(process.context, pair.source));
    if (node === undefined) continue;
    if (node instanceof Directory) {
      attempts.fail(`omitting directory ${nameQuoted(pair.source)}`);
      continue;
    }
    try {
      await put(process, options, change, backups, pair);
    } catch (error) {
      attempts.done(() => `cannot create regular file ${nameQuoted(pair.target)}`, () => { throw error; });
    }
  }
  return attempts.status;
}

export const install = command({
  name: "install",
  usage: ["[OPTION]... [-T] SOURCE DEST", "[OPTION]... SOURCE... DIRECTORY", "[OPTION]... -t DIRECTORY SOURCE...", "[OPTION]... -d DIRECTORY..."],
  about: "Copy files and set their permissions, or make directories.",
  options: TABLE,
  run(process, options, operands) {
    demandFiles(operands);
    const change = modeOf(options);
    return options.has("folders") ? makeFolders(process, options, change, operands) : putAll(process, options, change, operands);
  },
});
