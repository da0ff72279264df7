import { finished as finishedBy, pipeline as pipelineBy } from "node:stream";

type Options = { signal?: AbortLike; end?: boolean };
type AbortLike = { aborted: boolean; reason: unknown; addEventListener(type: "abort", listener: () => void): void };

function isOptions(value: unknown): value is Options {
  return typeof value === "object" && value !== null && "signal" in value && !("on" in value);
}

export function pipeline(...stages: unknown[]): Promise<unknown> {
  if (isOptions(stages.at(-1))) stages.pop();
  return new Promise((resolve, reject) => {
    pipelineBy(...stages, (error: Error | undefined, value: unknown) => (error ? reject(error) : resolve(value)));
  });
}

export function finished(stream: never, options: Options = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    finishedBy(stream, options, (error) => (error ? reject(error) : resolve()));
  });
}
