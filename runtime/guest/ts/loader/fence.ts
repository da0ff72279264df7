/** Scripts as models hand them over: sometimes still inside the fence of a Markdown answer. */

/** Whether there may be one, which is quicker to see. */
const BEGINS = /^\s*[`~]/;
const FENCED = /^\s*(`{3,}|~{3,})[^\n`]*\n([\s\S]*?)\n?[ \t]*\1\s*$/;

/** The script without a fence around the whole of it; lines keep their numbers. */
export function stripFence(source: string): string {
  const match = BEGINS.test(source) && FENCED.exec(source);
  return match ? `\n${match[2]!}` : source;
}
