import { command } from "./command";
import { demandOperands } from "./operands";

const FACTS = {
  kernel: "Linux",
  node: "sandbox",
  release: "6.1.0-amla",
  version: "#1 SMP amla",
  machine: "wasm32",
  processor: "unknown",
  platform: "unknown",
  system: "GNU/Linux",
} as const;

type Fact = keyof typeof FACTS;

export const uname = command({
  name: "uname",
  usage: "[OPTION]...",
  about: "Print what system this is.",
  options: {
    all: ["-a, --all", "everything that is known"],
    kernel: ["-s, --kernel-name", "the kernel's name"],
    node: ["-n, --nodename", "the host's name"],
    release: ["-r, --kernel-release", "the kernel's release"],
    version: ["-v, --kernel-version", "the kernel's version"],
    machine: ["-m, --machine", "the machine's kind"],
    processor: ["-p, --processor", "the processor's kind"],
    platform: ["-i, --hardware-platform", "the platform"],
    system: ["-o, --operating-system", "the operating system"],
  },
  run(process, options, operands) {
    demandOperands(operands, 0, 0);
    const names = Object.keys(FACTS) as Fact[];
    const given = options.has("all") ? names.filter((name) => FACTS[name] !== "unknown") : names.filter((name) => options.has(name));
    process.stdout.print(`${(given.length > 0 ? given : (["kernel"] as const)).map((name) => FACTS[name]).join(" ")}\n`);
    return 0;
  },
});

export const arch = command({
  name: "arch",
  usage: "",
  about: "Print the machine's kind.",
  options: {},
  run(process) {
    process.stdout.print(`${FACTS.machine}\n`);
    return 0;
  },
});
