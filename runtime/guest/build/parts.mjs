// The system realm in parts: what SEAMS lists lies in the guest as modules of its own, one a file, which are loaded when a
// function of theirs is first called (ts/bridge/parts.ts). What such modules and the system's bundle both need stays in
// the bundle, which hands it out through the module "amla:shared".
import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import * as esbuild from "esbuild";

/** A file -> which of the modules it imports are loaded when they are first called; it must import nothing but functions. */
const SEAMS = {
  "commands/table.ts": /./,
  "commands/files.ts": /quoting/,
  "shell/builtins/table.ts": /directories|getopts|help|jobs|js|mapfile|names|other|tool|trap/,
  "shell/format/zone.ts": /intl/,
  "session/table.ts": /./,
  "bridge/sites.ts": /\/sites\//,
};
const LOADER = "bridge/parts.ts";

const root = resolve("ts");
const named = (file) => relative(root, file).replaceAll("\\", "/").replace(/\.ts$/, "");
const IMPORT = /^import \{([^}]*)\} from "([^"]+)";/gm;

/** file -> the names that a seam imports from it. */
function entries() {
  const found = new Map();
  for (const [seam, lazily] of Object.entries(SEAMS)) {
    for (const [, names, path] of readFileSync(resolve(root, seam), "utf8").matchAll(IMPORT)) {
      if (!lazily.test(path)) continue;
      const values = names.split(",").map((name) => name.trim()).filter((name) => name && !name.startsWith("type "));
      found.set(resolve(root, seam, "..", `${path}.ts`), values);
    }
  }
  return found;
}

/** In place of what a seam imports: functions that load it. `shared` is the text of the module "amla:shared". */
function seams(lazy, shared) {
  return {
    name: "seams",
    setup(build) {
      build.onResolve({ filter: /^amla:shared$/ }, () => ({ path: "shared", namespace: "shared" }));
      build.onLoad({ filter: /.*/, namespace: "shared" }, () => ({ contents: shared, resolveDir: root }));
      build.onResolve({ filter: /^\./ }, ({ path, importer, resolveDir }) => {
        const file = resolve(resolveDir, `${path}.ts`);
        return SEAMS[`${named(importer)}.ts`]?.test(path) && lazy.has(file) ? { path: named(file), namespace: "lazy" } : undefined;
      });
      build.onLoad({ filter: /.*/, namespace: "lazy" }, ({ path }) => {
        // The path is in the bundle, as a comment: it must not tell where the build is.
        const functions = lazy.get(resolve(root, `${path}.ts`)).map((name) => `export const ${name} = lazily("amla:${path}", "${name}");`);
        return { contents: [`import { lazily } from "./${LOADER}";`, ...functions].join("\n"), resolveDir: root };
      });
    },
  };
}

/** The system's bundle: its text, and the files in it. */
async function bundled(options, lazy, shared) {
  const built = await esbuild.build({
    ...options, entryPoints: ["ts/system.ts"], format: "iife", outfile: "system.js",
    metafile: true, plugins: [seams(lazy, shared)], write: false,
  });
  const { inputs } = Object.values(built.metafile.outputs)[0];
  const files = Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([file]) => resolve(file));
  return { text: built.outputFiles[0].text, files: new Set(files) };
}

/** A file as a module of its own: its text, and the other files that it needs. */
async function single(options, file, baked) {
  const needs = new Set();
  const others = {
    name: "others",
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ path, resolveDir, kind }) => {
        if (kind === "entry-point") return undefined;
        const needed = resolve(resolveDir, `${path}.ts`);
        needs.add(needed);
        return { path: `${baked.has(needed) ? "" : "amla:"}${named(needed)}`, external: true, sideEffects: false };
      });
    },
  };
  const built = await esbuild.build({
    ...options, entryPoints: [relative(".", file)], format: "esm", outfile: "single.js", plugins: [others], write: false,
  });
  return { text: built.outputFiles[0].text, needs };
}

/** All that lies behind the seams and not in the bundle: file -> its module. */
async function behind(options, lazy, baked) {
  const modules = new Map();
  const wanted = [...lazy.keys()];
  for (let file = wanted.pop(); file; file = wanted.pop()) {
    if (modules.has(file) || baked.has(file)) continue;
    const module = await single(options, file, baked);
    modules.set(file, module);
    wanted.push(...module.needs);
  }
  return modules;
}

