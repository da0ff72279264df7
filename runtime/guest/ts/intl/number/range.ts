/** NumberFormat.prototype.formatRange: two numbers, with what surrounds both written once where ICU does. */
import { joinParts, type Part, textOf } from "../locale/service";
import { type Decimal } from "./decimal";
import { flatten, GAP, layOut, type Layer, part } from "./layout";
import { type NumberSettings } from "./settings";
import { unitLayer } from "./unit";

export interface RangePart extends Part {
  source: "startRange" | "endRange" | "shared";
}

export function rangeParts(settings: NumberSettings, start: Decimal, end: Decimal): RangePart[] {
  const first = layOut(settings, start);
  const last = layOut(settings, end);
  if (first.rounded === last.rounded) return tag(flatten(layOut(settings, start, true)), "shared");
  const shareAffixes = sameLayer(first.affixes, last.affixes) && lengthOf(first.affixes) > 1;
  const unit = unitLayer(settings, false);
  const repeated = (!shareAffixes && lengthOf(first.affixes) > 0) || first.exponent.length > 0;
  const between = settings.symbols.range;
  const spaced = repeated && between.trim() === between ? ` ${between} ` : between;
  const inner = (layout: typeof first): Part[] => [...layout.number, ...layout.exponent];
  const one = (layout: typeof first): Part[] =>
    shareAffixes ? inner(layout) : [...layout.affixes[0], ...inner(layout), ...layout.affixes[1]];
  const shared = (at: 0 | 1): Part[] => {
    const affixes = shareAffixes ? first.affixes[at] : [];
    return at === 0 ? [...unit[0], ...affixes] : [...affixes, ...unit[1]];
  };
  return [
    ...tag(shared(0), "shared"),
    ...tag(one(first), "startRange"),
    ...tag([part("literal", spaced)], "shared"),
    ...tag(one(last), "endRange"),
    ...tag(shared(1), "shared"),
  ];
}

function tag(parts: readonly Part[], source: RangePart["source"]): RangePart[] {
  return joinParts(parts).map(({ type, value }) => ({ type, value, source }));
}

const proper = (parts: readonly Part[]): string => textOf(parts.filter((piece) => piece !== GAP));
const lengthOf = ([before, after]: Layer): number => [...proper(before), ...proper(after)].length;
const sameLayer = (a: Layer, b: Layer): boolean => a.every((side, i) => proper(side) === proper(b[i as 0 | 1]));
