/** A sed script over one text, for options that take such scripts. */

import { native, SedState } from "../bridge/native";

/** What the script makes of the text, taken as one line. Throws an Error in sed's words. */
export function edited(script: string, text: string): string {
  const handle = native.sed.create({ nul: true, sandbox: true });
  let [result, opened, fed] = ["", false, false];
  try {
    native.sed.source(handle, undefined, native.text.encode(script));
    for (;;) {
      const state = native.sed.run(handle);
      if (state === SedState.done) return result;
      if (state === SedState.open) native.sed.opened(handle, opened ? undefined : "-");
      else if (state === SedState.read) native.sed.feed(handle, native.text.encode(fed ? "" : text));
      else if (state === SedState.write) result += native.text.decode(native.sed.request(handle)[1]);
      else if (state === SedState.interrupted || state === SedState.paused) native.host.poll();
      else throw new Error(native.sed.fault(handle) || "memory exhausted (limit: memory)");
      fed ||= state === SedState.read;
      opened ||= state === SedState.open;
    }
  } finally {
    native.sed.free(handle);
  }
}
