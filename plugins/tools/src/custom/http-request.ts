import type { HttpImplementation } from "../schema.ts";
import { toolsTexts } from "../texts.ts";
import { type Arguments, type EncodeText, fillTemplate, getSinglePlaceholder, getValue } from "./template.ts";

const MAX_URL_CHARS = 8_000;

/** A request of an http tool, complete except for the values of its secrets. */
export interface ToolRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Builds the request of a tool from its arguments. Each argument is encoded so that it cannot leave its place. */
export function buildRequest(implementation: HttpImplementation, args: Arguments): ToolRequest {
  const { method, headers: given, query } = implementation;
  const headers = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, validateHeaderValue(name, fillTemplate(value, args))]),
  );
  const { text: body, type } = buildBody(implementation, args);
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  return {
    method,
    url: buildUrl(implementation.url, query, args),
    headers: { ...(type && !hasType && { "content-type": type }), ...headers },
    body: method === "GET" ? undefined : body,
  };
}

/** Builds the URL without a fragment, which is never sent; a query in the template stays after the path. */
function buildUrl(template: string, query: HttpImplementation["query"], args: Arguments): string {
  const [, start = "", path = "", rest = ""] = /^([^/?#]*\/\/[^/?#]*)([^?#]*)(.*)$/s.exec(template) ?? [];
  const filledPath = fillTemplate(path, args, encodeURIComponent);
  // `%2e%2e` is resolved like `..`, and so are its other spellings.
  const climbs = filledPath
    .split("/")
    .some((part, at) => isDotSegment(part) && !isDotSegment(path.split("/")[at] ?? ""));
  if (climbs) throw toolsTexts.error("bad_request", "other_path");
  const url = new URL(`${start}${filledPath}${fillTemplate(rest, args, encodeURIComponent)}`);
  for (const [name, value] of Object.entries(query)) {
    const alone = getSinglePlaceholder(value);
    // An absent argument is omitted from the query.
    if (alone === undefined || getValue(args, alone) !== undefined)
      url.searchParams.append(name, fillTemplate(value, args));
  }
  url.hash = "";
  if (url.href.length > MAX_URL_CHARS) throw toolsTexts.error("bad_request", "address_long");
  return url.href;
}

function isDotSegment(part: string): boolean {
  return /^(?:\.|%2e){1,2}$/i.test(part);
}

function validateHeaderValue(name: string, value: string): string {
  if (/[^\t\u0020-\u007e\u0080-\u00ff]/.test(value)) throw toolsTexts.error("bad_request", "header_argument", { name });
  return value;
}

interface RequestBody {
  readonly text: string | undefined;
  readonly type?: string;
}

function buildBody({ body, headers }: HttpImplementation, args: Arguments): RequestBody {
  if (body === undefined || body === "") return { text: undefined };
  if (typeof body === "object") return { text: JSON.stringify(fillArguments(body, args)), type: "application/json" };
  const template = parseJsonTemplate(body, headers);
  if (template !== undefined) return { text: JSON.stringify(fillArguments(template, args)) };
  return { text: fillTemplate(body, args, getEncoder(getContentType(headers))) };
}

/** Parses a text body as JSON, so that arguments remain values in it. Throws for invalid JSON. */
export function parseJsonTemplate(body: string, headers: HttpImplementation["headers"]): unknown {
  if (!/[/+]json\b/i.test(getContentType(headers))) return undefined;
  try {
    return JSON.parse(body);
  } catch {
    throw toolsTexts.error("bad_request", "no_body_json", { example: '"{{city}}"' }, { field: "implementation.body" });
  }
}

function getContentType(headers: HttpImplementation["headers"]): string {
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type");
  return found?.[1] ?? "";
}

const XML_ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

function getEncoder(type: string): EncodeText {
  if (/urlencoded/i.test(type)) return encodeURIComponent;
  if (/[/+](?:xml|html)\b/i.test(type))
    return (text) => text.replaceAll(/[&<>"']/g, (found) => XML_ENTITIES[found] ?? found);
  return (text) => text;
}

/** Fills arguments in; a text that is only an argument becomes its value, such as a number. */
function fillArguments(part: unknown, args: Arguments): unknown {
  if (typeof part === "string") {
    const alone = getSinglePlaceholder(part);
    return alone === undefined ? fillTemplate(part, args) : getValue(args, alone);
  }
  if (Array.isArray(part)) return part.map((one) => fillArguments(one, args) ?? null);
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, fillArguments(value, args)]));
}
