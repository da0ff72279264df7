import { native } from "../../bridge/native";
import { quoteWord } from "../expand/quote";
import { arrayVariable, dressed } from "../expand/store";
import { then, type Maybe } from "../io/maybe";
import { Reader } from "../io/reader";
import { AssociativeArray, IndexedArray } from "../run/arrays";
import { runSource } from "../run/program";
import type { Shell } from "../run/shell";
import { type Builtin, readOptions, refuse } from "./builtin";

const USAGE = "mapfile [-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] [-c quantum] [array]";
const QUANTUM = 5000;
/** What the numbers of options are called. */
const NUMBERS = { u: "file descriptor specification", O: "array origin", s: "line count", n: "line count", c: "callback quantum" };

export const mapfile: Builtin = (shell, args, name) => {
  const { options, operands } = readOptions(name, args, "d:n:O:s:tu:C:c:", USAGE);
  const number = (letter: keyof typeof NUMBERS, absent: number): number => {
    const text = options.get(letter) ?? String(absent);
    if (!/^\d+$/.test(text)) refuse(name, `${text}: invalid ${NUMBERS[letter]}`);
    return Number(text);
  };
  const quantum = number("c", QUANTUM);
  if (quantum === 0) refuse(name, "0: invalid callback quantum");
  const [target = "MAPFILE"] = operands;
  if (!/^[A-Za-z_]\w*$/.test(target)) refuse(name, `\`${target}': not a valid identifier`);
  const descriptor = number("u", 0);
  if (!shell.context.descriptors.has(descriptor)) refuse(name, `${descriptor}: invalid file descriptor: Bad file descriptor`);
  const variable = arrayVariable(shell, target);
  if (variable.value instanceof AssociativeArray) refuse(name, `${target}: not an indexed array`);
  const array = options.has("O") && variable.value instanceof IndexedArray ? variable.value : new IndexedArray();
  variable.value = array;
  const end = options.has("d") ? (native.text.encode(options.get("d")!)[0] ?? 0) : 10;
  const store = (index: number, text: string): void => array.set(index, variable.special ? dressed(shell, variable, text, undefined) : text);
  return fill(shell, new Reader(shell.context.descriptors.get(descriptor)), store, {
    end,
    strip: options.has("t"),
    first: number("O", 0),
    skip: number("s", 0),
    most: number("n", 0) || Number.POSITIVE_INFINITY,
    callback: options.get("C"),
    quantum,
  });
};

interface Plan {
  readonly end: number;
  readonly strip: boolean;
  readonly first: number;
  readonly skip: number;
  readonly most: number;
  readonly callback: string | undefined;
  readonly quantum: number;
}

function fill(shell: Shell, reader: Reader, put: (index: number, text: string) => void, plan: Plan): Maybe<number> {
  let [skipped, count] = [0, 0];
  const store = (bytes: Uint8Array): Maybe<void> => {
    if (skipped < plan.skip) {
      skipped += 1;
      return;
    }
    const index = plan.first + count;
    const ended = bytes[bytes.length - 1] === plan.end;
    const line = (plan.strip || plan.end === 0) && ended ? bytes.subarray(0, -1) : bytes;
    const zero = line.indexOf(0);
    const text = native.text.decode(zero < 0 ? line : line.subarray(0, zero));
    put(index, text);
    count += 1;
    if (plan.callback !== undefined && count % plan.quantum === 0) {
      return then(runSource(shell, `${plan.callback} ${index} ${quoteWord(text)}`), () => {});
    }
  };
  const go = (): Maybe<number> => {
    while (count < plan.most) {
      const bytes = reader.lineBytes(plan.end);
      if (bytes instanceof Promise) return bytes.then((late) => (late.length === 0 ? 0 : then(store(late), go)));
      if (bytes.length === 0) return 0;
      const stored = store(bytes);
      if (stored instanceof Promise) return stored.then(go);
    }
    return 0;
  };
  return go();
}
