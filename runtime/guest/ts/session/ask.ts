/** Questions that the host asks between lines: nothing of the session's code runs for them. */

import { setCurrent } from "../bridge/current";
import { ToHost, splitHeader } from "../bridge/frames";
import { native } from "../bridge/native";
import { createShell } from "../bridge/shell";
import type { Shell } from "../shell/run/shell";
import { completeScript } from "./complete/javascript";
import { completeShell, toolBefore } from "./complete/shell";
import { scan } from "./complete/tokens";
import { toolAround } from "./complete/tool_call";
import { scriptCompleteness, shellCompleteness } from "./completeness";
import { lookingGlass } from "./scratch";
import { type Session, known } from "./session";

export interface Question {
  readonly op: string;
  readonly session: number;
  /** The line; of completion, what stands in front of the cursor. */
  readonly text: string;
  readonly language: "javascript" | "shell";
  readonly env: Readonly<Record<string, string>>;
}

type Operation = (question: Question) => unknown;

const operations: Readonly<Record<string, Operation>> = {
  completeness: ({ text, session, language }) =>
    language === "shell" ? shellCompleteness(known(session)?.shell, text) : scriptCompleteness(lookingGlass().realm, text),
  complete: (question) => {
    const session = known(question.session);
    return question.language === "shell"
      ? completeShell(session, session?.shell ?? standIn(question.env), question.text)
      : completeScript(session, question.text);
  },
  tool: ({ text, session, language }) => (language === "shell" ? toolBefore(text) : toolAround(known(session), scan(text))),
};

/** What belongs to the present run is then the session's. */
function asInLine<T>(session: Session | undefined, work: () => T): T {
  if (!session) return work();
  setCurrent(session.active);
  try {
    return work();
  } finally {
    setCurrent(undefined);
  }
}

let spare: Shell | undefined;

/** What a session's shell will know, for one that has none yet. */
function standIn(env: Question["env"]): Shell {
  const header = { filename: "repl", args: [] };
  return (spare ??= createShell({ run: { header } } as never, env));
}

export function answerQuestion(id: number, payload: Uint8Array): void {
  const [question] = splitHeader(payload) as [Question, Uint8Array];
  const value = asInLine(known(question.session), () => operations[question.op]?.(question)) ?? null;
  native.host.send(ToHost.answer, id, JSON.stringify({ value }));
}
