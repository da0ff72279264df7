/** Completion of JavaScript. */

import { maybeCurrent } from "../../bridge/current";
import { table } from "../../bridge/tools";
import { type Realm, native } from "../../bridge/native";
import { globals } from "../../node/globals";
import { isModule } from "../builtin_modules";
import { lookingGlass } from "../scratch";
import type { Session } from "../session";
import { chainEndingAt, endsValue } from "./chain";
import { describe, isObject, keysOf, members, namesOf } from "./members";
import { pathsFor } from "./paths";
import { type Candidate, type Completed, nothing } from "./slot";
import { instanceOf, returned } from "./results";
import { isDot, scan, type Scan, type Token } from "./tokens";
import { toolAt, toolCallAt, toolNamed } from "./tool_call";

const KEYWORDS =
  "async await break case catch class const continue debugger default delete do else export extends false finally for function if import in instanceof let new null of return static super switch this throw true try typeof undefined var void while with yield";
/** Globals that cannot be made before a line has run. */
const TELLS_OF_RUN = new Set(["__dirname", "__filename", "exports", "import$meta", "module", "process", "require"]);
const FILE_FUNCTION =
  /^(?:access|appendFile|chmod|copyFile|cp|createReadStream|createWriteStream|exists|lstat|mkdir|open|opendir|readFile|readdir|readlink|realpath|rename|rm|rmdir|stat|symlink|truncate|unlink|utimes|writeFile)(?:Sync)?$/;

export function completeScript(session: Session | undefined, text: string): Completed {
  const found = scan(text);
  const last = found.tokens[found.tokens.length - 1];
  if (found.inComment) return nothing;
  if (last?.isOpen) return inString(session, found, last);
  const isTyping = last !== undefined && last.kind === "name" && last.start + last.text.length === text.length;
  const prefix = isTyping ? last.text : "";
  const at = found.tokens.length - (isTyping ? 1 : 0);
  const start = text.length - prefix.length;
  if (last && !isTyping && /^(?:number|regex)$/.test(last.kind) && last.start + last.text.length === text.length) return nothing;
  if (isDot(found.tokens[at - 1])) return { start, candidates: matching(membersAt(session, found, at - 2), prefix) };
  const slot = toolCallAt(session, found, at, prefix, "");
  const names = slot && slot.key === undefined ? [] : matching(words(session), prefix);
  return slot ? { start, candidates: names, slot } : { start, candidates: names };
}

/** Hidden names (`__proto__`) are for those who ask. */
function matching(candidates: readonly Candidate[], prefix: string): Candidate[] {
  return candidates.filter(([text]) => text.startsWith(prefix) && (prefix.startsWith("__") || !text.startsWith("__")));
}

function membersAt(session: Session | undefined, found: Scan, end: number): Candidate[] {
  const chain = chainEndingAt(found.tokens, end);
  if (!chain) return [];
  const tools = toolsUnder(session, chain);
  if (tools) return tools;
  const realm = (session?.active.realm ?? lookingGlass()).realm;
  const value = valueOf(session, realm, chain);
  return value === undefined || value === null ? [] : members(realm, value);
}

function valueOf(session: Session | undefined, realm: Realm, chain: readonly Token[]): unknown {
  if (session && isEnvironment(realm, chain)) return session.environment.asRecord();
  let value = root(session, chain[0]!);
  for (let at = 1; at < chain.length; at += 1) {
    const { kind, text } = chain[at]!;
    if (kind === "call" && toolAt(session, chain.slice(0, at)) !== undefined) value = instanceOf(realm, "Promise");
    else if (kind === "call") value = returned(realm, value, chain[at - 1]!.text);
    else if (kind === "construct") value = isObject(value) ? native.realm.peek(value, "prototype") : undefined;
    else value = memberOf(realm, value, kind === "string" ? text.slice(1, -1) : text);
  }
  return value;
}

/** Whether a chain is `process.env`, which comes into being when it is first used. */
function isEnvironment(realm: Realm, chain: readonly Token[]): boolean {
  return chain.map(({ text }) => text).join(".") === "process.env" && !native.realm.variables(realm).includes("process");
}

/** Of a string or number what its prototype has. */
function memberOf(realm: Realm, value: unknown, name: string): unknown {
  if (value === undefined || value === null) return undefined;
  return native.realm.peek(isObject(value) ? value : native.realm.proto(realm, value), name);
}

function root(session: Session | undefined, { kind, text }: Token): unknown {
  if (kind === "string" || kind === "template") return "";
  if (kind === "number") return 0;
  const fresh = lookingGlass();
  const literal = kind === "regex" ? "RegExp" : kind === "array" ? "Array" : undefined;
  const { realm } = session?.active.realm ?? fresh;
  if (literal) return instanceOf(realm, literal);
  if (text === "this") return native.realm.global(realm);
  const known = session && native.realm.variable(session.active.realm.realm, text);
  if (known !== undefined) return known;
  const builtin = native.realm.variable(fresh.realm, text);
  return builtin === undefined ? lazily(text) : builtin;
}

/** A global that comes into being when it is named: of a realm where naming it runs no code of a script's. */
function lazily(name: string): unknown {
  const entry = globals[name] ?? (isModule(name) ? [`node:${name}`, "*"] : undefined);
  if (!entry || (TELLS_OF_RUN.has(name) && maybeCurrent() === undefined)) return undefined;
  const module = lookingGlass().require(entry[0]);
  return entry[1] === "*" ? module : native.realm.peek(module, entry[1]);
}

