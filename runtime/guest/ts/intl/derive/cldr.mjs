/**
 * Reads CLDR's JSON packages, from which the tables in ../data/ are derived. Not part of the build: run it when the tables
 * must follow a new CLDR release (the one of the Node that the tests are recorded with).
 *
 *   npm install cldr-{core,dates,numbers,units,localenames,misc}@48.0.0 (the -full variants), then
 *   node derive/numbers.mjs NODE_MODULES, and so on for each file here.
 */
import { readFileSync, writeFileSync } from "node:fs";

const modules = process.argv[2] ?? "node_modules";

/** Locales with number and date data besides American English; a region that is the language's own has no entry. */
export const LOCALES =
  "en-GB en-AU en-CA en-IN en-NZ en-IE en-ZA de de-AT de-CH fr fr-CA fr-CH es es-MX es-US es-AR it pt pt-PT nl sv da nb fi pl cs tr ru uk ja ko zh zh-Hant hi id vi".split(
    " ",
  );

export const read = (path) => JSON.parse(readFileSync(`${modules}/${path}`, "utf8"));

/** The data of one locale from a file of a package. `nb` lives in `no`. */
export function localeData(pkg, locale, file) {
  for (const name of locale === "nb" ? ["no"] : [locale]) return read(`cldr-${pkg}-full/main/${name}/${file}.json`).main[name];
}

export function write(name, lines) {
  const head = "// Derived from Unicode CLDR 48 by the scripts in ../derive; not to be edited by hand.";
  writeFileSync(new URL(`../data/${name}.ts`, import.meta.url), `${[head, ...lines].join("\n")}\n`);
}
