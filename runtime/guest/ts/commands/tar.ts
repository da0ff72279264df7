import { command, complain, Failure } from "./command";
import { UsageFault } from "./options";
import { type Given, type Mode, MODES, rewrite, TABLE } from "./tar_options";
import { TarReading } from "./tar_reading";
import { TarRun, TROUBLE } from "./tar_run";
import { TarWriting } from "./tar_writing";

const DIFFERENCE = 1;

/** Each tells whether files differ. */
const WORK: Readonly<Record<Mode, (run: TarRun) => Promise<boolean | void>>> = {
  create: (run) => new TarWriting(run).create(),
  extract: (run) => new TarReading(run).extract(),
  list: (run) => new TarReading(run).list(),
  append: (run) => new TarWriting(run).append(false),
  update: (run) => new TarWriting(run).append(true),
  diff: (run) => new TarReading(run).compare(),
  concatenate: (run) => new TarWriting(run).concatenate(),
  delete: (run) => new TarWriting(run).delete(),
};

function modeOf(options: Given): Mode {
  const [mode, other] = MODES.filter((each) => options.has(each));
  if (mode === undefined) throw new UsageFault("You must specify one of the '-Acdtrux', '--delete' or '--test-label' options");
  if (other !== undefined) throw new UsageFault("You may not specify more than one '-Acdtrux', '--delete' or '--test-label' option");
  return mode;
}

async function runMode(run: TarRun): Promise<number> {
  const differs = await WORK[modeOf(run.options)](run);
  if (!run.failed) return differs ? DIFFERENCE : 0;
  complain(run.process, "Exiting with failure status due to previous errors");
  return TROUBLE;
}

function refuseUnsupported(options: Given): void {
  for (const { key, value } of options.order) {
    const [flags, help] = TABLE[key];
    if (help === "not supported") throw new Failure(`option ${flags.replace(/[=[].*/, "")} is not supported here`, TROUBLE);
    if (key === "program" && !/^(gzip|gunzip|zcat)\b/.test(value!)) throw new Failure(`--use-compress-program=${value} is not supported here; gzip is`, TROUBLE);
  }
}

export const tar = command({
  name: "tar",
  usage: "[OPTION]... [FILE]...",
  about: "Many files in one: make archives, list them, take files out.",
  options: TABLE,
  failure: TROUBLE,
  rewrite,
  run(process, options, operands) {
    refuseUnsupported(options);
    const home = process.context.cwd;
    return runMode(new TarRun(process, options, operands)).finally(() => {
      process.context.cwd = home; // -C counts for this command alone
    });
  },
});
