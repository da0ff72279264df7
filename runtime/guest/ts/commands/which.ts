import { command } from "./command";
import { locations } from "./programs";

export const which = command({
  name: "which",
  usage: "[-a] NAME...",
  about: "Print the paths of programs.",
  options: { all: ["-a", "all paths, not only the first"], silent: ["-s", "print nothing"] },
  failure: 2,
  run(process, options, operands) {
    let status = operands.length > 0 ? 0 : 1;
    for (const name of operands) {
      const found = [...new Set(locations(process, name))];
      if (found.length === 0) status = 1;
      if (!options.has("silent")) for (const path of options.has("all") ? found : found.slice(0, 1)) process.stdout.print(`${path}\n`);
    }
    return status;
  },
});
