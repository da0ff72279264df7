/** Runs: parts of patterns without `*` and groups, which take their characters one after the other. */

import { pollAt } from "../../../bridge/poll";
import { widthAt, widthBefore } from "../characters";
import { type CharacterSet, holds, type Node } from "./parse";

export interface Run {
  /** Where a match that begins at `place` ends, or -1. */
  from(text: string, place: number): number;
  /** Where a match that ends at `place` begins, or -1. */
  upTo(text: string, place: number): number;
  /** Where the first match at or behind `place` begins, or -1. */
  first(text: string, place: number): number;
  /** Where the last match begins, or -1. */
  last(text: string): number;
}

export type RunNode = Extract<Node, { kind: "text" | "any" | "set" }>;

export function isRunNode(node: Node): node is RunNode {
  return node.kind === "text" || node.kind === "any" || node.kind === "set";
}

export function textRun(wanted: string): Run {
  return {
    from: (text, place) => (text.startsWith(wanted, place) ? place + wanted.length : -1),
    upTo: (text, place) => (text.endsWith(wanted, place) ? place - wanted.length : -1),
    first: (text, place) => text.indexOf(wanted, place),
    last: (text) => text.lastIndexOf(wanted),
  };
}

/** Takes what one node matches from a place on; `ahead` is 1 or -1, the direction. The new place, or -1. */
type Step = (text: string, place: number, ahead: 1 | -1) => number;

export function mixedRun(nodes: readonly RunNode[]): Run {
  const steps = nodes.map(stepOf);
  const count = steps.length;
  const from = (text: string, place: number): number => {
    let at = place;
    for (let index = 0; index < count && at >= 0; index += 1) at = steps[index]!(text, at, 1);
    return at;
  };
  const upTo = (text: string, place: number): number => {
    let at = place;
    for (let index = count - 1; index >= 0 && at >= 0; index -= 1) at = steps[index]!(text, at, -1);
    return at;
  };
  return {
    from,
    upTo,
    first(text, place) {
      for (let at = place; at <= text.length; at += widthAt(text, at)) {
        pollAt(at);
        if (from(text, at) >= 0) return at;
      }
      return -1;
    },
    last(text) {
      for (let at = text.length; at > 0; at -= widthBefore(text, at)) {
        pollAt(at);
        const start = upTo(text, at);
        if (start >= 0) return start;
      }
      return -1;
    },
  };
}

function stepOf(node: RunNode): Step {
  if (node.kind === "text") return textStep(node.text);
  return characterStep(node.kind === "any" ? () => true : memberOf(node));
}

function textStep(wanted: string): Step {
  const { length } = wanted;
  return (text, place, ahead) => {
    if (ahead > 0) return text.startsWith(wanted, place) ? place + length : -1;
    return text.endsWith(wanted, place) ? place - length : -1;
  };
}

function characterStep(fits: (point: number) => boolean): Step {
  return (text, place, ahead) => {
    if (place === (ahead > 0 ? text.length : 0)) return -1;
    const start = ahead > 0 ? place : place - widthBefore(text, place);
    if (!fits(text.codePointAt(start)!)) return -1;
    return ahead > 0 ? place + widthAt(text, place) : start;
  };
}

const ASCII = 128;

/** What was found out about an ASCII character is kept: most texts have few others. */
function memberOf(set: CharacterSet): (point: number) => boolean {
  const known = new Uint8Array(ASCII);
  return (point) => {
    if (point >= ASCII) return holds(set, point, false);
    if (known[point] === 0) known[point] = holds(set, point, false) ? 2 : 1;
    return known[point] === 2;
  };
}
