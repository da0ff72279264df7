/** `` $`ls | wc -l` ``: runs the sandbox's shell on the same files. */

import { kernel } from "amla:kernel";

/** What a shell script left: used as a string it is its output without the newline at the end. */
export class ShellOutput {
  constructor(
    readonly stdout: string,
    readonly stderr: string,
    readonly exitCode: number,
  ) {}

  get ok(): boolean {
    return this.exitCode === 0;
  }

  text(): string {
    return this.stdout.replace(/\n+$/, "");
  }

  json(): unknown {
    return JSON.parse(this.stdout);
  }

  lines(): string[] {
    const text = this.text();
    return text === "" ? [] : text.split("\n");
  }

  trim(): string {
    return this.stdout.trim();
  }

  toString(): string {
    return this.text();
  }

  toJSON(): string {
    return this.text();
  }
}

/** The script ended with a status other than 0. */
export class ShellError extends Error {
  override name = "ShellError";
  readonly code = "ERR_SHELL";

  constructor(
    readonly command: string,
    readonly output: ShellOutput,
  ) {
    super(`the shell ended with status ${output.exitCode}${output.stderr ? `: ${output.stderr.trim()}` : ""} (in $\`${command}\`)`);
  }

  get exitCode(): number {
    return this.output.exitCode;
  }

  get stdout(): string {
    return this.output.stdout;
  }

  get stderr(): string {
    return this.output.stderr;
  }
}

/** A script that is about to run: it starts when it is awaited. */
export class ShellPromise implements PromiseLike<ShellOutput> {
  private throwing = true;
  private started: Promise<ShellOutput> | undefined;

  constructor(readonly command: string) {}

  /** Any status is fine. */
  nothrow(): this {
    this.throwing = false;
    return this;
  }

  /** Nothing is printed anyhow. */
  quiet(): this {
    return this;
  }

  async text(): Promise<string> {
    return (await this.run()).text();
  }

  async json(): Promise<unknown> {
    return (await this.run()).json();
  }

  async lines(): Promise<string[]> {
    return (await this.run()).lines();
  }

  then<A = ShellOutput, B = never>(
    fulfilled?: ((value: ShellOutput) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.run().then(fulfilled, rejected);
  }

  catch<B = never>(rejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<ShellOutput | B> {
    return this.run().catch(rejected);
  }

  finally(last?: (() => void) | null): Promise<ShellOutput> {
    return this.run().finally(last);
  }

  private run(): Promise<ShellOutput> {
    return (this.started ??= new Promise((resolve, reject) => {
      kernel.shell.run(this.command, { ...process.env } as Record<string, string>, (status, stdout, stderr) => {
        const output = new ShellOutput(stdout, stderr, status);
        if (status === 0 || !this.throwing) resolve(output);
        else reject(new ShellError(this.command, output));
      });
    }));
  }
}

declare const process: { env: Record<string, string | undefined> };

/** One word, whatever is in it; an array is several. */
function quoted(value: unknown): string {
  if (Array.isArray(value)) return value.map(quoted).join(" ");
  const text = String(value);
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Values that are put in are quoted; a plain string is run as it is. */
export function $(strings: TemplateStringsArray | string, ...values: unknown[]): ShellPromise {
  if (typeof strings === "string") return new ShellPromise(strings);
  return new ShellPromise(strings.reduce((text, part, index) => text + quoted(values[index - 1]) + part));
}
