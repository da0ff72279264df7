/** Paths as texts. */

/** Without slashes at the end; "/" for nothing but slashes. */
export function withoutSlashes(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === "/") end -= 1;
  return path.slice(0, end);
}

/** The last component; "/" for the root, "" for "". */
export function baseName(path: string): string {
  const bare = withoutSlashes(path);
  return bare === "/" ? bare : bare.slice(bare.lastIndexOf("/") + 1);
}

/** What is before the last component, as dirname(1) has it. */
export function dirName(path: string): string {
  const bare = withoutSlashes(path);
  const at = bare.lastIndexOf("/");
  return at < 0 ? "." : withoutSlashes(bare.slice(0, at + 1));
}

/** `name` in `directory`, which may end in a slash. */
export function joined(directory: string, name: string): string {
  return directory.endsWith("/") ? directory + name : `${directory}/${name}`;
}

