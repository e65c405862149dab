import type { Shapes } from "../api/client.ts";
import { parseJson, stringifyJson } from "../forms/json-text.ts";

type Implementation = Shapes["Tool"]["implementation"];
export type HttpImplementation = Extract<Implementation, { readonly url: string }>;
export type StaticImplementation = Extract<Implementation, { readonly result: string }>;

/** A request in a form: the typed texts, valid or not. */
export interface RequestDraft {
  readonly method: string;
  readonly url: string;
  readonly headers: string;
  readonly headers_env: string;
  readonly query: string;
  readonly body: string;
  readonly response_path: string;
  readonly timeout_s: number;
  readonly max_length: number;
  readonly error_message: string;
}

export const NEW_REQUEST: RequestDraft = {
  method: "GET",
  url: "",
  headers: "",
  headers_env: "",
  query: "",
  body: "",
  response_path: "",
  timeout_s: 15,
  max_length: 10_000,
  error_message: "",
};

export const LINE_FIELDS = ["query", "headers", "headers_env"] as const;

export function toRequestDraft(implementation: HttpImplementation): RequestDraft {
  const { type: _type, headers, headers_env, query, body = "", ...rest } = implementation;
  return {
    ...rest,
    headers: toLines(headers),
    headers_env: toLines(headers_env),
    query: toLines(query),
    body: typeof body === "string" ? body : stringifyJson(body),
  };
}

/** Converts validated form texts to the implementation of a tool. */
export function toImplementation({ method, headers, headers_env, query, body, ...rest }: RequestDraft): object {
  const written = parseJson(body)?.value;
  const isJson = typeof written === "object" && written !== null && !Array.isArray(written);
  return {
    type: "http",
    method,
    ...rest,
    headers: parseLines(headers),
    headers_env: parseLines(headers_env),
    query: parseLines(query),
    ...(body.trim() !== "" && method !== "GET" && { body: isJson ? written : body }),
  };
}

/** Every line is one of its kind. */
export function hasValidLines(draft: RequestDraft): boolean {
  return LINE_FIELDS.every((name) => typeof parseLines(draft[name]) !== "string");
}

function toLines(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

/** Parses lines like `Header: value`; returns the first invalid line as a text. */
export function parseLines(text: string): Readonly<Record<string, string>> | string {
  const values: Record<string, string> = {};
  for (const line of text.split("\n").map((one) => one.trim())) {
    if (line === "") continue;
    const [, name, value] = /^([^\s:]+)\s*:\s*(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return line;
    values[name] = value;
  }
  return values;
}
