/**
 * Position of a prompt part. `system`: with the rules and the persona, before the history; for texts that stay the same
 * from message to message, because providers cache the beginning that two requests share. `before-user`: right before
 * the last user message, for texts that change with each message. `after-history`: read last by the model.
 */
export const PROMPT_PLACES = ["system", "before-user", "after-history"] as const;

/** Position of a text in the prompt. */
export type PromptPlace = (typeof PROMPT_PLACES)[number];

/** One part of the prompt. */
export interface PromptPart {
  /** Key for `disabled_prompt_keys`: `global.safety`, `character.profile`, … */
  readonly key: string;
  readonly priority: number;
  /** Default `system`. */
  readonly place?: PromptPlace;
  readonly text: string;
  /** True for recalled text: it is wrapped in delimiters and has no authority. */
  readonly isData: boolean;
  /** Count of last messages that follow the text; only with `before-user`. Default 1. */
  readonly depth?: number;
  /** With a `depth`: inserts the text as a message of the AI. */
  readonly saidBy?: "assistant";
  /** True when the text replaces the service's general rules; each `GENERAL_RULES` placeholder in it is replaced by them. */
  readonly replacesGeneralRules?: true;
}
