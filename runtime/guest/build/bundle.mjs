// Bundles the guest's TypeScript; bundle.py runs it in a staging folder that holds ts/ and node_modules/.
// Writes out/modules.json: name in the archive -> file in out/.
import { mkdirSync, writeFileSync } from "node:fs";
import * as esbuild from "esbuild";

const common = {
  bundle: true,
  charset: "utf8",
  legalComments: "none",
  logLevel: "error",
  minifySyntax: true,
  platform: "neutral",
  mainFields: ["module", "main"],
  target: "es2024",
  tsconfig: "ts/tsconfig.json",
  write: true,
};

/** What a script can import: specifier -> file, as ts/node/modules.ts tells. */
async function table() {
  const built = await esbuild.build({ ...common, entryPoints: ["ts/node/modules.ts"], format: "esm", write: false });
  const { modules } = await import("data:text/javascript," + encodeURIComponent(built.outputFiles[0].text));
  return modules;
}

/** Leaves imports of the table's modules, under either of their names, and of amla:… to the guest's own require. */
function externals(modules) {
  return {
    name: "externals",
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        if (kind === "entry-point") return undefined;
        const full = path.includes(":") ? path : `node:${path}`;
        return full in modules || full.startsWith("amla:") ? { path: full, external: true } : undefined;
      });
    },
  };
}

const modules = await table();
const files = { system: "system.js" };
await esbuild.build({ ...common, entryPoints: ["ts/system.ts"], format: "iife", outfile: "out/system.js" });
for (const [name, source] of Object.entries(modules)) {
  files[name] = `${name.replace(/[:/]/g, "_")}.js`;
  await esbuild.build({
    ...common,
    entryPoints: [`ts/node/${source}`],
    format: "cjs",
    outfile: `out/${files[name]}`,
    plugins: [externals(modules)],
  });
}
mkdirSync("out", { recursive: true });
writeFileSync("out/modules.json", JSON.stringify(files));
