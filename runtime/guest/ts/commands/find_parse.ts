/** From the words of find's expression to what decides about a file. */

import { then } from "../shell/io/maybe";
import { Failure } from "./command";
import { agreed } from "./confirm";
import { ACTIONS, BARE_ACTIONS, execEach, execMany, print, Quit } from "./find_actions";
import type { Check, FindState } from "./find_state";
import { BARE_TESTS, endOfDay, isRegexType, newer, TESTS } from "./find_tests";
import { quoted } from "./sizes";

/** Options that count for the whole expression, by how many arguments they have. */
const OPTIONS: Readonly<Record<string, { readonly count: number; readonly set: (state: FindState, argument: string) => void }>> = {
  "-maxdepth": { count: 1, set: (state, text) => (state.most = level(text, "-maxdepth")) },
  "-mindepth": { count: 1, set: (state, text) => (state.least = level(text, "-mindepth")) },
  "-depth": { count: 0, set: (state) => (state.depthFirst = true) },
  "-d": { count: 0, set: (state) => (state.depthFirst = true) },
  "-follow": { count: 0, set: (state) => (state.follow = "always") },
  "-daystart": { count: 0, set: (state) => (state.origin = endOfDay(state)) },
  "-regextype": { count: 1, set: setRegexType },
  "-files0-from": { count: 1, set: (state, path) => (state.startList = path) },
};
/** Without a meaning here: there is one file system, and warnings are few. */
const IGNORED = ["-xdev", "-mount", "-noleaf", "-ignore_readdir_race", "-noignore_readdir_race", "-warn", "-nowarn"];
/** Those that must come before what they change are no reason to warn. */
const POSITIONAL = ["-daystart", "-follow", "-regextype", "-warn", "-nowarn"];

function level(text: string, name: string): number {
  if (!/^\d+$/.test(text)) throw new Failure(`Expected a positive decimal integer argument to ${name}, but got ${quoted(text)}`);
  return Number(text);
}

function setRegexType(state: FindState, name: string): void {
  if (!isRegexType(name)) throw new Failure(`Unknown regular expression type ${quoted(name)}; valid types are ‘findutils-default’, ‘emacs’, ‘posix-basic’, ‘posix-extended’, ‘grep’, ‘egrep’, ‘awk’, ‘sed’ and others.`);
  state.regexType = name;
}

export function beginsExpression(word: string): boolean {
  return (word.startsWith("-") && word.length > 1) || word === "(" || word === "!";
}

const and = (left: Check, right: Check): Check => (found) => then(left(found), (yes) => yes && right(found));
const or = (left: Check, right: Check): Check => (found) => then(left(found), (yes) => yes || right(found));
const list = (left: Check, right: Check): Check => (found) => then(left(found), () => right(found));
const not = (check: Check): Check => (found) => then(check(found), (yes) => !yes);
const always: Check = () => true;

export class Parser {
  private at = 0;
  private acts = false;
  /** The first word that is no option, for a warning. */
  private firstTest: string | undefined;

  constructor(
    private readonly state: FindState,
    private readonly words: readonly string[],
  ) {}

  parse(): Check {
    if (this.words.length === 0) return print(this.state);
    const check = this.list();
    if (this.peek === ")") throw new Failure("you have too many ')'");
    return this.acts ? check : and(check, print(this.state));
  }

  private get peek(): string | undefined {
    return this.words[this.at];
  }

  private list(): Check {
    let check = this.or();
    while (this.peek === ",") {
      this.at += 1;
      check = list(check, this.or(","));
    }
    return check;
  }

  private or(before?: string): Check {
    let check = this.and(before);
    while (this.peek === "-o" || this.peek === "-or") {
      const operator = this.words[this.at++]!;
      check = or(check, this.and(operator));
    }
    return check;
  }

  private and(before?: string): Check {
    let check = this.not(before);
    for (;;) {
      const word = this.peek;
      if (word === undefined || [")", ",", "-o", "-or"].includes(word)) return check;
      const operator = word === "-a" || word === "-and" ? word : undefined;
      if (operator) this.at += 1;
      check = and(check, this.not(operator));
    }
  }

