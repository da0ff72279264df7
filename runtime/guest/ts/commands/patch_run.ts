/** patch over the files that a patch names. */

import { native } from "../bridge/native";
import type { Process } from "../shell/process";
import { Errno } from "../vfs/errors";
import { RegularFile } from "../vfs/inode";
import { chmod, exists } from "../vfs/meta";
import { mkdirs, rename, rmdir, unlink } from "../vfs/tree";
import { find } from "../vfs/walk";
import { describeErrno } from "../shell/io/errors";
import { Failure } from "./command";
import { close, openWriter, readText } from "./files";
import { Applier, type Outcome, reversed } from "./patch_apply";
import { best, createsFile, deletesFile, nameOf, stripped } from "./patch_names";
import type { FilePatch, Hunk } from "./patch_parse";
import { rejects } from "./patch_reject";
import { dirName } from "./paths";
import { shellQuoted } from "./quoting";

export interface PatchSettings {
  readonly strip: number | undefined;
  readonly reverse: boolean;
  readonly forward: boolean;
  readonly force: boolean;
  readonly batch: boolean;
  readonly dryRun: boolean;
  readonly silent: boolean;
  readonly verbose: boolean;
  readonly output: string | undefined;
  readonly reject: string | undefined;
  readonly removeEmpty: boolean;
  readonly backup: boolean;
  readonly backupMismatch: boolean;
  readonly backupName: (name: string) => string;
  readonly fuzz: number;
  readonly ignoreSpace: boolean;
  readonly file: string | undefined;
}

export const TROUBLE = 2;

interface Target {
  readonly name: string;
  readonly lines: readonly string[];
  readonly isThere: boolean;
}

