import { createHash } from "node:crypto";
import { APICallError, type LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import type { ConfiguredModel } from "../catalog.ts";
import { keyOf } from "./attempt-log.ts";

/** A part of the request that is left out for a model that refuses it. */
export type Extra = "pictures" | "format" | "dimensions" | "tools" | `tool:${string}` | `field:${string}`;

/** Fields of a request that an answer can do without; where a refusal names two of them, the first goes first. */
const FIELDS = [
  ...["top_p", "topP", "temperature", "frequency_penalty", "frequencyPenalty", "presence_penalty", "presencePenalty"],
  ...["max_tokens", "max_completion_tokens", "max_output_tokens", "maxOutputTokens"],
  ...["stream_options", "parallel_tool_calls", "tool_choice", "store", "include"],
];
const STATUSES = [400, 404, 422];
/** Patterns for refusals that name a tool by its index; among declarations it is the inner one. */
const PLACES = [/function_?declarations[.[](\d+)/i, /\btools[.[](\d+)/i];
const NO_TOOLS =
  /(not|n't) support(ed)?( for)?( the)? (tool|function)|support (tool use|function call)|(tools?|functions?|function calling|tool (use|calling)) (is|are) not (supported|available|enabled)/i;

/** A tool as it is known for what it was refused: another schema is another tool. */
export function toolExtra({ name, inputSchema }: LanguageModelV4FunctionTool): Extra {
  const hash = createHash("sha256").update(JSON.stringify(inputSchema)).digest("base64url").slice(0, 12);
  return `tool:${name}:${hash}`;
}

/** Fields without which a protocol takes no request. */
const NEEDED: Readonly<Record<string, readonly string[]>> = { anthropic_messages: ["max_tokens"] };

/** Finds the part of the request that a provider's refusal names: a tool, all tools, or a field. */
export function namedIn(
  error: unknown,
  { protocol, tools }: { readonly protocol: string; readonly tools: readonly LanguageModelV4FunctionTool[] },
): readonly Extra[] {
  if (!APICallError.isInstance(error) || !STATUSES.includes(error.statusCode ?? 0)) return [];
  const text = `${error.message}\n${error.responseBody ?? ""}`.replaceAll('\\"', '"');
  const tool = toolIn(text, tools);
  if (tool) return [toolExtra(tool)];
  if (tools.length > 0 && NO_TOOLS.test(text)) return ["tools"];
  if (error.statusCode === 404) return [];
  return sentFields(error.requestBodyValues)
    .filter((field) => !NEEDED[protocol]?.includes(field) && isNamed(field, text))
    .map((field): Extra => `field:${field}`);
}

function toolIn(text: string, tools: readonly LanguageModelV4FunctionTool[]) {
  const named = tools.filter(({ name }) =>
    new RegExp(`(['"\`‘“]|\\b(function|tool):? )${escaped(name)}(?![\\w-])`).test(text),
  );
  if (named.length > 0) return named.toSorted((a, b) => b.name.length - a.name.length)[0];
  const index = PLACES.map((place) => place.exec(text)?.[1]).find((found) => found !== undefined);
  return index === undefined ? undefined : tools[Number(index)];
}

function isNamed(field: string, text: string): boolean {
  const snake = field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return new RegExp(`(?<![\\w])(${escaped(field)}|${snake})(?![\\w])`).test(text);
}

function sentFields(body: unknown): readonly string[] {
  const own = isRecord(body) ? body : {};
  const inner = isRecord(own.generationConfig) ? own.generationConfig : {};
  const sent = { ...own, ...inner };
  // A limit is sent under its newer name once the older one was refused.
  const isSent = (field: string) =>
    sent[field] !== undefined || (field === "max_completion_tokens" && "max_tokens" in sent);
  return FIELDS.filter(isSent);
}

/** The fields of a request among what a model refused. */
export function fieldsIn(refused: ReadonlySet<Extra>): ReadonlySet<string> {
  return new Set(
    [...refused].filter((extra) => extra.startsWith("field:")).map((extra) => extra.slice("field:".length)),
  );
}

const escaped = (text: string) => text.replaceAll(/[^A-Za-z0-9_]/g, "\\$&");

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A tool or a field that a model is not sent, and the provider's reason. */
export interface LeftOut {
  readonly kind: "tool" | "tools" | "field";
  readonly name: string;
  readonly detail: string;
}

/** What models refused: in memory, for as long as a model stays at its address. */
export interface Refusals {
  of(model: ConfiguredModel): ReadonlySet<Extra>;
  add(model: ConfiguredModel, extra: Extra, detail: string): void;
  /** The tools and fields among them. */
  leftOut(model: ConfiguredModel): readonly LeftOut[];
  /** Forgets what the model refused; of `tool` alone where one is named. False: there was nothing of it. */
  forget(model: ConfiguredModel, tool?: string): boolean;
}

export function createRefusals(): Refusals {
  const known = new Map<string, Map<Extra, string>>();
  const addressOf = (model: ConfiguredModel) => {
    const { protocol, base_url, model: name } = model.fields;
    return [keyOf(model), protocol, base_url, name].join("\n");
  };
  return {
    of: (model) => new Set(known.get(addressOf(model))?.keys()),
    add(model, extra, detail) {
      const key = addressOf(model);
      known.set(key, (known.get(key) ?? new Map<Extra, string>()).set(extra, detail));
    },
    forget(model, tool) {
      const key = addressOf(model);
      const refused = known.get(key);
      if (!refused) return false;
      if (tool === undefined) return known.delete(key);
      // A model that was found to take no tools at all is offered this one, and with it all others.
      const forgotten = [...refused.keys()].filter((extra) => extra === "tools" || extra.startsWith(`tool:${tool}:`));
      for (const extra of forgotten) refused.delete(extra);
      return forgotten.length > 0;
    },
    leftOut: (model) =>
      [...(known.get(addressOf(model)) ?? [])].flatMap(([extra, detail]) => {
        const [kind = "", name = ""] = extra.split(":");
        return kind === "tool" || kind === "tools" || kind === "field" ? [{ kind, name, detail }] : [];
      }),
  };
}
