import { JqState, native } from "../bridge/native";
import { describeErrno } from "../shell/io/errors";
import type { Process } from "../shell/process";
import { find } from "../vfs/walk";
import { command, Failure } from "./command";
import { close, openWriter, readText } from "./files";
import { type Options, UsageFault } from "./options";
import { YamlReader } from "./yaml_reader";
import type { Value } from "./yaml_scalars";
import { YamlFault } from "./yaml_source";
import { yamlText } from "./yaml_writer";

const TABLE = {
  outputFormat: ["-o, --output-format=FORMAT", "yaml (the default) or json"],
  inputFormat: ["-p, --input-format=FORMAT", "yaml (the default), which includes JSON, or json"],
  toJson: ["-j, --tojson", "as -o json"],
  toYaml: ["-y, --yaml-output", "as -o yaml"],
  raw: ["-r, --unwrapScalar, --raw-output", "strings without quotes; so is YAML anyway"],
  pretty: ["-P, --prettyPrint", "as is done anyway: one style for all"],
  indent: ["-I, --indent=NUM", "indent by NUM (2); 0: JSON on one line"],
  compact: ["-c, --compact-output", "as -o json, on one line"],
  inPlace: ["-i, --inplace, --in-place", "write what comes of a file to it"],
  nullInput: ["-n, --null-input", "null as the one input"],
  noDocument: ["-N, --no-doc", "no --- between documents"],
  exitStatus: ["-e, --exit-status", "status 1 when the last result is null or false, or there is none"],
  slurp: ["-s, --slurp", "all documents as one array"],
  expression: ["--expression=EXPRESSION", "the filter"],
  fromFile: ["--from-file=FILE", "the filter is in FILE"],
  argument: ["--arg=NAME=VALUE", "a variable that is a string: $NAME"],
  noColors: ["-M, --no-colors", "ignored: there are none"],
  verbose: ["-v, --verbose", "ignored"],
} as const;

type Given = Options<typeof TABLE>;

const COMMANDS = new Set(["eval", "e", "eval-all", "ea"]);

function documentsOf(text: string, name: string): Value[] {
  try {
    return [...new YamlReader(text).documents()];
  } catch (error) {
    if (error instanceof YamlFault) throw new Failure(`bad file '${name}': yaml: line ${error.line}: ${error.message}`);
    throw error;
  }
}

async function read(process: Process, name: string): Promise<string> {
  try {
    return await readText(process, name);
  } catch (error) {
    throw new Failure(`open ${name}: ${describeErrno(error)}`);
  }
}

class YqRun {
  private status = 0;
  private documents = 0;

  constructor(
    private readonly process: Process,
    private readonly options: Given,
    private readonly program: string,
  ) {}

  async run(files: readonly string[]): Promise<number> {
    if (this.options.has("inPlace")) {
      if (files.length === 0) throw new Failure("write in place flag only applicable when giving an expression and at least one file");
      for (const file of files) await this.replace(file, await this.filtered(await this.json(file)));
      return this.status;
    }
    const inputs: string[] = [];
    if (!this.options.has("nullInput")) for (const file of files.length > 0 ? files : ["-"]) inputs.push(await this.json(file));
    await this.process.stdout.write(await this.filtered(inputs.join("\n")));
    return this.status;
  }

  /** The file's documents as JSON texts. */
  private async json(file: string): Promise<string> {
    const text = await read(this.process, file);
    if (this.format("inputFormat", "yaml") === "json") return text;
    const documents = documentsOf(text, file);
    this.documents += documents.length;
    return documents.map((value) => JSON.stringify(value)).join("\n");
  }

  private format(key: "inputFormat" | "outputFormat", absent: string): string {
    const format = { y: "yaml", j: "json", auto: "yaml", a: "yaml" }[this.options.value(key) ?? absent] ?? this.options.value(key) ?? absent;
    if (format !== "yaml" && format !== "json") throw new Failure(`the format ${format} is not supported here: yaml and json are`);
    return format;
  }

