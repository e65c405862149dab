import type { LanguageModelV4Prompt, LanguageModelV4StreamPart, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { AnswerContent } from "@parley/core";
import { type JsonObject, parseJsonObject } from "@parley/core/json";
import { createReasoningFields } from "./reasoning-fields.ts";
import type { SecretMask } from "./secret-mask.ts";
import { createThinkTagParser } from "./think-tags.ts";

type Metadata = Extract<LanguageModelV4StreamPart, { type: "reasoning-start" }>["providerMetadata"];
type Part = Extract<LanguageModelV4Prompt[number], { role: "assistant" }>["content"][number];

/** Collects an answer in the form in which its provider wants it back: its parts in order, with their metadata. */
export interface AnswerCollector {
  /** Adds to the text or the reasoning with that id. */
  add(type: "text" | "reasoning", id: string, delta: string, metadata: Metadata): void;
  addCall(call: { readonly id: string; readonly name: string; readonly input: string }, metadata: Metadata): void;
  /** Adds an event or a whole response of the server, which has fields that the provider's library does not read. */
  addRaw(raw: unknown): void;
  /** Returns the parts without secrets, and without thinking inside a text. */
  content(mask: SecretMask): AnswerContent;
}

interface CollectedPart {
  readonly type: "text" | "reasoning" | "tool-call";
  text: string;
  metadata: Metadata;
  readonly call?: { readonly id: string; readonly name: string; readonly input: string };
}

export function createAnswerCollector(): AnswerCollector {
  const parts = new Map<string, CollectedPart>();
  const reasoning = createReasoningFields();
  return {
    add(type, id, delta, metadata) {
      const key = `${type} ${id}`;
      const known = parts.get(key) ?? { type, text: "", metadata: undefined };
      known.text += delta;
      known.metadata = mergeMetadata(known.metadata, metadata);
      parts.set(key, known);
    },
    addCall: (call, metadata) => void parts.set(`call ${call.id}`, { type: "tool-call", text: "", metadata, call }),
    addRaw: reasoning.add,
    content(mask) {
      const all = addToReasoning([...parts.values()].flatMap(toPart), reasoning.options());
      return JSON.parse(mask.maskText(JSON.stringify(all)));
    },
  };
}

function mergeMetadata(old: Metadata, added: Metadata): Metadata {
  if (!old || !added) return added ?? old;
  const providers = Object.entries(added).map(([provider, values]) => [provider, { ...old[provider], ...values }]);
  return { ...old, ...Object.fromEntries(providers) };
}

function toPart({ type, text, metadata, call }: CollectedPart): readonly Part[] {
  const options = metadata ? { providerOptions: metadata } : {};
  if (call) {
    return [
      { type: "tool-call", toolCallId: call.id, toolName: call.name, input: parseToolInput(call.input), ...options },
    ];
  }
  if (type === "reasoning") return text === "" && !metadata ? [] : [{ type: "reasoning", text, ...options }];
  const visible = removeThinking(text);
  return visible === "" && !metadata ? [] : [{ type: "text", text: visible, ...options }];
}

/** Adds options to the reasoning of an answer, or adds a reasoning part without text for them. */
function addToReasoning(parts: readonly Part[], options: SharedV4ProviderOptions | undefined): readonly Part[] {
  if (!options) return parts;
  const at = parts.findIndex(({ type }) => type === "reasoning");
  const { providerOptions, ...part } = parts[at] ?? { type: "reasoning", text: "" };
  const extended = { ...part, providerOptions: { ...providerOptions, ...options } } as Part;
  return [...parts.slice(0, Math.max(at, 0)), extended, ...parts.slice(at + 1)];
}

/** Parses tool arguments; providers accept only objects. */
function parseToolInput(input: string): JsonObject {
  return parseJsonObject(input) ?? {};
}

function removeThinking(text: string): string {
  let visible = "";
  const tags = createThinkTagParser(
    (delta) => {
      visible += delta;
    },
    () => {},
  );
  tags.write(text);
  tags.end();
  return visible;
}