function words(session: Session | undefined): Candidate[] {
  const realm = (session?.active.realm ?? lookingGlass()).realm;
  const found = new Map<string, Candidate>();
  const add = (candidate: Candidate): void => void (found.has(candidate[0]) || found.set(candidate[0], candidate));
  for (const name of native.realm.variables(realm)) if (typeof name === "string") add(variable(realm, name));
  for (const name of toolRoots()) add([name, "tool", ""]);
  for (const name of namesOf(native.realm.global(realm))) add(variable(realm, name));
  for (const name of Object.keys(globals)) if (!name.includes("$") || name === "$") add([name, "global", ""]);
  for (const word of KEYWORDS.split(" ")) add([word, "keyword", ""]);
  return [...found.values()];
}

function variable(realm: Realm, name: string): Candidate {
  const [text, kind, detail] = describe(name, native.realm.variable(realm, name));
  return [text, kind === "property" ? "variable" : kind, detail];
}

function toolRoots(): string[] {
  return [...new Set(table.list().map(({ path }) => toolNamed(path).split(".")[0]!))];
}

/** Tools, and groups of them, whose names begin with the chain; undefined where it is something else's. */
function toolsUnder(session: Session | undefined, chain: readonly Token[]): Candidate[] | undefined {
  const first = chain[0]!.text;
  if (!toolRoots().includes(first) || chain.some(({ kind }) => kind !== "name")) return undefined;
  if (session && native.realm.variables(session.active.realm.realm).includes(first)) return undefined;
  const under = `${chain.map(({ text }) => text).join(".")}.`;
  const found = new Map<string, Candidate>();
  for (const { path, description } of table.list()) {
    const name = toolNamed(path);
    if (!name.startsWith(under)) continue;
    const [next, ...more] = name.slice(under.length).split(".");
    found.set(next!, [next!, more.length > 0 ? "tools" : "tool", more.length > 0 ? "" : firstLine(description)]);
  }
  return [...found.values()];
}

export function firstLine(text: string): string {
  return text.split("\n")[0]!;
}

// --- in a string ---------------------------------------------------------------------------------

function inString(session: Session | undefined, found: Scan, string: Token): Completed {
  if (string.kind === "template") return nothing;
  const quote = string.text[0]!;
  const typed = string.text.slice(1);
  const at = found.tokens.length - 1;
  const start = string.start + 1;
  const call = callOf(found);
  const slot = toolCallAt(session, found, at, typed, quote);
  if (slot) return { start: string.start, candidates: [], slot };
  const keys = keysAt(session, found, at, quote);
  if (keys) return { start, candidates: keys.filter(([text]) => text.startsWith(typed)) };
  if (isModuleName(found, at, call)) return { start, candidates: modules(session, typed, quote) };
  if (call?.map(({ text }) => text).join(".") === "tools.call") return { start, candidates: toolNames(typed, quote) };
  if (call && FILE_FUNCTION.test(call[call.length - 1]!.text)) return { start, candidates: files(session, typed, quote) };
  return nothing;
}

/** The keys of what is being indexed by the string at a token; undefined where nothing is. */
function keysAt(session: Session | undefined, { tokens }: Scan, at: number, quote: string): Candidate[] | undefined {
  if (tokens[at - 1]?.text !== "[" || !endsValue(tokens[at - 2])) return undefined;
  const chain = chainEndingAt(tokens, at - 2);
  const realm = (session?.active.realm ?? lookingGlass()).realm;
  const value = chain && valueOf(session, realm, chain);
  const spelt = (key: string): string => JSON.stringify(key).slice(1, -1).replaceAll('\\"', '"').replaceAll(quote, `\\${quote}`);
  return keysOf(value).map(([key, kind, detail]): Candidate => [spelt(key) + quote, kind, detail]);
}

/** The function whose arguments the cursor is in. */
function callOf({ tokens, open }: Scan): Token[] | undefined {
  const last = open[open.length - 1];
  return last?.text === "(" ? chainEndingAt(tokens, last.at - 1) : undefined;
}

function isModuleName({ tokens }: Scan, at: number, call: readonly Token[] | undefined): boolean {
  const before = tokens[at - 1]?.text;
  if (before === "from" || before === "import") return true;
  return before === "(" && call?.length === 1 && /^(?:require|import)$/.test(call[0]!.text);
}

function modules(session: Session | undefined, typed: string, quote: string): Candidate[] {
  if (/^[./]/.test(typed)) return files(session, typed, quote);
  const names = native.host.modules().filter((name) => name.startsWith("node:"));
  const spelt = typed.startsWith("node:") ? names : names.map((name) => name.slice(5));
  return spelt.filter((name) => name.startsWith(typed)).sort().map((name): Candidate => [name + quote, "module", ""]);
}

function toolNames(typed: string, quote: string): Candidate[] {
  const all = table.list().map(({ path, description }): Candidate => [toolNamed(path) + quote, "tool", firstLine(description)]);
  return all.filter(([text]) => text.startsWith(typed));
}

function files(session: Session | undefined, typed: string, quote: string): Candidate[] {
  if (!session) return [];
  return pathsFor(session.looking, session.process.cwd, typed).map(({ path, isDirectory }) =>
    isDirectory ? [`${path}/`, "directory", ""] : [path + quote, "file", ""],
  );
}
