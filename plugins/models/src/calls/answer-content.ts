import type { LanguageModelV4Prompt, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { AnswerContent } from "@parley/core";
import type { SecretMask } from "./secret-mask.ts";
import { createThinkTags } from "./think-tags.ts";

type Metadata = Extract<LanguageModelV4StreamPart, { type: "reasoning-start" }>["providerMetadata"];
type Part = Extract<LanguageModelV4Prompt[number], { role: "assistant" }>["content"][number];

/** Collects an answer as it is sent back to the provider that gave it: its parts in their order, each with the provider's metadata. */
export interface AnswerCollector {
  /** Adds to the text or the reasoning of that id. */
  add(type: "text" | "reasoning", id: string, delta: string, metadata: Metadata): void;
  call(call: { readonly id: string; readonly name: string; readonly input: string }, metadata: Metadata): void;
  /** The parts, without secrets and without thinking that stands in a text. */
  content(mask: SecretMask): AnswerContent;
}

interface Collected {
  readonly type: "text" | "reasoning" | "tool-call";
  text: string;
  metadata: Metadata;
  readonly call?: { readonly id: string; readonly name: string; readonly input: string };
}

export function createAnswerCollector(): AnswerCollector {
  const parts = new Map<string, Collected>();
  return {
    add(type, id, delta, metadata) {
      const key = `${type} ${id}`;
      const known = parts.get(key) ?? { type, text: "", metadata: undefined };
      known.text += delta;
      known.metadata = merged(known.metadata, metadata);
      parts.set(key, known);
    },
    call: (call, metadata) => void parts.set(`call ${call.id}`, { type: "tool-call", text: "", metadata, call }),
    content(mask) {
      const all = [...parts.values()].flatMap(toPart);
      return JSON.parse(mask.text(JSON.stringify(all)));
    },
  };
}

function merged(old: Metadata, added: Metadata): Metadata {
  if (!old || !added) return added ?? old;
  const providers = Object.entries(added).map(([provider, values]) => [provider, { ...old[provider], ...values }]);
  return { ...old, ...Object.fromEntries(providers) };
}

function toPart({ type, text, metadata, call }: Collected): readonly Part[] {
  const options = metadata ? { providerOptions: metadata } : {};
  if (call) {
    return [{ type: "tool-call", toolCallId: call.id, toolName: call.name, input: inputOf(call.input), ...options }];
  }
  if (type === "reasoning") return text === "" && !metadata ? [] : [{ type: "reasoning", text, ...options }];
  const visible = visibleText(text);
  return visible === "" && !metadata ? [] : [{ type: "text", text: visible, ...options }];
}

/** Providers take arguments as an object only. */
function inputOf(input: string): unknown {
  try {
    const value: unknown = JSON.parse(input);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

function visibleText(text: string): string {
  let visible = "";
  const tags = createThinkTags(
    (said) => {
      visible += said;
    },
    () => {},
  );
  tags.hear(text);
  tags.end();
  return visible;
}
