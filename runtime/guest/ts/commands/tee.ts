import { describeErrno } from "../shell/io/errors";
import type { Writer } from "../shell/io/writer";
import { command, complain } from "./command";
import { close, openWriter } from "./files";
import { nameShown } from "./quoting";

export const tee = command({
  name: "tee",
  usage: "[OPTION]... [FILE]...",
  about: "Copy standard input to each FILE, and to standard output.",
  options: {
    append: ["-a, --append", "append to the files"],
    ignore: ["-i, --ignore-interrupts", "ignored"],
    diagnose: ["-p", "ignored"],
    errors: ["--output-error[=MODE]", "ignored"],
  },
  async run(process, options, operands) {
    let status = 0;
    const writers: Writer[] = [process.stdout];
    for (const name of operands) {
      try {
        writers.push(openWriter(process, name, options.has("append")));
      } catch (error) {
        complain(process, `${nameShown(name)}: ${describeErrno(error)}`);
        status = 1;
      }
    }
    const { stdin } = process;
    for (let chunk = await stdin.chunk(); chunk.length > 0; chunk = await stdin.chunk()) {
      const bytes = writers.some(({ file }) => file.full) ? chunk.slice() : chunk;
      for (const writer of writers) await writer.write(bytes);
      await process.pause();
    }
    writers.slice(1).forEach(close);
    return status;
  },
});
