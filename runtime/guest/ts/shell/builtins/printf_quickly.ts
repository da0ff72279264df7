/** printf of what most scripts print, in one pass. */

import { native } from "../../bridge/native";
import { plainInteger } from "../expand/arithmetic/numbers";
import { formatDecimal, formatPlainFloat, formatText } from "../format/directive";
import type { Shell } from "../run/shell";
import { type Conversion, INT_MOST, stepsOf } from "./printf_format";

/** Texts and plain numbers by the format at `at`, where it is used once. Undefined where there is more to it. */
export function quickly(shell: Shell, args: readonly string[], at: number): string | undefined {
  if (shell.variables.bytewise) return undefined;
  const steps = stepsOf(args[at]!);
  let [text, next] = ["", at + 1];
  for (let index = 0; index < steps.length; index += 1) {
    const step = steps[index]!;
    const piece = typeof step === "string" ? step : "fault" in step ? undefined : pieceOf(step, args[next++]);
    if (piece === undefined) return undefined;
    text += piece;
  }
  return next < args.length ? undefined : native.text.whole(text);
}

function pieceOf({ directive, widthGiven, precisionGiven }: Conversion, argument: string | undefined): string | undefined {
  const { conversion, width, precision } = directive;
  if (argument === undefined || widthGiven || precisionGiven || width > INT_MOST || (precision ?? 0) > INT_MOST) return undefined;
  if (conversion === "s") return width === 0 && precision === undefined ? argument : formatText(argument, directive);
  if (conversion === "f") return formatPlainFloat(argument, directive);
  return conversion === "d" && precision === undefined && plainInteger(argument) !== undefined ? formatDecimal(argument, directive) : undefined;
}
