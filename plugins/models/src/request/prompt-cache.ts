import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from "@ai-sdk/provider";

type Message = LanguageModelV4Prompt[number];
type ProviderOptions = NonNullable<LanguageModelV4CallOptions["providerOptions"]>;

/** The part of an opened model that decides how its provider caches prompts. */
export interface CachingModel {
  readonly protocol: string;
  /** True when the server routes requests by `prompt_cache_key`. */
  readonly takesCacheKey: boolean;
}

/**
 * Returns the options of one protocol: requests with the same key share a cache where the server takes keys, and nothing
 * is stored at the provider, so reasoning and calls are sent back in full rather than by id.
 */
export function toProviderOptions(
  { protocol, takesCacheKey }: CachingModel,
  cacheKey: string | undefined,
): ProviderOptions {
  const key = takesCacheKey ? cacheKey : undefined;
  if (protocol === "openai_responses") return { openai: { store: false, ...(key && { promptCacheKey: key }) } };
  return protocol === "openai_chat" && key ? { openaiChat: { prompt_cache_key: key } } : {};
}

/**
 * Marks where the provider ends a cached beginning, in protocols that ask for such marks: after the system text, after
 * the history, and after the last tool result. The last message of the user changes with each turn and is not cached.
 */
export function markCacheBreakpoints(
  prompt: LanguageModelV4Prompt,
  { protocol }: CachingModel,
  cacheKey: string | undefined,
): LanguageModelV4Prompt {
  if (protocol !== "anthropic_messages" || cacheKey === undefined) return prompt;
  const question = prompt.findLastIndex(({ role }) => role === "user");
  const ends = new Set([
    prompt.findIndex(({ role }) => role === "system"),
    question - 1,
    ...(prompt.at(-1)?.role === "tool" ? [prompt.length - 1] : []),
  ]);
  return prompt.map((message, index) => (ends.has(index) ? toBreakpoint(message) : message));
}

function toBreakpoint(message: Message): Message {
  const { anthropic, ...others } = message.providerOptions ?? {};
  return {
    ...message,
    providerOptions: { ...others, anthropic: { ...anthropic, cacheControl: { type: "ephemeral" } } },
  };
}
