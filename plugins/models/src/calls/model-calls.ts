import type { ModelCalls } from "@parley/core";
import { type AskParts, createAsk } from "./ask.ts";
import { createEmbed, type EmbedParts } from "./embed.ts";
import { createMedia } from "./media.ts";
import { createRerank } from "./rerank.ts";

/** Everything that models are called for, over one way through the queue of a purpose. */
export function createModelCalls(parts: AskParts & EmbedParts): ModelCalls {
  return { ask: createAsk(parts), embed: createEmbed(parts), rerank: createRerank(parts), ...createMedia(parts) };
}
