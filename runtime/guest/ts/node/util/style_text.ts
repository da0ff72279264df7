import { kernel } from "amla:kernel";
import { coded, invalidType } from "../errors";

type Codes = readonly [on: number, off: number];

interface Options {
  /** Plain text where the output shows no colours; true unless given. */
  validateStream?: boolean;
}

function codesOf(format: unknown): Codes {
  const { colors } = kernel.console.tables();
  const codes = typeof format === "string" && Object.hasOwn(colors, format) ? colors[format] : undefined;
  if (codes !== undefined) return codes;
  const names = Object.keys(colors).map((name) => `'${name}'`).join(", ");
  const given = kernel.console.inspect(format);
  throw coded(TypeError, "ERR_INVALID_ARG_VALUE", `The argument 'format' must be one of: ${names}. Received ${given}`);
}

/** A run's output is no terminal. */
const showsColors = (): boolean => Boolean(kernel.process.env.FORCE_COLOR);

/**
 * `text` between the escape codes of one or several formats; the first is outermost. As in Node, a single format is left
 * out where the output shows no colours, a list of them never is.
 */
export function styleText(format: string | readonly string[], text: string, { validateStream = true }: Options = {}): string {
  if (typeof text !== "string") throw invalidType("text", "of type string", text);
  const codes = ((Array.isArray(format) ? format : [format]) as readonly string[]).map(codesOf);
  if (!Array.isArray(format) && validateStream && !showsColors()) return text;
  return codes.reduceRight((inner, [on, off]) => `\u001b[${on}m${inner}\u001b[${off}m`, text);
}
