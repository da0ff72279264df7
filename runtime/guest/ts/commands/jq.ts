import { type JqHandle, JqState, native } from "../bridge/native";
import type { Maybe } from "../shell/io/maybe";
import type { Process } from "../shell/process";
import { complain } from "./command";
import { eachInput, readText } from "./files";
import { describeErrno } from "../shell/io/errors";
import { jqHelp, type JqPlan, readJqLine } from "./jq_options";

const USAGE_STATUS = 2;
const NO_FILE = 2;
const NO_OUTPUT = 2;

/** Runs the filter until it wants input or is done; what it says goes out meanwhile. */
async function pump(process: Process, handle: JqHandle): Promise<number> {
  for (;;) {
    const state = native.jq.next(handle);
    const errors = native.jq.errors(handle);
    if (errors) await process.stderr.write(errors);
    const output = native.jq.output(handle);
    if (output) await process.stdout.write(output);
    if (state === JqState.interrupted) native.host.poll();
    else if (state === JqState.pause) await process.pause();
    else if (state !== JqState.output) return state;
  }
}

async function run(process: Process, plan: JqPlan): Promise<number> {
  // A builtin that takes long (a sort, a conversion) can be stopped only with all that the guest has in hand.
  process.context.volume.journal.begin();
  const env = [...process.env].map(([name, value]) => `${name}=${value}`);
  const handle = native.jq.create(plan.program, plan.options, env);
  let state = await pump(process, handle);
  let failed = 0;
  if (state !== JqState.done) {
    failed = await eachInput(
      process,
      plan.files,
      async (reader, name) => {
        if (name !== "-") native.jq.source(handle, name);
        while (state !== JqState.done) {
          const chunk = await reader.chunk();
          if (chunk.length === 0) return;
          native.jq.feed(handle, chunk);
          state = await pump(process, handle);
        }
      },
      NO_FILE,
      (name, reason) => `error: Could not open file ${name}: ${reason}`,
    );
  }
  if (state !== JqState.done) {
    native.jq.end(handle);
    await pump(process, handle);
  }
  return native.jq.status(handle) || failed;
}

/** What cannot be read is told of where it is opened, so what is left is that output cannot be written. */
export const jq = (process: Process): Maybe<number> =>
  start(process).catch((error: unknown) => {
    complain(process, `error: writing output failed: ${describeErrno(error)}`);
    return NO_OUTPUT;
  });

async function start(process: Process): Promise<number> {
  const line = await readJqLine(process.args, (path) => readText(process, path).catch((error: unknown) => `\0${describeErrno(error)}`));
  if (line.kind === "text") {
    await process.stdout.write(line.text);
    return 0;
  }
  if (line.kind === "fault") {
    complain(process, `error: ${line.message}`);
    process.stderr.print(line.usage ? jqHelp(true) : "");
    await process.stderr.flush();
    return USAGE_STATUS;
  }
  return run(process, line);
}
