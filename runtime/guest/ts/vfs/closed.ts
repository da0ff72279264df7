/** What a command is given in place of a stream that was closed. */

import { fail } from "./errors";
import { O_RDWR } from "./flags";
import { OpenFile } from "./openfile";
import type { Status } from "./status";

/** Any use of it fails. */
export class ClosedFile extends OpenFile {
  constructor() {
    super(O_RDWR);
  }

  override status(): Status {
    return fail("EBADF");
  }
}

/** What is written to it is lost: messages have nowhere else to go. */
export class ClosedErrors extends ClosedFile {
  override write(source: Uint8Array): number {
    return source.length;
  }
}
