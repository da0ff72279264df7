/** read: one line of input, split into variables. */

import { native } from "../../bridge/native";
import type { Taker } from "../../vfs/openfile";
import { assignReference } from "../expand/assign";
import { splitLine } from "./split_line";
import { then, type Maybe } from "../io/maybe";
import { Reader } from "../io/reader";
import { AssociativeArray, IndexedArray } from "../run/arrays";
import { ExpressionFault } from "../expand/errors";
import { arrayVariable, dressed } from "../expand/store";
import { ScriptFault, ShellError } from "../run/errors";
import type { Shell } from "../run/shell";
import type { Variables } from "../run/variables";
import { type Builtin, readOptions, refuse } from "./builtin";

const USAGE = "read [-ers] [-a array] [-d delim] [-i text] [-n nchars] [-N nchars] [-p prompt] [-t timeout] [-u fd] [name ...]";
const TIMED_OUT = 142;
const BACKSLASH = 92;
const NEWLINE = 10;

interface Request {
  readonly reader: Reader;
  /** The byte that ends the line. */
  readonly end: number;
  readonly raw: boolean;
  /** Characters at most; `exact` also reads over delimiters. */
  readonly most: number | undefined;
  readonly exact: boolean;
  /** Whether characters are bytes. */
  readonly bytewise: boolean;
}

/** What was read. */
interface Line {
  readonly text: string;
  /** Positions of characters that a backslash protects. */
  readonly protectedAt: ReadonlySet<number> | undefined;
  readonly ended: boolean;
}

/** A command line of `read`, read itself. */
interface Plan {
  readonly options: ReadonlyMap<string, string>;
  readonly operands: readonly string[];
  readonly descriptor: number;
  readonly request: Omit<Request, "reader" | "bytewise">;
  /** Where it only splits a line, into plain names or an array: takes one that lies ready whole. */
  readonly take: Taker<Variables> | undefined;
}

/** Loops call `read` again and again with the same words. */
const plans = new Map<string, Plan>();
const PLANS_MOST = 64;

let latest: { readonly args: readonly string[]; readonly plan: Plan } | undefined;

function planOf(args: readonly string[], name: string): Plan {
  if (latest?.args === args) return latest.plan;
  const plan = findPlan(args, name);
  latest = { args, plan };
  return plan;
}

function findPlan(args: readonly string[], name: string): Plan {
  const key = args.join("\0");
  const known = plans.get(key);
  if (known) return known;
  if (plans.size >= PLANS_MOST) plans.clear();
  const plan = makePlan(args, name);
  plans.set(key, plan);
  return plan;
}

/** What may be a variable or an element: whether it is one is seen when it is assigned. */
const OPERAND = /^[A-Za-z_]\w*(\[[^]*\])?$/;

function makePlan(args: readonly string[], name: string): Plan {
  const { options, operands } = readOptions(name, args, "ersa:d:i:n:N:p:t:u:", USAGE);
  for (const operand of operands) if (!OPERAND.test(operand)) refuse(name, `\`${operand}': not a valid identifier`);
  const timeout = options.get("t");
  if (timeout !== undefined && !/^\d*\.?\d*$/.test(timeout)) refuse(name, `${timeout}: invalid timeout specification`);
  const plain = options.has("a") ? /^[A-Za-z_]\w*$/.test(options.get("a")!) : operands.length > 0 && !operands.some((operand) => operand.includes("["));
  const quick = plain && [...options.keys()].every((key) => "rpa".includes(key));
  const raw = options.has("r");
  return {
    options,
    operands,
    descriptor: numberOption(options, "u", name) ?? 0,
    take: quick ? taker(operands, options.get("a"), raw) : undefined,
    request: {
      end: options.has("d") ? (native.text.encode(options.get("d")!)[0] ?? 0) : NEWLINE,
      raw,
      most: numberOption(options, "N", name) ?? numberOption(options, "n", name),
      exact: options.has("N"),
    },
  };
}

export const read: Builtin = (shell, args, name) => {
  const plan = planOf(args, name);
  const file = shell.context.descriptors.find(plan.descriptor);
  if (file === undefined) refuse(name, `${plan.descriptor}: invalid file descriptor: Bad file descriptor`);
  if (plan.options.has("t") && Number(plan.options.get("t")) === 0) return file.take(0) === undefined ? 1 : 0;
  if (plan.take !== undefined && file.offer(plan.take, shell.variables)) return 0;
  const { options, operands } = plan;
  const request: Request = { ...plan.request, reader: new Reader(file), bytewise: shell.variables.bytewise };
  const line = withTimeout(shell, options.get("t") ?? shell.variables.get("TMOUT"), readLine(request));
  return then(line, (got) => {
    if (got === undefined) return then(assign(shell, operands, options, { text: "", protectedAt: undefined, ended: false }), () => TIMED_OUT);
    return then(assign(shell, operands, options, got), () => (got.ended ? 0 : 1));
  });
};

/** Reads a whole line that lies ready, and gives its fields to plain variables or to an array. */
function taker(operands: readonly string[], array: string | undefined, raw: boolean): Taker<Variables> {
  if (array === undefined) return (bytes, from, to, variables) => native.shell.read(variables, bytes, from, to, raw, operands);
  return (bytes, from, to, variables) => {
    const elements = variables.plainArray(array);
    const fields = elements && native.shell.fields(variables, bytes, from, to, raw);
    if (!fields) return undefined;
    const [taken, ...texts] = fields;
    variables.declare(array).value = new IndexedArray(texts);
    return taken;
  };
}

