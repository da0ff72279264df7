import { kernel } from "amla:kernel";
import { lazily } from "./lazily";
import { callbackify, promisify } from "./util/callbacks";
import { format, formatWithOptions, inspect, stripVTControlCharacters } from "./util/inspect";
import { _extend, aborted, checks, debuglog, deprecate, getSystemErrorName, inherits, toUSVString } from "./util/legacy";
import { parseArgs } from "./util/parse_args";
import { styleText } from "./util/style_text";

const { isDeepStrictEqual } = kernel.console;
const globals = globalThis as Record<string, unknown>;

export {
  _extend,
  aborted,
  callbackify,
  debuglog as debug,
  debuglog,
  deprecate,
  format,
  formatWithOptions,
  getSystemErrorName,
  inherits,
  inspect,
  isDeepStrictEqual,
  parseArgs,
  promisify,
  stripVTControlCharacters,
  styleText,
  toUSVString,
};

Object.assign(module.exports, checks);

lazily(module.exports, {
  types: () => require("node:util/types"),
  TextDecoder: () => globals.TextDecoder,
  TextEncoder: () => globals.TextEncoder,
});
