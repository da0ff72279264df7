/** Scripts as models hand them over: sometimes still inside the fence of a Markdown answer. */

const FENCED = /^\s*(`{3,}|~{3,})[^\n`]*\n([\s\S]*?)\n?[ \t]*\1\s*$/;

/** The script without a fence around the whole of it; lines keep their numbers. */
export function stripFence(source: string): string {
  const match = FENCED.exec(source);
  return match ? `\n${match[2]!}` : source;
}
