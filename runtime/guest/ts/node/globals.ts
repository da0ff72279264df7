/** Globals that a script's realm makes when they are first named: name -> [module, member]; `*` is the module itself. */

type Entry = readonly [module: string, member: string];

const byModule: Readonly<Record<string, readonly string[]>> = {
  "amla:abort": ["AbortController", "AbortSignal"],
  "amla:blob": ["Blob", "File"],
  "amla:commonjs": ["require", "module", "exports", "__filename", "__dirname"],
  "amla:event_target": ["CustomEvent", "Event", "EventTarget"],
  "amla:fetch": ["fetch", "Headers", "Request", "Response", "WebSocket"],
  "amla:shell": ["$"],
  "amla:structured_clone": ["structuredClone"],
  "amla:text_encoding": ["TextDecoder", "TextEncoder"],
  "amla:timers_core": ["clearImmediate", "clearInterval", "clearTimeout", "setImmediate", "setInterval", "setTimeout"],
  "amla:tools": [
    "ToolArgumentError",
    "ToolDeniedError",
    "ToolError",
    "ToolFailedError",
    "ToolLimitError",
    "ToolSchemaError",
    "tools",
    "UnknownToolError",
  ],
  "amla:whatwg_url": ["URL", "URLSearchParams"],
  "node:buffer": ["atob", "btoa", "Buffer"],
  "node:perf_hooks": [
    "performance",
    "PerformanceEntry",
    "PerformanceMark",
    "PerformanceMeasure",
    "PerformanceObserver",
  ],
};

const wholeModules: Readonly<Record<string, Entry>> = {
  console: ["node:console", "*"],
  crypto: ["node:crypto", "webcrypto"],
  fs: ["amla:fs_global", "*"],
  /** What the loader puts in the place of `import.meta`. */
  import$meta: ["amla:import_meta", "import$meta"],
  process: ["node:process", "*"],
};

/** Without a prototype, so that a script's `toString` or `constructor` is never taken for an entry. */
export const globals: Readonly<Record<string, Entry>> = Object.assign(
  Object.create(null) as Record<string, Entry>,
  wholeModules,
  ...Object.entries(byModule).map(([module, names]) =>
    Object.fromEntries(names.map((name): [string, Entry] => [name, [module, name]])),
  ),
);
