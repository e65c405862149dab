import Joi from "@hapi/joi";
import { bondValues, type CharacterBond, type CharacterMood, moodValues } from "@parley/core/characters";
import { listQuery, type Page } from "@parley/core/http";

export const compressBody = Joi.object<{ readonly keep_last?: number }>({
  keep_last: Joi.number().integer().min(2).max(100),
});
export const summaryBody = Joi.object<{ readonly max_chars: number; readonly save_memories: boolean }>({
  max_chars: Joi.number().integer().min(50).max(4000).default(800),
  save_memories: Joi.boolean().default(true),
});
export const restoreBody = Joi.object<{ readonly turns?: number; readonly count?: number }>({
  turns: Joi.number().integer().min(1).max(100),
  count: Joi.number().integer().min(1).max(100),
}).oxor("turns", "count");
export const promptBody = Joi.object<{ readonly content: string }>({
  content: Joi.string().trim().min(1).max(20_000).required(),
});

export interface TimelineQuery extends Page {
  readonly order: "asc" | "desc";
  readonly character_id?: string;
}
export const timelineQuery = listQuery<TimelineQuery>({
  order: Joi.string().valid("asc", "desc").default("asc"),
  character_id: Joi.string().max(64),
});
export interface TimelineBody {
  readonly snapshot: { readonly state?: Partial<CharacterMood>; readonly relationship?: Partial<CharacterBond> };
  readonly character_id?: string;
  readonly message_id?: string;
}
export const timelineBody = Joi.object<TimelineBody>({
  snapshot: Joi.object({ state: moodValues, relationship: bondValues }).or("state", "relationship").required(),
  character_id: Joi.string().max(64),
  message_id: Joi.string().max(64),
});
