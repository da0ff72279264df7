import { native } from "../bridge/native";
import { describeErrno } from "../shell/io/errors";
import type { Process } from "../shell/process";
import { Errno } from "../vfs/errors";
import { O_CREAT, O_EXCL, O_WRONLY } from "../vfs/flags";
import { open } from "../vfs/open";
import { mkdir } from "../vfs/tree";
import { command, Failure } from "./command";
import { demandOperands } from "./operands";
import { type Options, UsageFault } from "./options";
import { joined } from "./paths";
import { nodeAt } from "./targets";
import { quoted } from "./sizes";

const TABLE = {
  directory: ["-d, --directory", "make a directory"],
  dryRun: ["-u, --dry-run", "make nothing, only print a name"],
  quiet: ["-q, --quiet", "no message when it fails"],
  suffix: ["--suffix=SUFFIX", "put SUFFIX behind the name"],
  folder: ["-p DIR", "make it in DIR"],
  tmpdir: ["--tmpdir[=DIR]", "make it in DIR, or in $TMPDIR or /tmp"],
  old: ["-t", "the template is a name in $TMPDIR or /tmp"],
} as const;

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const TRIES = 100;

function letters(count: number): string {
  const random = new Uint8Array(count);
  native.random.fill(random);
  return Array.from(random, (byte) => LETTERS[byte % LETTERS.length]).join("");
}

interface Template {
  readonly front: string;
  readonly count: number;
  readonly back: string;
}

function templateOf(process: Process, options: Options<typeof TABLE>, given: string | undefined): Template {
  const text = given ?? "tmp.XXXXXXXXXX";
  const suffix = options.value("suffix");
  const [, front, run, back] = /^([^]*?)(X+)([^X]*)$/.exec(text) ?? [];
  if (suffix !== undefined && back) throw new Failure(`with --suffix, template ${quoted(text)} must end in X`);
  if (run === undefined || run.length < 3) throw new Failure(`too few X's in template ${quoted(text)}`);
  if ((back! + (suffix ?? "")).includes("/")) throw new Failure(`invalid suffix ${quoted(back! + (suffix ?? ""))}, contains directory separator`);
  const usual = process.env.get("TMPDIR") || "/tmp";
  const named = options.value("folder") ?? options.value("tmpdir");
  let folder: string | undefined;
  if (options.has("old")) {
    if (text.includes("/")) throw new Failure(`invalid template, ${quoted(text)}, contains directory separator`);
    folder = process.env.get("TMPDIR") || named || "/tmp";
  } else if (given === undefined || options.has("folder") || options.has("tmpdir")) {
    folder = named || usual;
    if (text.startsWith("/")) throw new Failure(`invalid template, ${quoted(text)}; with --tmpdir, it may not be absolute`);
  }
  return { front: folder === undefined ? front! : joined(folder, front!), count: run.length, back: back! + (suffix ?? "") };
}

function create(process: Process, directory: boolean, dry: boolean, { front, count, back }: Template): string {
  const { context } = process;
  for (let attempt = 0; ; attempt += 1) {
    const path = front + letters(count) + back;
    try {
      if (dry) {
        if (nodeAt(process, path, false)) continue;
      } else if (directory) mkdir(context, path, 0o700);
      else open(context, path, O_WRONLY | O_CREAT | O_EXCL, 0o600).close();
      return path;
    } catch (error) {
      if (!(error instanceof Errno) || error.code !== "EEXIST" || attempt >= TRIES) throw error;
    }
  }
}

export const mktemp = command({
  name: "mktemp",
  usage: "[OPTION]... [TEMPLATE]",
  about: "Make a file with a name of its own and print the name; the Xs at the end of TEMPLATE are replaced.",
  options: TABLE,
  run(process, options, operands) {
    if (operands.length > 1) throw new UsageFault("too many templates");
    demandOperands(operands, 0, 1);
    const directory = options.has("directory");
    const template = templateOf(process, options, operands[0]);
    try {
      process.stdout.print(`${create(process, directory, options.has("dryRun"), template)}\n`);
      return 0;
    } catch (error) {
      const reason = describeErrno(error);
      if (options.has("quiet")) return 1;
      throw new Failure(`failed to create ${directory ? "directory" : "file"} via template ${quoted(template.front + "X".repeat(template.count) + template.back)}: ${reason}`);
    }
  },
});
