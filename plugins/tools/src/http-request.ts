import { toolFailure } from "./said-failures.ts";
import type { HttpImplementation } from "./schema.ts";
import { type Arguments, aloneIn, type Encode, filled, valueAt } from "./template.ts";

const MAX_URL = 8_000;

/** A call of an http tool, as it is sent but for the values of its secrets. */
export interface ToolRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** The request that these arguments make of a tool: each is written so that it stays in its place. */
export function requestOf(implementation: HttpImplementation, args: Arguments): ToolRequest {
  const { method, headers: given, query } = implementation;
  const headers = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, headerValue(name, filled(value, args))]),
  );
  const { text: body, type } = bodyOf(implementation, args);
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  return {
    method,
    url: addressOf(implementation.url, query, args),
    headers: { ...(type && !hasType && { "content-type": type }), ...headers },
    body: method === "GET" ? undefined : body,
  };
}

/** A fragment is never sent; what came after the path stays after it. */
function addressOf(template: string, query: HttpImplementation["query"], args: Arguments): string {
  const [, start = "", path = "", rest = ""] = /^([^/?#]*\/\/[^/?#]*)([^?#]*)(.*)$/s.exec(template) ?? [];
  const filledPath = filled(path, args, encodeURIComponent);
  // `%2e%2e` leads upwards like `..`, and no way of writing it does not.
  const climbs = filledPath.split("/").some((part, at) => isDots(part) && !isDots(path.split("/")[at] ?? ""));
  if (climbs) throw toolFailure("bad_request", "other_path");
  const url = new URL(`${start}${filledPath}${filled(rest, args, encodeURIComponent)}`);
  for (const [name, value] of Object.entries(query)) {
    const alone = aloneIn(value);
    // An argument that was not given is not asked for.
    if (alone === undefined || valueAt(args, alone) !== undefined) url.searchParams.append(name, filled(value, args));
  }
  url.hash = "";
  if (url.href.length > MAX_URL) throw toolFailure("bad_request", "address_long");
  return url.href;
}

function isDots(part: string): boolean {
  return /^(?:\.|%2e){1,2}$/i.test(part);
}

function headerValue(name: string, value: string): string {
  if (/[^\t\u0020-\u007e\u0080-\u00ff]/.test(value)) throw toolFailure("bad_request", "header_argument", { name });
  return value;
}

interface Body {
  readonly text: string | undefined;
  readonly type?: string;
}

function bodyOf({ body, headers }: HttpImplementation, args: Arguments): Body {
  if (body === undefined || body === "") return { text: undefined };
  if (typeof body === "object") return { text: JSON.stringify(withArguments(body, args)), type: "application/json" };
  const template = jsonTemplate(body, headers);
  if (template !== undefined) return { text: JSON.stringify(withArguments(template, args)) };
  return { text: filled(body, args, encodeFor(typeOf(headers))) };
}

/** A text body that is JSON: what stands in it stays a value of it. Throws for JSON that is none. */
export function jsonTemplate(body: string, headers: HttpImplementation["headers"]): unknown {
  if (!/[/+]json\b/i.test(typeOf(headers))) return undefined;
  try {
    return JSON.parse(body);
  } catch {
    throw toolFailure("bad_request", "no_body_json", { example: '"{{city}}"' }, { field: "implementation.body" });
  }
}

function typeOf(headers: HttpImplementation["headers"]): string {
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type");
  return found?.[1] ?? "";
}

const XML: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

function encodeFor(type: string): Encode {
  if (/urlencoded/i.test(type)) return encodeURIComponent;
  if (/[/+](?:xml|html)\b/i.test(type)) return (text) => text.replaceAll(/[&<>"']/g, (found) => XML[found] ?? found);
  return (text) => text;
}

/** A text that is nothing but an argument becomes its value: a number stays one. */
function withArguments(part: unknown, args: Arguments): unknown {
  if (typeof part === "string") {
    const alone = aloneIn(part);
    return alone === undefined ? filled(part, args) : valueAt(args, alone);
  }
  if (Array.isArray(part)) return part.map((one) => withArguments(one, args) ?? null);
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, withArguments(value, args)]));
}