  private async filtered(json: string): Promise<string> {
    const results = await this.results(json);
    const last = results.at(-1);
    if (this.options.has("exitStatus") && (last === undefined || last === null || last === false)) this.status ||= 1;
    return this.output(results);
  }

  private async results(json: string): Promise<Value[]> {
    const named = Object.fromEntries(this.options.list("argument").map((text) => [text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)]));
    this.process.context.volume.journal.begin(); // as in jq.ts
    const env = [...this.process.env].map(([name, value]) => `${name}=${value}`);
    const handle = native.jq.create(this.program, { nullInput: this.options.has("nullInput"), slurp: this.options.has("slurp"), indent: 0, named: JSON.stringify(named) }, env);
    const pieces: string[] = [];
    let [fed, ended] = [false, false];
    for (;;) {
      const state = native.jq.next(handle);
      const errors = native.jq.errors(handle);
      if (errors) this.process.stderr.print(native.text.decode(errors).replace(/^jq: /gm, "yq: "));
      const output = native.jq.output(handle);
      if (output) pieces.push(native.text.decode(output));
      if (state === JqState.interrupted) native.host.poll();
      if (state === JqState.pause) await this.process.pause();
      if (state === JqState.done || (state === JqState.want && ended)) break;
      if (state !== JqState.want) continue;
      if (fed) native.jq.end(handle);
      else native.jq.feed(handle, native.text.encode(json));
      ended = fed;
      fed = true;
    }
    this.status = native.jq.status(handle);
    return pieces.join("").split("\n").filter((line) => line !== "").map((line) => JSON.parse(line) as Value);
  }

  private output(results: readonly Value[]): string {
    const asJson = this.options.has("toJson") || this.format("outputFormat", this.options.has("compact") ? "json" : "yaml") === "json";
    const raw = this.options.has("raw");
    const given = Number(this.options.value("indent") ?? 2);
    if (!Number.isInteger(given)) throw new UsageFault(`invalid indent '${this.options.value("indent")}'`);
    const indent = this.options.has("compact") ? 0 : given;
    if (asJson) return results.map((value) => `${raw && typeof value === "string" ? value : JSON.stringify(value, null, indent)}\n`).join("");
    return results.map((value) => (typeof value === "string" ? `${value}\n` : yamlText(value, Math.max(indent, 2)))).join(this.separator);
  }

  /** Between what comes of several documents. */
  private get separator(): string {
    return this.documents > 1 && !this.options.has("noDocument") ? "---\n" : "";
  }

  private async replace(file: string, text: string): Promise<void> {
    if (this.status !== 0) return;
    find(this.process.context, file);
    const writer = openWriter(this.process, file);
    await writer.write(text);
    close(writer);
  }
}

/** The first word that is no file is the filter; `.` when all are files. */
async function programOf(process: Process, options: Given, operands: string[]): Promise<string> {
  if (COMMANDS.has(operands[0] ?? "")) operands.shift();
  const file = options.value("fromFile");
  if (file !== undefined) return readText(process, file);
  const given = options.value("expression");
  if (given !== undefined) return given;
  const [first] = operands;
  if (first === undefined) return ".";
  const isFile = operands.length === 1 && /\.(ya?ml|json)$/.test(first) && !first.startsWith(".");
  return isFile ? "." : operands.shift()!;
}

/** `--arg NAME VALUE` as one word. */
function rewrite(args: readonly string[]): readonly string[] {
  const result: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    if (args[at] !== "--arg") result.push(args[at]!);
    else {
      result.push(`--arg=${args[at + 1] ?? ""}=${args[at + 2] ?? ""}`);
      at += 2;
    }
  }
  return result.map((word) => word.replace(/^-(o|p)=/, "-$1"));
}

export const yq = command({
  name: "yq",
  usage: "[OPTION]... [EXPRESSION] [FILE]...",
  about: "Run a jq filter over YAML or JSON; the output is YAML, or with -o json JSON. Comments and styles are not kept.",
  options: TABLE,
  rewrite,
  async run(process, options, operands) {
    const program = await programOf(process, options, operands);
    return new YqRun(process, options, program).run(operands);
  },
});
