import { jsonOf, textOf } from "../../shared/forms/json-text.ts";
import type { HttpImplementation, Tool } from "./api.ts";

/** A tool as it stands in the form: what is written, JSON or not. */
export interface Draft {
  readonly name: string;
  readonly description: string;
  readonly kind: "http" | "static";
  readonly method: string;
  readonly url: string;
  readonly headers: string;
  readonly headers_env: string;
  readonly query: HttpImplementation["query"];
  readonly body: string;
  readonly response_path: string;
  readonly timeout_s: number;
  readonly max_length: number;
  readonly error_message: string;
  readonly result: string;
  readonly parameters: string;
  readonly requires_confirm: boolean;
}

const NEW: Draft = {
  name: "",
  description: "",
  kind: "http",
  method: "GET",
  url: "",
  headers: "",
  headers_env: "",
  query: {},
  body: "",
  response_path: "",
  timeout_s: 15,
  max_length: 10_000,
  error_message: "",
  result: "",
  parameters: textOf({ type: "object", properties: {} }),
  requires_confirm: false,
};

export function draftOf(tool: Tool | undefined): Draft {
  if (!tool) return NEW;
  const { name, description, requires_confirm, implementation } = tool;
  const base = { ...NEW, name, description, requires_confirm, parameters: textOf(tool.parameters) };
  if (implementation.type === "static") return { ...base, kind: "static", result: implementation.result };
  if (implementation.type === "builtin") return base;
  const { type: _type, headers, headers_env, body = "", ...rest } = implementation;
  return {
    ...base,
    ...rest,
    headers: linesOf(headers),
    headers_env: linesOf(headers_env),
    body: typeof body === "string" ? body : textOf(body),
  };
}

function linesOf(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

/** The values of lines like `Header: value`; a text is the first line that is none. */
export function valuesOf(text: string): Readonly<Record<string, string>> | string {
  const values: Record<string, string> = {};
  for (const line of text.split("\n").map((one) => one.trim())) {
    if (line === "") continue;
    const [, name, value] = /^([^\s:]+)\s*:\s*(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return line;
    values[name] = value;
  }
  return values;
}

export function isObject(text: string): boolean {
  const value = jsonOf(text)?.value;
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What is sent; lines and JSON were looked at before. */
export function bodyOf(draft: Draft): object {
  const { kind, name, description, requires_confirm, parameters, result, headers, headers_env, body, ...request } =
    draft;
  const written = jsonOf(body)?.value;
  const isJson = typeof written === "object" && written !== null && !Array.isArray(written);
  const implementation =
    kind === "static"
      ? { type: "static", result }
      : {
          type: "http",
          ...request,
          headers: valuesOf(headers),
          headers_env: valuesOf(headers_env),
          ...(body.trim() !== "" && draft.method !== "GET" && { body: isJson ? written : body }),
        };
  return { name, description, requires_confirm, parameters: jsonOf(parameters)?.value, implementation };
}
