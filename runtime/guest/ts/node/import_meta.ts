/** `import.meta` of the script and of the modules that it imports. */

import { kernel } from "amla:kernel";
import { URL, pathToFileURL } from "node:url";

interface ImportMeta {
  dirname: string;
  filename: string;
  resolve: (specifier: string) => string;
  url: string;
}

const OWN_FILE = /^(?:\.{0,2}\/|\.{1,2}$|file:)/;

export function metaOf(path: string): ImportMeta {
  const url = pathToFileURL(path).href;
  /** Whether a file is there is not asked, as in Node. */
  const resolve = (specifier: string): string => {
    const name = `${specifier}`;
    return OWN_FILE.test(name) ? new URL(name, url).href : kernel.modules.resolve(path, name);
  };
  const dirname = path.replace(/\/[^/]*$/, "") || "/";
  return Object.assign(Object.create(null) as object, { dirname, filename: path, resolve, url });
}

/** That of the script itself: imports.ts puts this name in the place of `import.meta`. */
export const import$meta = metaOf(kernel.modules.main());
