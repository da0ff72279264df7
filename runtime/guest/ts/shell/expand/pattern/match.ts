/**
 * Matching by sets of positions: each part of a pattern takes the places where the text before it may end to those where it
 * may end itself. Time is bounded by pattern times text (squared in groups that repeat), whatever the pattern.
 */

import { eachPolled, pollAt } from "../../../bridge/poll";
import { widthAt, widthBefore } from "../characters";
import { type CharacterSet, holds, type Node } from "./parse";

/** Ascending without repeats. */
type Places = readonly number[];

export class Matcher {
  constructor(
    private readonly nodes: readonly Node[],
    private readonly fold: boolean,
    /** A dot at the start is matched only by a dot. */
    private readonly hidden: boolean,
  ) {}

  /** Where matches that begin at `from` may end. */
  ends(text: string, from: number): Places {
    return this.forward(this.nodes, this.folded(text), [from]);
  }

  /** Where matches that end with the text may begin. */
  starts(text: string): Places {
    return this.backward(this.nodes, this.folded(text), [text.length]);
  }

  private folded(text: string): string {
    return this.fold ? foldCase(text) : text;
  }

  private forward(nodes: readonly Node[], text: string, from: Places): Places {
    let places = from;
    for (let index = 0; index < nodes.length && places.length > 0; index += 1) places = this.step(nodes[index]!, text, places, true);
    return places;
  }

  private backward(nodes: readonly Node[], text: string, from: Places): Places {
    let places = from;
    for (let index = nodes.length - 1; index >= 0 && places.length > 0; index -= 1) {
      places = this.step(nodes[index]!, text, places, false);
    }
    return places;
  }

  private step(node: Node, text: string, places: Places, ahead: boolean): Places {
    switch (node.kind) {
      case "text":
        return this.text(node.text, text, places, ahead);
      case "any":
        return this.one(text, places, ahead, undefined);
      case "set":
        return this.one(text, places, ahead, node);
      case "many":
        return this.many(text, places, ahead);
      case "group":
        return this.group(node, text, places, ahead);
    }
  }

  private text(wanted: string, text: string, places: Places, ahead: boolean): Places {
    const { length } = wanted;
    const found: number[] = [];
    eachPolled(places, (place) => {
      const start = ahead ? place : place - length;
      if (start >= 0 && text.startsWith(wanted, start)) found.push(ahead ? place + length : start);
    });
    return found;
  }

  private one(text: string, places: Places, ahead: boolean, set: CharacterSet | undefined): Places {
    const found: number[] = [];
    eachPolled(places, (place) => {
      if (place === (ahead ? text.length : 0)) return;
      const width = ahead ? widthAt(text, place) : widthBefore(text, place);
      const start = ahead ? place : place - width;
      if (this.isHidden(text, start)) return;
      if (!set || holds(set, text.codePointAt(start)!, this.fold)) found.push(ahead ? place + width : start);
    });
    return found;
  }

  private many(text: string, places: Places, ahead: boolean): Places {
    const found: number[] = [];
    const [from, to] = ahead ? [places[0]!, text.length] : [0, places[places.length - 1]!];
    if (this.isHidden(text, from)) {
      if (ahead && places.length > 1) return this.many(text, places.slice(1), ahead);
      if (ahead) return [];
    }
    for (let place = from; place <= to; place += 1) {
      pollAt(place);
      if (!splitsPair(text, place)) found.push(place);
    }
    return !ahead && this.isHidden(text, 0) ? found.slice(1) : found;
  }

  private isHidden(text: string, place: number): boolean {
    return this.hidden && place === 0 && text.startsWith(".");
  }

  private group(node: Extract<Node, { kind: "group" }>, text: string, places: Places, ahead: boolean): Places {
    const { sign, choices } = node;
    if (sign === "!") return this.others(choices, text, places, ahead);
    if (sign === "@") return this.choose(choices, text, places, ahead);
    if (sign === "?") return merge(places, this.choose(choices, text, places, ahead));
    return this.repeat(choices, text, sign === "*" ? places : this.choose(choices, text, places, ahead), ahead);
  }

  private choose(choices: readonly (readonly Node[])[], text: string, places: Places, ahead: boolean): Places {
    let found: Places = [];
    for (const choice of choices) {
      found = merge(found, ahead ? this.forward(choice, text, places) : this.backward(choice, text, places));
    }
    return found;
  }

  private repeat(choices: readonly (readonly Node[])[], text: string, places: Places, ahead: boolean): Places {
    let all = places;
    for (let fresh = places; fresh.length > 0; ) {
      const reached = this.choose(choices, text, fresh, ahead);
      fresh = without(reached, all);
      all = merge(all, fresh);
    }
    return all;
  }

  /** `!(…)`: any text but those that a choice matches. */
  private others(choices: readonly (readonly Node[])[], text: string, places: Places, ahead: boolean): Places {
    let found: Places = [];
    for (const place of places) {
      const taken = this.choose(choices, text, [place], ahead);
      const all = this.many(text, [place], ahead);
      found = merge(found, without(all, taken));
    }
    return found;
  }
}

function splitsPair(text: string, place: number): boolean {
  const unit = text.charCodeAt(place);
  return unit >= 0xdc00 && unit <= 0xdfff && place > 0 && widthBefore(text, place + 1) === 2;
}

function merge(a: Places, b: Places): Places {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const merged: number[] = [];
  let [left, right] = [0, 0];
  while (left < a.length || right < b.length) {
    const [x, y] = [a[left] ?? Infinity, b[right] ?? Infinity];
    merged.push(Math.min(x, y));
    if (x <= y) left += 1;
    if (y <= x) right += 1;
  }
  return merged;
}

function without(a: Places, b: Places): Places {
  if (b.length === 0) return a;
  const taken = new Set(b);
  return a.filter((place) => !taken.has(place));
}

/** Lower case, unit for unit. */
export function foldCase(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return Array.from(text, (each) => (each.toLowerCase().length === each.length ? each.toLowerCase() : each)).join("");
}
