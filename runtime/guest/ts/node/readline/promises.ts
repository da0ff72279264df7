import { Interface as Lines } from "node:readline";

type Options = ConstructorParameters<typeof Lines>[0];

/** The same, with `question` returning a promise. */
export class Interface extends Lines {
  override question(query: string): Promise<string> {
    return new Promise((resolve) => super.question(query, resolve));
  }
}

export function createInterface(input: Options | Options["input"], output?: Options["output"]): Interface {
  const options =
    "input" in (input as object)
      ? (input as Options)
      : { input: input as Options["input"], ...(output ? { output } : {}) };
  return new Interface(options);
}
