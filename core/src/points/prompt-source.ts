import Joi from "@hapi/joi";
import { type ExtensionPoint, extensionPoint } from "../extension-point.ts";
import { runs, shaped, word } from "../shape.ts";
import type { PromptPart, Turn } from "./turn-stage.ts";

/** The layers of the prompt and their order (contract sessions §6). */
export const PROMPT_LAYERS = {
  "global.safety": 10,
  "app.behavior": 20,
  "character.profile": 30,
  "session.custom_prompt": 35,
  "character.runtime_state": 40,
  "character.relationship": 50,
  "character.reaction_plan": 55,
  "character.memories": 60,
  world_book: 65,
  "knowledge.rag": 70,
  "tool.instructions": 80,
} as const;
export type PromptLayer = keyof typeof PROMPT_LAYERS;

/** Gives one layer of the prompt. All sources are asked in parallel; one that fails is left out and traced. */
export interface PromptSource {
  readonly id: string;
  readonly layer: PromptLayer;
  /** True: the turn and the configuration do not decide what it gives; a replay takes what it gave then. */
  readonly isExternal?: true;
  /** Undefined or an empty text: nothing to say in this turn. */
  collect(turn: Turn, signal: AbortSignal): Promise<Pick<PromptPart, "text" | "isData"> | undefined>;
}

/** What the model is told besides the conversation. */
export const PromptSources: ExtensionPoint<PromptSource> = extensionPoint("prompt-sources", {
  accept: shaped(
    Joi.object({
      id: word.required(),
      layer: Joi.valid(...Object.keys(PROMPT_LAYERS)).required(),
      isExternal: Joi.valid(true),
      collect: runs.required(),
    }).unknown(),
  ),
  unique: { kind: "prompt source", names: ({ id }) => [id] },
});
