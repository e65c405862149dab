import type { ModelCalls } from "@parley/core";
import { type AskDeps, createAsk } from "./ask.ts";
import { createEmbed, type EmbedDeps } from "./embed.ts";
import { createMedia } from "./media.ts";
import { createRerank } from "./rerank.ts";

/** Everything that models are called for, over one way through the queue of a purpose. */
export function createModelCalls(deps: AskDeps & EmbedDeps): ModelCalls {
  return { ask: createAsk(deps), embed: createEmbed(deps), rerank: createRerank(deps), ...createMedia(deps) };
}
