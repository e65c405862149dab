import { createHash } from "node:crypto";
import { APICallError, type LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { isObject } from "@parley/core/json";
import type { ConfiguredModel } from "../records/configured-model.ts";
import { toModelKey } from "../records/configured-model.ts";

/** A part of the request that can be left out for a model that rejects it. */
export type RequestFeature = "pictures" | "format" | "dimensions" | "tools" | `tool:${string}` | `field:${string}`;

/** Optional fields of a request. If an error names several, the first in this list is left out first. */
const OPTIONAL_FIELDS = [
  ...["top_p", "topP", "temperature", "frequency_penalty", "frequencyPenalty", "presence_penalty", "presencePenalty"],
  ...["max_tokens", "max_completion_tokens", "max_output_tokens", "maxOutputTokens"],
  ...["stream_options", "parallel_tool_calls", "tool_choice", "store", "include", "prompt_cache_key"],
];
const REJECTION_STATUSES = [400, 404, 422];
/** Patterns for rejections that name a tool by its index, in a path or list of keys; the inner index is the tool's. */
const TOOL_INDEX_PATTERNS = [
  /function_?declarations(?:["'`]\s*,\s*|["'`]\]\[|[.[/]|\s*->\s*)(\d+)/i,
  /\btools(?:["'`]\s*,\s*|["'`]\]\[|[.[/]|\s*->\s*)(\d+)/i,
];
const TOOLS_UNSUPPORTED_PATTERN =
  /(not|n't) support(ed)?( for)?( the)? (tool|function)|support (tool use|function call)|(tools?|functions?|function calling|tool (use|calling)) (is|are) not (supported|available|enabled)/i;

/** Returns the feature key of a tool. The same tool with another schema has another key. */
export function toToolFeature({ name, inputSchema }: LanguageModelV4FunctionTool): RequestFeature {
  const hash = createHash("sha256").update(JSON.stringify(inputSchema)).digest("base64url").slice(0, 12);
  return `tool:${name}:${hash}`;
}

/** Fields a protocol requires. */
const REQUIRED_FIELDS: Readonly<Record<string, readonly string[]>> = { anthropic_messages: ["max_tokens"] };

/** Finds the parts of the request that a provider's rejection names: a tool, all tools, or fields; none for other errors. */
export function findRejectedFeatures(
  error: unknown,
  { protocol, tools }: { readonly protocol: string; readonly tools: readonly LanguageModelV4FunctionTool[] },
): readonly RequestFeature[] {
  if (!APICallError.isInstance(error) || !REJECTION_STATUSES.includes(error.statusCode ?? 0)) return [];
  const text = `${error.message}\n${error.responseBody ?? ""}`.replaceAll('\\"', '"');
  const tool = findNamedTool(text, tools);
  if (tool) return [toToolFeature(tool)];
  if (tools.length > 0 && TOOLS_UNSUPPORTED_PATTERN.test(text)) return ["tools"];
  if (error.statusCode === 404) return [];
  return listSentFields(error.requestBodyValues)
    .filter((field) => !REQUIRED_FIELDS[protocol]?.includes(field) && isNamed(field, text))
    .map((field): RequestFeature => `field:${field}`);
}

function findNamedTool(text: string, tools: readonly LanguageModelV4FunctionTool[]) {
  const named = tools.filter(({ name }) =>
    new RegExp(
      `(['"\`‘“「【]|\\b(function|tool)(?: name)?(?:[:=] ?| )|工具 ?|函数 ?)${escapeRegExp(name)}(?![\\w-])`,
    ).test(text),
  );
  if (named.length > 0) return named.toSorted((a, b) => b.name.length - a.name.length)[0];
  const index = TOOL_INDEX_PATTERNS.map((place) => place.exec(text)?.[1]).find((found) => found !== undefined);
  return index === undefined ? undefined : tools[Number(index)];
}

/** Fields whose names are also words with which a sentence may begin. */
const PROSE_WORDS: ReadonlySet<string> = new Set(["store", "include"]);

function isNamed(field: string, text: string): boolean {
  const snake = field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  // Some servers write field names as words: `Top P`, `max-tokens`.
  const words = snake.replaceAll("_", "[ _-]?");
  return new RegExp(`(?<![\\w])(${escapeRegExp(field)}|${words})(?![\\w])`, PROSE_WORDS.has(field) ? "" : "i").test(
    text,
  );
}

function listSentFields(body: unknown): readonly string[] {
  const own = isObject(body) ? body : {};
  const inner = isObject(own.generationConfig) ? own.generationConfig : {};
  const sent = { ...own, ...inner };
  // The limit is sent under its newer name when the older name was rejected.
  const isSent = (field: string) =>
    sent[field] !== undefined || (field === "max_completion_tokens" && "max_tokens" in sent);
  return OPTIONAL_FIELDS.filter(isSent);
}

export function toFieldNames(rejected: ReadonlySet<RequestFeature>): ReadonlySet<string> {
  return new Set(
    [...rejected].filter((extra) => extra.startsWith("field:")).map((extra) => extra.slice("field:".length)),
  );
}

const escapeRegExp = (text: string) => text.replaceAll(/[^A-Za-z0-9_]/g, "\\$&");

/** A tool or a field that is not sent to a model, with the provider's reason. */
export interface UnsupportedFeature {
  readonly kind: "tool" | "tools" | "field";
  readonly name: string;
  readonly detail: string;
}

/** Features that models rejected, by model and address; kept in memory. */
export interface UnsupportedFeatures {
  get(model: ConfiguredModel): ReadonlySet<RequestFeature>;
  add(model: ConfiguredModel, extra: RequestFeature, detail: string): void;
  /** Returns the rejected tools and fields of a model. */
  list(model: ConfiguredModel): readonly UnsupportedFeature[];
  /** Forgets the rejections of a model, or only that of `tool`; returns false when there were none. */
  forget(model: ConfiguredModel, tool?: string): boolean;
}

export function createUnsupportedFeatures(): UnsupportedFeatures {
  const featuresByModel = new Map<string, Map<RequestFeature, string>>();
  const addressKey = (model: ConfiguredModel) => {
    const { protocol, base_url, model: name } = model.fields;
    return [toModelKey(model), protocol, base_url, name].join("\n");
  };
  return {
    get: (model) => new Set(featuresByModel.get(addressKey(model))?.keys()),
    add(model, extra, detail) {
      const key = addressKey(model);
      featuresByModel.set(key, (featuresByModel.get(key) ?? new Map<RequestFeature, string>()).set(extra, detail));
    },
    forget(model, tool) {
      const key = addressKey(model);
      const rejected = featuresByModel.get(key);
      if (!rejected) return false;
      if (tool === undefined) return featuresByModel.delete(key);
      // A model that accepts no tools is offered this one again, and with it all other tools.
      const forgotten = [...rejected.keys()].filter((extra) => extra === "tools" || extra.startsWith(`tool:${tool}:`));
      for (const extra of forgotten) rejected.delete(extra);
      return forgotten.length > 0;
    },
    list: (model) =>
      [...(featuresByModel.get(addressKey(model)) ?? [])].flatMap(([extra, detail]) => {
        const [kind = "", name = ""] = extra.split(":");
        return kind === "tool" || kind === "tools" || kind === "field" ? [{ kind, name, detail }] : [];
      }),
  };
}
