import Joi from "@hapi/joi";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import { functionSchema, validateWith, wordSchema } from "../../validation/joi-schemas.ts";
import type { PromptPart, Turn } from "./turn-stage.ts";

/**
 * Where a part of the prompt stands: with the rules and the persona, before the history; right before what the user said
 * last; or after it, as the last that the model reads.
 */
export const PROMPT_PLACES = ["system", "before-user", "after-history"] as const;
/** Where in the prompt a text stands. */
export type PromptPlace = (typeof PROMPT_PLACES)[number];

/** Gives one part of the prompt. All sources are asked in parallel; one that fails or is slow is left out and traced. */
export interface PromptSource {
  /** `<plugin>.<what>` */
  readonly id: string;
  /**
   * What a session names in `disabled_prompt_keys` to do without it, and the label of what is data; several sources may
   * share one. Default: the id. One that begins with `character.` is left out of sessions that have no character.
   */
  readonly key?: string;
  /**
   * The order inside its place, the smallest first: 10 the rules of the service, 20 of the channel, 30 to 55 the character, 58
   * the session's own prompt, 60 memories, 65 world books, 70 knowledge, 80 tools.
   */
  readonly priority: number;
  readonly place: PromptPlace;
  /** True: the turn and the configuration do not decide what it gives; a replay takes what it gave then. */
  readonly isExternal?: true;
  /** True: general rules of the service, which the author of a character may replace. */
  readonly isGeneral?: true;
  /** Undefined, an empty text or none: nothing to say in this turn. */
  collect(turn: Turn, signal: AbortSignal): Promise<PromptText | readonly PromptText[] | undefined>;
}

/** What a source says, and where it stands more exactly. */
export type PromptText = Pick<PromptPart, "text" | "isData" | "depth" | "saidBy" | "replacesGeneralRules">;

/** What the model is told besides the conversation. */
export const PromptSources: ExtensionPoint<PromptSource> = extensionPoint("prompt-sources", {
  accept: validateWith(
    Joi.object({
      id: wordSchema.required(),
      key: wordSchema.max(100),
      priority: Joi.number().min(0).max(1_000).required(),
      place: Joi.valid(...PROMPT_PLACES).required(),
      isExternal: Joi.valid(true),
      isGeneral: Joi.valid(true),
      collect: functionSchema.required(),
    }).unknown(),
  ),
  unique: { kind: "prompt source", names: ({ id }) => [id] },
  ends: ["collect"],
});
