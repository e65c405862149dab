import Joi from "@hapi/joi";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import type { Localized } from "../../localized.ts";
import { functionSchema, validateWith, wordSchema } from "../../validation/joi-schemas.ts";
import { localizedSchema } from "../../validation/localized-schema.ts";
import type { PromptPart } from "./prompt-part.ts";
import { PROMPT_PLACES, type PromptPlace } from "./prompt-part.ts";
import type { Turn } from "./turn-stage.ts";

/** Source of one prompt part. All sources run in parallel; a failed or slow one is omitted and traced. */
export interface PromptSource {
  /** `<plugin>.<what>` */
  readonly id: string;
  /**
   * Key for a session's `disabled_prompt_keys` and label of the part when it is data; several sources may share one.
   * Default: the id. Keys beginning with `character.` are omitted in sessions without a character.
   */
  readonly key?: string;
  /** Name of the part where a trace shows the prompt. Default: the key. */
  readonly title?: Localized;
  /**
   * Order within its place, smallest first: 10 the rules of the service, 20 of the channel, 30 to 55 the character, 58 the session's
   * own prompt, 60 memories, 65 world books, 70 knowledge, 80 tools. A source whose text changes with each message belongs
   * to `before-user`.
   */
  readonly priority: number;
  readonly place: PromptPlace;
  /** True when the result depends on more than the turn and the configuration; a replay uses the recorded one. */
  readonly isExternal?: true;
  /** True for general rules of the service, which a character's author may replace. */
  readonly isGeneral?: true;
  /** Returns false when the source has no text for this turn; `collect` is then not called. See `TurnStage.concerns`. */
  concerns?(turn: Turn): boolean;
  /** Returns the texts for this turn; undefined, an empty text or an empty list when there are none. */
  collect(turn: Turn, signal: AbortSignal): Promise<PromptText | readonly PromptText[] | undefined>;
}

/** Text of a source and its exact position. */
export type PromptText = Pick<PromptPart, "text" | "isData" | "depth" | "saidBy" | "replacesGeneralRules">;

/** Sources of prompt text besides the conversation. */
export const PromptSources: ExtensionPoint<PromptSource> = extensionPoint("prompt-sources", {
  accept: validateWith(
    Joi.object({
      id: wordSchema.required(),
      key: wordSchema.max(100),
      title: localizedSchema,
      priority: Joi.number().min(0).max(1_000).required(),
      place: Joi.valid(...PROMPT_PLACES).required(),
      isExternal: Joi.valid(true),
      isGeneral: Joi.valid(true),
      concerns: functionSchema,
      collect: functionSchema.required(),
    }).unknown(),
  ),
  unique: { kind: "prompt source", names: ({ id }) => [id] },
  ends: ["collect"],
});
