import type { Shapes } from "../api/client.ts";
import { parseJson, stringifyJson } from "../forms/json-text.ts";
import { isJsonObject, type JsonObject, toJsonObject, toText } from "../json-object.ts";

type HttpImplementation = Extract<Shapes["Tool"]["implementation"], { readonly url: string }>;

/** A request in a form: the typed texts, valid or not. */
export interface RequestDraft {
  readonly method: HttpImplementation["method"];
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

export const METHODS: readonly RequestDraft["method"][] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

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

/** Reads the request of a stored tool or skill; what is missing has its default. */
export function toRequestDraft(stored: JsonObject): RequestDraft {
  const { body = "" } = stored;
  return {
    method: METHODS.find((method) => method === stored.method) ?? NEW_REQUEST.method,
    url: toText(stored.url),
    headers: toLines(stored.headers),
    headers_env: toLines(stored.headers_env),
    query: toLines(stored.query),
    body: typeof body === "string" ? body : stringifyJson(body),
    response_path: toText(stored.response_path),
    timeout_s: Number(stored.timeout_s ?? NEW_REQUEST.timeout_s),
    max_length: Number(stored.max_length ?? NEW_REQUEST.max_length),
    error_message: toText(stored.error_message),
  };
}

/** Converts validated form texts to the implementation of a tool. */
export function toImplementation({ headers, headers_env, query, body, ...rest }: RequestDraft) {
  const written = parseJson(body)?.value;
  return {
    ...rest,
    type: "http" as const,
    headers: parseLines(headers).values,
    headers_env: parseLines(headers_env).values,
    query: parseLines(query).values,
    ...(body.trim() !== "" && rest.method !== "GET" && { body: isJsonObject(written) ? written : body }),
  };
}

/** True when every line has the form `name: value`. */
export function hasValidLines(draft: RequestDraft): boolean {
  return LINE_FIELDS.every((name) => parseLines(draft[name]).badLine === undefined);
}

function toLines(values: unknown): string {
  return Object.entries(toJsonObject(values))
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join("\n");
}

interface ParsedLines {
  readonly values: Readonly<Record<string, string>>;
  /** The first invalid line. */
  readonly badLine: string | undefined;
}

/** Parses lines like `Header: value`. */
export function parseLines(text: string): ParsedLines {
  const values: Record<string, string> = {};
  for (const line of text.split("\n").map((one) => one.trim())) {
    if (line === "") continue;
    const [, name, value] = /^([^\s:]+)\s*:\s*(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return { values, badLine: line };
    values[name] = value;
  }
  return { values, badLine: undefined };
}
