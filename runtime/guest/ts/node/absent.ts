/** Modules of Node that the sandbox does not have, and what to use instead. Plain data: the loader uses it too. */

const tools = "declare an http tool in the manifest and call that";
const network = `the sandbox has no network: ${tools}`;
const shell = "the sandbox has no processes: run shell commands with await $`…`, or declare a command tool in the manifest";
const threads = "the sandbox runs one script at a time: use async functions and Promise.all";

const reasons: Record<string, string> = {
  child_process: shell,
  cluster: shell,
  dgram: network,
  dns: network,
  "dns/promises": network,
  http: network,
  http2: network,
  https: network,
  net: network,
  tls: network,
  async_hooks: "there is nothing in the sandbox that it could follow",
  diagnostics_channel: "there is nothing in the sandbox that publishes to it",
  inspector: "the sandbox has no debugger: print with console.log",
  repl: "the sandbox has no terminal: start `amla repl` on the host",
  sqlite: "the sandbox has no database: keep data in files, or declare a tool",
  test: "the sandbox has no test runner: use node:assert",
  trace_events: "the sandbox has no tracing",
  tty: "the sandbox has no terminal",
  v8: "the sandbox's engine is not V8; structuredClone copies values",
  vm: "the sandbox runs no code in further contexts: use new Function or import()",
  wasi: "the sandbox cannot start WebAssembly",
  worker_threads: threads,
};

/** Why a module of Node's is not here; undefined for names that are none of those. */
export function absence(name: string): string | undefined {
  const plain = name.replace(/^node:/, "");
  return Object.hasOwn(reasons, plain) ? `The module '${plain}' is not available: ${reasons[plain]}` : undefined;
}
