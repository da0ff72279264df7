/** How commands leave what they are in: thrown, and caught by the loop, function or process that they mean. */

export class Break {
  constructor(
    public levels: number,
    readonly status = 0,
  ) {}
}

export class Continue {
  constructor(public levels: number) {}
}

export class Return {
  constructor(readonly status: number) {}
}

/** Ends the process. */
export class Exit {
  constructor(
    readonly status: number,
    /** Whether `exit` was called, as opposed to a failure under `set -e`. */
    readonly isAsked = false,
  ) {}
}
