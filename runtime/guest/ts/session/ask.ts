/** Questions that the host asks between lines: nothing of the session's code runs for them. */

import { ToHost, splitHeader } from "../bridge/frames";
import { native } from "../bridge/native";

interface Question {
  op: string;
  session: number;
  text: string;
  cursor: number;
  language: "javascript" | "shell";
}

type Operation = (question: Question) => unknown;

const operations: Readonly<Record<string, Operation>> = {};

export function answerQuestion(id: number, payload: Uint8Array): void {
  const [question] = splitHeader(payload) as [Question, Uint8Array];
  const value = operations[question.op]?.(question);
  native.host.send(ToHost.answer, id, JSON.stringify({ value: value ?? null }));
}