const EXTERNAL = /^import (?:\{([^}]*)\}|\* as (\w+)) from "([^"]+)";$/gm;
const EXPORTED = /^export \{([^}]*)\};$/gm;
const items = (list) => list.split(",").map((item) => item.trim().split(" as ")).filter(([name]) => name);

/** The text with imports and exports as the guest's loader has them. */
function commonjs(text) {
  return text
    .replace(EXTERNAL, (_, names, whole, path) => {
      const bound = whole ?? `{ ${items(names).map(([name, as]) => (as ? `${name}: ${as}` : name)).join(", ")} }`;
      return `const ${bound} = require("${path}");`;
    })
    .replace(EXPORTED, (_, names) => items(names).map(([name, as]) => `exports.${as ?? name} = ${name};`).join("\n"));
}

const WHOLE = "*";

/** path in the bundle -> the names that these modules import from it; WHOLE where one takes the whole namespace. */
function uses(modules) {
  const used = new Map();
  for (const { text } of modules.values()) {
    for (const [, names, whole, path] of text.matchAll(EXTERNAL)) {
      if (path.startsWith("amla:")) continue;
      const known = used.get(path) ?? new Set();
      for (const [name] of whole ? [[WHOLE]] : items(names)) known.add(name);
      used.set(path, known);
    }
  }
  return [...used].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, names]) => [path, [...names].sort()]);
}

/** The module "amla:shared" for these modules. */
function sharedBy(modules) {
  const used = uses(modules);
  const imports = used.map(([path, names], i) => {
    const bound = names.includes(WHOLE) ? `* as all$${i}` : `{ ${names.map((name) => `${name} as ${name}$${i}`).join(", ")} }`;
    return `import ${bound} from "./${path}";`;
  });
  const cases = used.map(([path, names], i) => {
    const value = names.includes(WHOLE) ? `all$${i}` : `{ ${names.map((name) => `${name}: ${name}$${i}`).join(", ")} }`;
    return `case "${path}": return ${value};`;
  });
  return [...imports, "export function shared(path) { switch (path) {", ...cases, "} }"].join("\n");
}

/** A circle of modules would find some of its exports undefined. */
function refuseCircles(modules) {
  const done = new Set();
  const visit = (file, path) => {
    if (path.includes(file)) throw new Error(`files import each other: ${[...path.slice(path.indexOf(file)), file].map(named).join(" -> ")}`);
    if (done.has(file) || !modules.has(file)) return;
    for (const needed of modules.get(file).needs) visit(needed, [...path, file]);
    done.add(file);
  };
  for (const file of modules.keys()) visit(file, []);
}

/** What the bundle has by another way is no module that could be loaded. */
function refuseBaked(lazy, baked) {
  for (const file of lazy.keys()) if (baked.has(file)) throw new Error(`${named(file)} is behind a seam, but imported by the bundle as well`);
}

/** The files whose modules need nothing of the bundle: a script's realm can load them as well. */
function independent(modules) {
  const found = new Set(modules.keys());
  const stands = (file) => [...modules.get(file).needs].every((needed) => found.has(needed));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const file of found) if (!stands(file)) found.delete(file);
  }
  return found;
}

/** The module of a file in `system.independent`. */
export const partName = (file) => `amla:${named(file)}`;

/**
 * The system: `texts`, "system" and the modules behind the seams, by name; and which files' modules are independent.
 */
export async function systemParts(options) {
  const lazy = entries();
  let shared = "export const shared = () => {};";
  let system = await bundled(options, lazy, shared);
  for (;;) {
    const modules = await behind(options, lazy, system.files);
    shared = sharedBy(modules);
    const next = await bundled(options, lazy, shared);
    const grown = next.files.size > system.files.size && [...modules.keys()].some((file) => next.files.has(file));
    system = next;
    if (grown) continue;
    refuseCircles(modules);
    refuseBaked(lazy, system.files);
    const texts = { system: system.text };
    for (const [file, { text }] of modules) texts[partName(file)] = commonjs(text);
    return { texts, independent: independent(modules) };
  }
}
