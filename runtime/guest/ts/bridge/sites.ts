/** The host's question where a script calls tools, answered at once. */

import { findCalls, type Request } from "../sites/find";
import { ToHost, splitHeader } from "./frames";
import { native } from "./native";

export function answerSites(id: number, payload: Uint8Array): void {
  const [header, source] = splitHeader(payload);
  const answer = findCalls(header as Request, native.bytes.utf8Decode(source));
  native.host.emit(ToHost.sites, id, JSON.stringify(answer));
}
