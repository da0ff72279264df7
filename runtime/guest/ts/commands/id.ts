import { USER } from "../vfs/inode";
import { command, Failure } from "./command";
import { demandOperands } from "./operands";
import { UsageFault } from "./options";
import { ownerId, ownerName } from "./owners";
import { quoted } from "./sizes";

function idOf(name: string | undefined): number {
  if (name === undefined) return USER;
  const id = ownerId(name);
  if (id === undefined || ownerName(id) === String(id)) throw new Failure(`${quoted(name)}: no such user`);
  return id;
}

export const id = command({
  name: "id",
  usage: "[OPTION]... [USER]",
  about: "Print who the user is, and the user's groups.",
  options: {
    ignored: ["-a", "ignored"],
    group: ["-g, --group", "only the group's number"],
    groups: ["-G, --groups", "only the numbers of all groups"],
    name: ["-n, --name", "names instead of numbers"],
    real: ["-r, --real", "ignored"],
    user: ["-u, --user", "only the user's number"],
    zero: ["-z, --zero", "end with a NUL byte"],
  },
  run(process, options, operands) {
    demandOperands(operands, 0, 1);
    const number = idOf(operands[0]);
    const name = ownerName(number);
    const one = options.last("group", "groups", "user");
    if (one === undefined && options.has("name")) throw new UsageFault("cannot print only names or real IDs in default format", false);
    const end = options.has("zero") ? "\0" : "\n";
    const all = `uid=${number}(${name}) gid=${number}(${name}) groups=${number}(${name})`;
    process.stdout.print((one === undefined ? all : options.has("name") ? name : String(number)) + end);
    return 0;
  },
});

export const whoami = command({
  name: "whoami",
  usage: "",
  about: "Print the user's name.",
  options: {},
  run(process, _options, operands) {
    demandOperands(operands, 0, 0);
    process.stdout.print(`${ownerName(USER)}\n`);
    return 0;
  },
});

export const groups = command({
  name: "groups",
  usage: "[USER]...",
  about: "Print the groups of the user.",
  options: {},
  run(process, _options, operands) {
    for (const name of operands) process.stdout.print(`${name} : ${ownerName(idOf(name))}\n`);
    if (operands.length === 0) process.stdout.print(`${ownerName(USER)}\n`);
    return 0;
  },
});
