/** What `tool NAME --help` says. */

import type { Schema } from "./tool_schema";

export interface Description {
  readonly name: string;
  readonly description: string;
  readonly parameters: Schema;
  readonly remaining_calls?: number | null;
}

export function describeTool({ name, description, parameters, remaining_calls }: Description): string {
  const shown = name.replaceAll("/", ".");
  const required = new Set(parameters.required);
  const entries = Object.entries(parameters.properties ?? {});
  const usage = entries.map(([key, schema]) => option(key, schema, required.has(key))).join("");
  const rows = entries.map(([key, schema]) => row(key, schema, required.has(key)));
  const budget = typeof remaining_calls === "number" ? `\nCalls left: ${remaining_calls}\n` : "";
  const about = description ? `${description}\n` : "";
  return `Usage: tool ${shown}${usage}\n${about}${rows.length > 0 ? "\n" : ""}${rows.join("")}${budget}`;
}

function option(key: string, schema: Schema, required: boolean): string {
  const text = schema.type === "boolean" ? `--${key}` : `--${key} ${key.toUpperCase()}`;
  return required ? ` ${text}` : ` [${text}]`;
}

function row(key: string, schema: Schema, required: boolean): string {
  const notes = [typeText(schema), required ? "required" : undefined, schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`];
  const head = `  --${key}`.padEnd(22);
  const words = [notes.filter((note) => note !== undefined).join(", "), schema.description].filter((each) => each).join(": ");
  return `${head}  ${words}\n`;
}

function typeText(schema: Schema): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return alternatives.map(typeText).join(" or ");
  if (schema.type === "array" && schema.items) return `array of ${typeText(schema.items)}`;
  return schema.type === undefined ? "any" : [schema.type].flat().join(" or ");
}
