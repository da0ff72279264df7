import { kernel } from "amla:kernel";

const VERSION = "v20.19.0";

const versions = { node: VERSION.slice(1), v8: "11.3.244.8-node.26", uv: "1.46.0", modules: "115" };

/** What is the same for every script. */
export const facts = {
  title: "node",
  version: VERSION,
  versions,
  arch: "x64",
  platform: "linux",
  release: { name: "node", lts: "Iron" },
  execPath: "/usr/bin/node",
  execArgv: [] as string[],
  pid: 1,
  ppid: 0,
  config: { target_defaults: {}, variables: {} },
  features: { inspector: false, debug: false, uv: false, ipv6: false },
  debugPort: 9229,
  allowedNodeEnvironmentFlags: new Set<string>(),
};

/** Names and values are strings, as in a real environment. */
export function environment(): Record<string, string> {
  const variables: Record<string, string> = {
    ...kernel.process.environment((name, value) => {
      if (value === undefined) delete variables[name];
      else variables[name] = value;
    }),
  };
  const assign = (_: unknown, name: string | symbol, value: unknown): boolean => {
    if (typeof name === "symbol" || typeof value === "symbol")
      throw new TypeError("Cannot convert a Symbol value to a string");
    variables[name] = `${value}`;
    kernel.process.setVariable(name, variables[name]);
    return true;
  };
  const env = new Proxy<Record<string, string>>(variables, {
    set: assign,
    defineProperty: (target, name, { value }) => assign(target, name, value),
    deleteProperty(target, name) {
      if (typeof name === "string") kernel.process.setVariable(name, undefined);
      return Reflect.deleteProperty(target, name);
    },
  });
  kernel.console.disguise(env);
  return env;
}
