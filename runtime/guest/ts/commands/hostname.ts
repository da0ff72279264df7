import { command, Failure } from "./command";

export const hostname = command({
  name: "hostname",
  usage: "[OPTION]...",
  about: "Print the host's name.",
  options: {
    short: ["-s, --short", "the short name"],
    full: ["-f, --fqdn, --long", "the full name"],
    domain: ["-d, --domain", "the domain, of which there is none"],
    address: ["-i, --ip-address", "the address"],
    addresses: ["-I, --all-ip-addresses", "all addresses"],
  },
  run(process, options, operands) {
    if (operands.length > 0) throw new Failure("you must be root to change the host name");
    const text = options.has("address") || options.has("addresses") ? "127.0.0.1" : options.has("domain") ? "" : "sandbox";
    process.stdout.print(`${text}\n`);
    return 0;
  },
});
