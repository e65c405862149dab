import type { ModelCalls } from "@parley/core";
import { type AskDeps, createAsk } from "./ask.ts";
import { createEmbed, type EmbedDeps } from "./embed.ts";
import { createMedia } from "./media.ts";
import { createRerank } from "./rerank.ts";

/** Builds all model calls on one failover queue. */
export function createModelCalls(deps: AskDeps & EmbedDeps): ModelCalls {
  return { ask: createAsk(deps), embed: createEmbed(deps), rerank: createRerank(deps), ...createMedia(deps) };
}