  private not(before?: string): Check {
    const word = this.peek;
    if (word === "!" || word === "-not") {
      this.at += 1;
      return not(this.not(word));
    }
    if (word === "(") return this.group();
    if (word === undefined) {
      if (before === undefined) throw new Failure("invalid empty expression");
      throw new Failure(before === "(" ? "invalid expression; expected to find a ')' but didn't see one. Perhaps you need an extra predicate after '('" : `expected an expression after '${before}'`);
    }
    if (["-o", "-or", "-a", "-and", ","].includes(word)) {
      throw new Failure(`invalid expression; you have used a binary operator '${word}' with nothing before it.`);
    }
    if (word === ")") {
      if (before === undefined || before === "(") throw new Failure("invalid expression; you have too many ')'");
      throw new Failure(`expected an expression between '${before}' and ')'`);
    }
    return this.primary();
  }

  private group(): Check {
    this.at += 1;
    if (this.peek === ")") throw new Failure("invalid expression; empty parentheses are not allowed.");
    if (this.peek === undefined) throw new Failure("invalid expression; expected to find a ')' but didn't see one. Perhaps you need an extra predicate after '('");
    const check = this.list();
    if (this.peek !== ")") throw new Failure("invalid expression; I was expecting to find a ')' somewhere but did not see one.");
    this.at += 1;
    return check;
  }

  private primary(): Check {
    const name = this.words[this.at++]!;
    if (!name.startsWith("-")) throw new Failure(this.misplaced(name));
    const word = name.startsWith("--") ? name.slice(1) : name;
    const option = OPTIONS[word];
    if (option || IGNORED.includes(word)) {
      this.warn(word);
      option?.set(this.state, option.count > 0 ? this.argument(name) : "");
      return always;
    }
    this.firstTest ??= word;
    return this.test(word, name) ?? this.action(word, name);
  }

  private test(word: string, name: string): Check | undefined {
    const bare = BARE_TESTS[word];
    if (bare) return bare(this.state);
    const letters = /^-newer([aBcm][aBcmt])$/.exec(word)?.[1];
    if (letters) return newer(this.state, this.argument(name), letters);
    return TESTS[word]?.(this.state, this.argument(name), word);
  }

  private action(word: string, name: string): Check {
    if (word === "-prune") {
      const { state } = this;
      return (found) => {
        if (!state.depthFirst) found.skip = true;
        return true;
      };
    }
    if (word === "-quit") {
      return () => {
        throw new Quit();
      };
    }
    this.acts = true;
    const bare = BARE_ACTIONS[word];
    if (bare) return bare(this.state);
    const action = ACTIONS[word];
    if (action) return action.make(this.state, Array.from({ length: action.count }, () => this.argument(name)));
    if (["-exec", "-execdir", "-ok", "-okdir"].includes(word)) return this.exec(word);
    throw new Failure(`unknown predicate \`${name}'`);
  }

  private exec(word: string): Check {
    const inFolder = word.endsWith("dir");
    const asks = word.startsWith("-ok");
    const start = this.at;
    for (; this.at < this.words.length; this.at += 1) {
      const ends = this.peek === ";";
      const many = !asks && this.peek === "+" && this.words[this.at - 1] === "{}" && this.at > start;
      if (!ends && !many) continue;
      const command = this.words.slice(start, this.at);
      this.at += 1;
      if (command.length === 0) break;
      if (many && command.filter((each) => each.includes("{}")).length > 1) throw new Failure(`Only one instance of {} is supported with ${word} ... +`);
      if (many) return execMany(this.state, command, inFolder);
      return execEach(this.state, command, inFolder, asks ? (argv, path) => this.ask(argv, path) : undefined);
    }
    throw new Failure(`missing argument to \`${word}'`);
  }

  private ask(argv: readonly string[], path: string): ReturnType<typeof agreed> {
    return agreed(this.state.process, `< ${argv[0]} ... ${path} > `);
  }

  private argument(name: string): string {
    const word = this.words[this.at++];
    if (word === undefined) throw new Failure(`missing argument to \`${name}'`);
    return word;
  }

  private misplaced(word: string): string {
    const previous = this.words[this.at - 2];
    const before = this.words[this.at - 3];
    const unquoted = before !== undefined && TESTS[before] && /name|path|regex/.test(before) ? `\nfind: possible unquoted pattern after predicate \`${before}'?` : "";
    return `paths must precede expression: \`${word}'${previous === undefined ? "" : unquoted}`;
  }

  private warn(word: string): void {
    // GNU's find warns on a terminal only, unless told to.
    if (this.firstTest === undefined || POSITIONAL.includes(word) || !this.words.includes("-warn")) return;
    const { attempts } = this.state;
    const text = `warning: you have specified the global option ${word} after the argument ${this.firstTest}, but global options are not positional, i.e., ${word} affects tests specified before it as well as those specified after it.  Please specify global options before other arguments.`;
    attempts.fail(text, attempts.status);
  }
}
