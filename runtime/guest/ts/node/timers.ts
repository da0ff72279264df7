import * as core from "amla:timers_core";
import { lazily } from "./lazily";

export const { clearImmediate, clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } = core;

lazily(module.exports, { promises: () => require("node:timers/promises") });
