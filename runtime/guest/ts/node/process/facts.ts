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
  return new Proxy({ ...kernel.process.env } as Record<string, string>, {
    set(target, name, value: unknown) {
      if (typeof name === "symbol" || typeof value === "symbol")
        throw new TypeError("Cannot convert a Symbol value to a string");
      target[name] = `${value}`;
      if (name === "TZ") kernel.process.setZone(target[name]);
      return true;
    },
    deleteProperty(target, name) {
      if (name === "TZ") kernel.process.setZone(undefined);
      return Reflect.deleteProperty(target, name);
    },
    defineProperty(target, name, { value }) {
      target[name as string] = `${value}`;
      return true;
    },
  });
}
