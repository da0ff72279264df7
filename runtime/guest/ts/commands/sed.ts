import { native, type SedHandle } from "../bridge/native";
import { describeErrno } from "../shell/io/errors";
import { finally_, then, type Maybe } from "../shell/io/maybe";
import type { Process } from "../shell/process";
import { command, Failure } from "./command";
import { readText } from "./files";
import { bytewise } from "./locale";
import { type Options, UsageFault } from "./options";
import { SedRun } from "./sed_world";

const TABLE = {
  quiet: ["-n, --quiet, --silent", "print only what commands print"],
  script: ["-e, --expression=SCRIPT", "add SCRIPT to the commands"],
  file: ["-f, --file=FILE", "add what FILE holds to the commands"],
  extended: ["-E, -r, --regexp-extended", "use extended regular expressions"],
  inPlace: ["-i, --in-place[=SUFFIX]", "edit files in place; with SUFFIX keep a copy"],
  followSymlinks: ["--follow-symlinks", "with -i, edit what a link points to"],
  width: ["-l, --line-length=N", "wrap lines of the command l at N characters"],
  posix: ["--posix", "do without some of what GNU adds"],
  separate: ["-s, --separate", "take files one by one, not as one long stream"],
  sandbox: ["--sandbox", "refuse the commands e, r and w"],
  unbuffered: ["-u, --unbuffered", "write each line at once"],
  nul: ["-z, --null-data, --zero-terminated", "lines end in a NUL byte"],
  debug: ["--debug", "not supported"],
  binary: ["-b, --binary", "ignored"],
} as const;

type Given = Options<typeof TABLE>;

const FLAGS = ["quiet", "extended", "separate", "inPlace", "posix", "sandbox", "unbuffered", "nul"] as const;
const PANIC = 4;

function settings(process: Process, options: Given): Record<string, unknown> {
  const width = options.value("width") ?? "70";
  if (!/^\d+$/.test(width)) throw new Failure(`invalid line length: ${width}`, 1);
  return { ...Object.fromEntries(FLAGS.map((flag) => [flag, options.has(flag)])), width: Number(width), bytewise: bytewise(process) };
}

async function addFile(process: Process, handle: SedHandle, name: string): Promise<void> {
  try {
    native.sed.source(handle, name, native.text.encode(await readText(process, name)));
  } catch (error) {
    throw new Failure(`couldn't open file ${name}: ${describeErrno(error)}`, PANIC);
  }
}

function addScripts(process: Process, handle: SedHandle, options: Given, operands: string[]): Maybe<void> {
  const given = options.order.filter(({ key }) => key === "script" || key === "file");
  if (given.length === 0) {
    const script = operands.shift();
    if (script === undefined) throw new UsageFault("Usage: sed [OPTION]... {script-only-if-no-other-script} [input-file]...");
    native.sed.source(handle, undefined, native.text.encode(script));
    return;
  }
  const add = async (): Promise<void> => {
    for (const { key, value } of given) {
      if (key === "file") await addFile(process, handle, value!);
      else native.sed.source(handle, undefined, native.text.encode(value!));
    }
  };
  if (given.some(({ key }) => key === "file")) return add();
  for (const { value } of given) native.sed.source(handle, undefined, native.text.encode(value!));
}

export const sed = command({
  name: "sed",
  usage: "[OPTION]... {SCRIPT, if no -e or -f} [FILE]...",
  about: "Edit lines of the files, or of standard input, as the commands of a script say. The command e and the flag e, which run programs, are not supported.",
  options: TABLE,
  run(process, options, operands) {
    if (options.has("debug")) throw new Failure("option --debug is not supported here");
    const handle = native.sed.create(settings(process, options));
    const edit = options.has("inPlace") ? { suffix: options.value("inPlace") ?? "", follow: options.has("followSymlinks") } : undefined;
    const run = new SedRun(process, handle, operands, edit, { separate: edit !== undefined || options.has("separate"), nul: options.has("nul") });
    const work = (): Maybe<number> =>
      then(addScripts(process, handle, options, operands), () => {
        if (edit && operands.length === 0) throw new Failure("no input files", PANIC);
        return run.run();
      });
    return finally_(work, () => {
      run.dispose();
      native.sed.free(handle);
    });
  },
});
