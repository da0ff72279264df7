/** One call of a function, as its variables see it. */

import type { Variable } from "./variable";

/** Functions have few local names: lists are quicker than maps, and a call makes and drops them. */
export class Frame {
  /** Names that `local` made, and what each hid: the variable outside, put back when the function returns. */
  declare names: string[] | undefined;
  declare hidden: (Variable | undefined)[] | undefined;
  /** For the frame around a call: the names that stood before it. */
  declare environment: ReadonlySet<string> | undefined;

  constructor() {
    this.names = this.hidden = this.environment = undefined;
  }

  has(name: string): boolean {
    return this.names !== undefined && this.names.includes(name);
  }

  hide(name: string, variable: Variable | undefined): void {
    if (this.names === undefined || this.hidden === undefined) {
      this.names = [name];
      this.hidden = [variable];
      return;
    }
    const at = this.names.indexOf(name);
    if (at >= 0) this.hidden[at] = variable;
    else {
      this.names.push(name);
      this.hidden.push(variable);
    }
  }

  peek(name: string): Variable | undefined {
    return this.hidden?.[this.names?.indexOf(name) ?? -1];
  }

  /** What the name hid, which is then hidden no more. */
  take(name: string): Variable | undefined {
    const at = this.names?.indexOf(name) ?? -1;
    if (at < 0) return undefined;
    this.names!.splice(at, 1);
    return this.hidden!.splice(at, 1)[0];
  }

  copy(): Frame {
    const copy = new Frame();
    copy.names = this.names && [...this.names];
    copy.hidden = this.hidden && [...this.hidden];
    copy.environment = this.environment;
    return copy;
  }
}