/** Lines with their ends. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

export class PatchRun {
  private status = 0;
  /** What the files became so far, where nothing is written. */
  private readonly made = new Map<string, string>();
  private collected = "";

  constructor(
    private readonly process: Process,
    private readonly settings: PatchSettings,
  ) {}

  async run(patches: Iterable<FilePatch>): Promise<number> {
    for (const patch of patches) {
      await this.one(patch);
      await this.process.stdout.flush();
    }
    if (this.settings.output !== undefined && !this.settings.dryRun) await this.write(this.settings.output, this.collected);
    return this.status;
  }

  private say(text: string): void {
    if (!this.settings.silent) this.process.stdout.print(`${text}\n`);
  }

  private async one(patch: FilePatch): Promise<void> {
    const name = this.nameFor(patch);
    if (name === undefined) return this.notFound(patch);
    const target = await this.read(name, patch);
    const renamed = patch.renameTo !== undefined && !this.settings.reverse ? this.moved(patch, name) : undefined;
    if (this.refusesState(patch, target)) return;
    const shown = this.settings.output ?? renamed ?? name;
    const note = renamed ? ` (renamed from ${name})` : this.settings.output !== undefined ? ` (read from ${name})` : "";
    this.say(`${this.settings.dryRun ? "checking" : "patching"} file ${shellQuoted(shown)}${note}`);
    await this.apply(patch, target, renamed ?? name);
  }

  // --- names

  private exists(name: string): boolean {
    return this.made.has(name) || exists(this.process.context, name);
  }

  private names(patch: FilePatch): string[] {
    const { strip } = this.settings;
    const headers = [nameOf(patch.oldHeader, strip).name, nameOf(patch.newHeader, strip).name];
    const index = patch.index === undefined ? undefined : stripped(patch.index, strip);
    return [...headers, index].filter((name) => name !== undefined);
  }

  private nameFor(patch: FilePatch): string | undefined {
    if (this.settings.file !== undefined) return this.settings.file;
    const { renameFrom, renameTo } = patch;
    if (renameFrom !== undefined && renameTo !== undefined) return this.settings.reverse ? renameTo : renameFrom;
    const names = this.names(patch);
    const found = best(names.filter((name) => this.exists(name)));
    if (found !== undefined) return found;
    return this.creates(patch) || this.deletes(patch) ? best(names) : undefined;
  }

  private moved(patch: FilePatch, name: string): string | undefined {
    return patch.renameTo === name ? undefined : patch.renameTo;
  }

  private creates(patch: FilePatch): boolean {
    const side = this.settings.reverse ? patch.newHeader : patch.oldHeader;
    return this.settings.reverse ? deletesFile(patch) : createsFile(patch) || nameOf(side, this.settings.strip).absent;
  }

  private deletes(patch: FilePatch): boolean {
    const side = this.settings.reverse ? patch.oldHeader : patch.newHeader;
    const isEmpty = this.settings.reverse ? createsFile(patch) : deletesFile(patch);
    return isEmpty && nameOf(side, this.settings.strip).absent;
  }

  private notFound(patch: FilePatch): void {
    const { strip } = this.settings;
    const option = strip === undefined ? "should have used the" : "used the wrong";
    this.say(`can't find file to patch at input line ${patch.line}\nPerhaps you ${option} -p or --strip option?`);
    this.say(`The text leading up to this was:\n--------------------------\n${patch.leading.map((line) => `|${line}\n`).join("")}--------------------------`);
    if (!this.settings.force && !this.settings.batch) this.say("File to patch: \nSkip this patch? [y] ");
    else this.say("No file to patch.  Skipping patch.");
    if (!this.settings.force && !this.settings.batch) this.say("Skipping patch.");
    this.ignoreAll(patch);
  }

  private ignoreAll({ hunks }: FilePatch, saved = ""): void {
    const count = hunks.length;
    this.process.stdout.print(`${count} out of ${count} hunk${count === 1 ? "" : "s"} ignored${saved}\n`);
    this.status = 1;
  }

  // --- questions, which nobody is there to answer

  /** Whether the patch makes a file that is there, or removes one that isn't. */
  private refusesState(patch: FilePatch, target: Target): boolean {
    const reversedSay = this.settings.reverse ? ", when reversed," : "";
    if (this.creates(patch) && createsOnly(this.settings.reverse ? patch.hunks.map(reversed) : patch.hunks) && target.lines.length > 0) {
      return this.refuse(patch, `The next patch${reversedSay} would create the file ${shellQuoted(target.name)},\nwhich already exists!`);
    }
    if (this.deletes(patch) && !target.isThere) {
      return this.refuse(patch, `The next patch${reversedSay} would delete the file ${shellQuoted(target.name)},\nwhich does not exist!`);
    }
    return false;
  }

  private refuse(patch: FilePatch, message: string): boolean {
    const { forward, force, reverse } = this.settings;
    if (force) {
      this.say(`${message}  Applying it anyway.`);
      return false;
    }
    if (forward) this.say(`${message}  Skipping patch.`);
    else this.say(`${message}  ${reverse ? "Ignore" : "Assume"} -R? [n] \nApply anyway? [n] \nSkipping patch.`);
    this.ignoreAll(patch);
    return true;
  }

  /** What to do with hunks that seem to have been applied: turn them round, go on, or leave them. */
  private turned(): "turn" | "keep" | "skip" {
    const { reverse, forward, force, batch } = this.settings;
    const what = `${reverse ? "Unreversed" : "Reversed (or previously applied)"} patch detected!`;
    if (forward) this.say(`${what}  Skipping patch.`);
    else if (force) this.say(`${what}  Applying it anyway.`);
    else if (batch) this.say(`${what}  ${reverse ? "Ignoring" : "Assuming"} -R.`);
    else this.say(`${what}  ${reverse ? "Ignore" : "Assume"} -R? [n] \nApply anyway? [n] \nSkipping patch.`);
    return forward ? "skip" : force ? "keep" : batch ? "turn" : "skip";
  }

  // --- one file

  private async apply(patch: FilePatch, target: Target, name: string): Promise<void> {
    const { settings } = this;
    let hunks: readonly Hunk[] = settings.reverse ? patch.hunks.map(reversed) : patch.hunks;
    const matching = { fuzz: settings.fuzz, ignoreSpace: settings.ignoreSpace };
    const first = hunks[0];
    let turned = false;
    if (first && !settings.force && new Applier(target.lines, matching).fitsReversed(first)) {
      const answer = this.turned();
      if (answer === "skip") return this.skip(patch, hunks, name);
      turned = answer === "turn";
      if (turned) hunks = hunks.map(reversed);
    }
    const applier = new Applier(target.lines, matching);
    const outcomes = hunks.map((hunk) => applier.apply(hunk));
    for (const [i, outcome] of outcomes.entries()) this.tell(i + 1, outcome);
    const failed = outcomes.filter(({ applied }) => !applied);
    const mismatch = outcomes.some(({ applied, fuzz, offset }) => !applied || fuzz > 0 || offset !== 0);
    await this.save(patch, target, name, applier.finish().join(""), mismatch);
    if (failed.length > 0) await this.reject(patch, failed, hunks.length, name, settings.reverse !== turned, "FAILED");
  }

  private tell(number: number, { applied, line, fuzz, offset }: Outcome): void {
    if (!applied) return this.say(`Hunk #${number} FAILED at ${line}.`);
    if (fuzz === 0 && offset === 0 && !this.settings.verbose) return;
    const moved = offset === 0 ? "" : ` (offset ${offset} line${Math.abs(offset) === 1 ? "" : "s"})`;
    this.say(`Hunk #${number} succeeded at ${line}${fuzz > 0 ? ` with fuzz ${fuzz}` : ""}${moved}.`);
  }

  private async skip(patch: FilePatch, hunks: readonly Hunk[], name: string): Promise<void> {
    const outcomes = hunks.map((hunk) => ({ hunk, line: hunk.oldStart, applied: false, fuzz: 0, offset: 0 }));
    await this.reject(patch, outcomes, hunks.length, name, this.settings.reverse, "ignored");
  }

  private async reject(patch: FilePatch, failed: readonly Outcome[], count: number, name: string, reverse: boolean, what: string): Promise<void> {
    const file = this.settings.reject ?? `${this.settings.output ?? name}.rej`;
    const saves = !this.settings.dryRun && file !== "-";
    this.process.stdout.print(`${failed.length} out of ${count} hunk${count === 1 ? "" : "s"} ${what}${saves ? ` -- saving rejects to file ${shellQuoted(file)}` : ""}\n`);
    this.status = 1;
    if (saves) await this.write(file, rejects(patch, failed, reverse));
  }

  // --- files

  private async read(name: string, patch: FilePatch): Promise<Target> {
    const known = this.made.get(name);
    if (known !== undefined) return { name, lines: linesOf(known), isThere: true };
    try {
      const node = find(this.process.context, name);
      if (!(node instanceof RegularFile)) throw new Failure(`File ${shellQuoted(name)} is not a regular file -- refusing to patch`, 1);
      return { name, lines: linesOf(await readText(this.process, name)), isThere: true };
    } catch (error) {
      if (!(error instanceof Errno) || error.code !== "ENOENT") throw error;
      if (this.settings.file !== undefined && !this.creates(patch)) return { name, lines: [], isThere: false };
      return { name, lines: [], isThere: false };
    }
  }

  private async save(patch: FilePatch, target: Target, name: string, text: string, mismatch: boolean): Promise<void> {
    const { settings, process } = this;
    const { context } = process;
    if (settings.output !== undefined) {
      this.collected += text;
      return;
    }
    if (settings.dryRun) {
      this.made.set(name, text);
      return;
    }
    const mode = target.isThere ? find(context, target.name).mode & 0o7777 : undefined;
    if (settings.backup || (mismatch && settings.backupMismatch && target.isThere)) await this.write(settings.backupName(name), target.lines.join(""), mode);
    if (text === "" && (settings.removeEmpty || this.deletes(patch))) return this.remove(target.name);
    if (target.isThere && name !== target.name) rename(context, target.name, name);
    await this.write(name, text, patch.mode ?? mode);
  }

  /** The file, and the directories that are empty without it. */
  private remove(name: string): void {
    const { context } = this.process;
    if (!exists(context, name)) return;
    unlink(context, name);
    try {
      for (let directory = dirName(name); directory !== "." && directory !== "/"; directory = dirName(directory)) rmdir(context, directory);
    } catch (error) {
      if (!(error instanceof Errno)) throw error;
    }
  }

  private async write(name: string, text: string, mode?: number): Promise<void> {
    if (name === "-") return void (await this.process.stdout.write(text));
    const { context } = this.process;
    try {
      if (name.includes("/")) mkdirs(context, dirName(name), 0o777);
      const writer = openWriter(this.process, name);
      await writer.write(native.text.encode(text));
      close(writer);
      if (mode !== undefined) chmod(context, find(context, name), mode);
    } catch (error) {
      if (!(error instanceof Errno)) throw error;
      throw new Failure(`**** Can't create file ${shellQuoted(name)} : ${describeErrno(error)}`, TROUBLE);
    }
  }
}

function createsOnly(hunks: readonly Hunk[]): boolean {
  return hunks.length === 1 && hunks[0]!.lines.every(({ mark }) => mark === "+");
}
