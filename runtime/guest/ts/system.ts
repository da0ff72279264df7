/** The system realm: what it answers to the host's frames and to the loop in C (c/step.c). */

import { maybeCurrent } from "./bridge/current";
import { answerFiles } from "./bridge/files";
import { FromHost, splitKeptHeader } from "./bridge/frames";
import { load, resolve } from "./bridge/modules";
import { native } from "./bridge/native";
import type { RunHeader } from "./bridge/run";
import * as session from "./bridge/session";
import { answerSites } from "./bridge/sites";
import { zoneTimes } from "./bridge/zone";
import { answerQuestion } from "./session/table";

type Message = (id: number, payload: Uint8Array) => void;

/** Status of a run that the host interrupted. */
const TIMED_OUT = 124;

const messages: Readonly<Record<number, Message>> = {
  [FromHost.configure]: (_id, payload) => session.configure(json(payload) as session.Configuration),
  [FromHost.run]: (id, payload) => {
    const [header, source] = splitKeptHeader(payload);
    session.start(id, header as RunHeader, native.bytes.utf8Decode(source));
  },
  [FromHost.result]: (id, payload) => session.answer(id, true, payload),
  [FromHost.failure]: (id, payload) => session.answer(id, false, payload),
  [FromHost.wake]: () => {},
  [FromHost.files]: answerFiles,
  [FromHost.input]: (_id, payload) => session.takeInput(payload),
  [FromHost.stop]: (status) => session.stop(status),
  [FromHost.prepare]: () => session.prepare(),
  [FromHost.ask]: answerQuestion,
  [FromHost.sites]: answerSites,
};

function json(payload: Uint8Array): unknown {
  return JSON.parse(native.bytes.utf8Decode(payload));
}

native.host.handlers({
  message: (kind, id, payload) => messages[kind]?.(id, payload),
  idle: session.advance,
  rehearse: session.rehearse,
  rejection: (promise, reason, handled) => maybeCurrent()?.run.rejection(promise, reason, handled),
  uncaught: (error) => maybeCurrent()?.run.fail(error),
  interrupted: () => session.stop(TIMED_OUT),
  left: () => session.stop(maybeCurrent()?.run.exitCode ?? 0),
  resolve,
  load: (path) => load(path, (name) => maybeCurrent()?.realm.require(name)),
  localTimes: zoneTimes,
});

session.bake();

// Whatever of the system realm a script might get hold of leads to no native function (nor to a compiler: c/step.c).
delete (globalThis as Record<string, unknown>)["__native"];
