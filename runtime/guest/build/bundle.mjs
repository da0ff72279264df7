// Bundles the guest's TypeScript; bundle.py runs it in a staging folder that holds ts/ and node_modules/.
// Writes out/modules.json: name in the archive -> file in out/.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import * as esbuild from "esbuild";
import { partName, systemParts } from "./parts.mjs";

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

/** Leaves imports of the table's modules, under either of their names, of amla:… and of `parts` to the guest's own require. */
function externals(modules, parts) {
  return {
    name: "externals",
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        if (kind === "entry-point") return undefined;
        const full = path.includes(":") ? path : `node:${path}`;
        return full in modules || full.startsWith("amla:") ? { path: full, external: true } : undefined;
      });
      build.onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
        const file = resolve(resolveDir, `${path}.ts`);
        return parts.has(file) ? { path: partName(file), external: true } : undefined;
      });
    },
  };
}

/**
 * Declares fields for a constructor's parameter properties ahead of the class's other fields, where TypeScript puts them:
 * sucrase only assigns them, so that they came last in what is printed.
 */
const fieldOrder = {
  name: "field-order",
  setup(build) {
    build.onLoad({ filter: /sucrase.dist.esm.transformers.RootTransformer\.js$/ }, ({ path }) => {
      const before = "this.tokens.copyExpectedToken(tt.braceL);\n    if (this.isReactHotLoaderTransformEnabled)";
      const text = readFileSync(path, "utf8");
      if (text.split(before).length !== 2) throw new Error(`${path}: the class body is not where it was`);
      const fields = "constructorInitializerStatements.map((each) => ` ${each.slice(5, each.indexOf(' '))};`).join('')";
      const after = before.replace(";\n", `;\n    this.tokens.appendCode(${fields});\n`);
      return { contents: text.replace(before, () => after), loader: "js" };
    });
  },
};

/** Runs before there is a `require`: all that it needs is in it. */
const PRELUDE = "amla:prelude";

const modules = await table();
const files = {};
const fileOf = (name) => (files[name] = `${name.replace(/[:/]/g, "_")}.js`);
mkdirSync("out", { recursive: true });
const system = await systemParts(common);
for (const [name, text] of Object.entries(system.texts)) writeFileSync(`out/${fileOf(name)}`, text);
for (const [name, source] of Object.entries(modules)) {
  await esbuild.build({
    ...common,
    entryPoints: [`ts/node/${source}`],
    format: "cjs",
    outfile: `out/${fileOf(name)}`,
    plugins: [fieldOrder, externals(modules, name === PRELUDE ? new Set() : system.independent)],
  });
}
writeFileSync("out/modules.json", JSON.stringify(files));