function numberOption(options: ReadonlyMap<string, string>, letter: string, name: string): number | undefined {
  const text = options.get(letter);
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) refuse(name, letter === "u" ? `${text}: invalid file descriptor specification` : `${text}: invalid number`);
  return Number(text);
}

/** Undefined when the time ran out first. */
function withTimeout(shell: Shell, timeout: string | undefined, line: Maybe<Line>): Maybe<Line | undefined> {
  if (timeout === undefined || !(line instanceof Promise)) return line;
  return Promise.race([line, shell.signals.sleep(Number(timeout) * 1000).then(() => undefined)]);
}

function readLine(request: Request): Maybe<Line> {
  if (request.most !== undefined) return readCharacters(request);
  return then(request.reader.lineBytes(request.end), (bytes) => {
    if (!request.raw && bytes.includes(BACKSLASH)) return unescape(request, bytes);
    const ended = bytes.length > 0 && bytes[bytes.length - 1] === request.end;
    return { text: decode(ended ? bytes.subarray(0, -1) : bytes), protectedAt: undefined, ended };
  });
}

function decode(bytes: Uint8Array): string {
  const text = native.text.decode(bytes);
  return text.includes("\0") ? text.replaceAll("\0", "") : text;
}

/** Takes backslashes away; one before the line's end joins the next line. */
function unescape(request: Request, first: Uint8Array): Maybe<Line> {
  let text = "";
  const protectedAt = new Set<number>();
  const end = String.fromCharCode(request.end);
  const take = (bytes: Uint8Array): Maybe<Line> => {
    const line = native.text.decode(bytes);
    for (let at = 0; at < line.length; at += 1) {
      const character = line[at]!;
      if (character === end && at === line.length - 1) return { text, protectedAt, ended: true };
      if (character !== "\\") {
        text += character;
        continue;
      }
      at += 1;
      if (line[at] === "\n") {
        if (at === line.length - 1) return then(request.reader.lineBytes(request.end), take);
        continue;
      }
      if (line[at] === undefined) break;
      protectedAt.add(text.length);
      text += line[at]!;
    }
    return { text, protectedAt, ended: false };
  };
  return take(first);
}

/** `-n` and `-N`: byte by byte, so that nothing more is taken from the input. */
function readCharacters({ reader, end, most, exact, raw, bytewise }: Request): Maybe<Line> {
  const taken = new Characters(raw, bytewise);
  /** Whether the reading is over. */
  const take = (byte: number | undefined): boolean => {
    if (byte === undefined || (!exact && byte === end && !taken.escaping)) return true;
    if (byte !== 0) taken.add(byte);
    return taken.count >= most!;
  };
  const finish = (last: Uint8Array): Line => ({ ...taken.line(), ended: last.length > 0 });
  const step = (): Maybe<Line> => {
    if (most === 0) return { text: "", protectedAt: undefined, ended: true };
    for (;;) {
      const chunk = reader.chunk(1);
      if (chunk instanceof Promise) return chunk.then((late) => (take(late[0]) ? finish(late) : step()));
      if (take(chunk[0])) return finish(chunk);
    }
  };
  return step();
}

/** Characters as they come, byte by byte; a backslash protects the next one, or joins lines. */
class Characters {
  escaping = false;
  /** Whole characters so far. */
  count = 0;
  private readonly bytes: number[] = [];
  private readonly protectedAt = new Set<number>();
  private missing = 0;

  constructor(
    private readonly raw: boolean,
    private readonly bytewise: boolean,
  ) {}

  add(byte: number): void {
    if (!this.raw && !this.escaping && byte === BACKSLASH) {
      this.escaping = true;
      return;
    }
    if (this.escaping && byte === NEWLINE) {
      this.escaping = false;
      return;
    }
    if (this.escaping) this.protectedAt.add(this.count);
    this.escaping = false;
    this.bytes.push(byte);
    if (this.bytewise) this.missing = 0;
    else if (byte >= 0xc0) this.missing = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
    else if (byte >= 0x80 && this.missing > 0) this.missing -= 1;
    if (this.missing === 0) this.count += 1;
  }

  line(): Pick<Line, "text" | "protectedAt"> {
    return { text: decode(Uint8Array.from(this.bytes)), protectedAt: this.protectedAt };
  }
}

function assign(shell: Shell, operands: readonly string[], options: ReadonlyMap<string, string>, { text, protectedAt }: Line): Maybe<void> {
  const ifs = options.has("N") ? "" : (shell.variables.get("IFS") ?? " \t\n");
  const array = options.get("a");
  if (array !== undefined) {
    const variable = arrayVariable(shell, array);
    if (variable.value instanceof AssociativeArray) throw new ShellError(`read: ${array}: not an indexed array`);
    const fields = splitLine(text, ifs, Number.POSITIVE_INFINITY, protectedAt);
    variable.value = new IndexedArray(variable.special ? fields.map((field) => dressed(shell, variable, field, undefined)) : fields);
    return;
  }
  if (operands.length === 0) return shell.assign("REPLY", text);
  const fields = options.has("N") ? [text] : splitLine(text, ifs, operands.length, protectedAt);
  let done: Maybe<void> = undefined;
  operands.forEach((operand, index) => {
    done = then(done, () => assignTo(shell, operand, fields[index] ?? ""));
  });
  return done;
}

function assignTo(shell: Shell, operand: string, value: string): Maybe<void> {
  try {
    return operand.includes("[") ? assignReference(shell, operand, value) : shell.assign(operand, value);
  } catch (error) {
    if (error instanceof ExpressionFault) throw new ScriptFault(`read: ${error.message}`);
    throw error;
  }
}
