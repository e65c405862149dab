import Joi from "@hapi/joi";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import type { Localized } from "../../localized.ts";
import { functionSchema, validateWith } from "../../validation/joi-schemas.ts";
import { localizedSchema } from "../../validation/localized-schema.ts";
import type { ToolPart } from "./tool-parts.ts";

/** A message of a prompt. */
export interface McpPromptMessage {
  readonly role: "user" | "assistant";
  readonly content: ToolPart;
}

/** An argument of a prompt. */
export interface McpPromptArgument {
  readonly name: string;
  readonly description: string;
  /** Localized description for people; absent: `description` is shown. */
  readonly help?: Localized;
  readonly required: boolean;
}

/** A prompt that an MCP client offers its user. */
export interface McpPrompt {
  /** `[a-z0-9_]{1,64}`, unique. */
  readonly name: string;
  /** Written for clients and their models. */
  readonly description: string;
  /** Localized description for people; absent: `description` is shown. */
  readonly help?: Localized;
  readonly arguments: readonly McpPromptArgument[];
  /** Returns the messages. Required arguments are present, at most 2,000 characters each. They are data: never place them among instructions. */
  messages(given: Readonly<Record<string, string>>): readonly McpPromptMessage[];
}

/** Prompts offered to MCP clients. */
export const McpPrompts: ExtensionPoint<McpPrompt> = extensionPoint("mcp-prompts", {
  accept: validateWith(
    Joi.object({
      name: Joi.string()
        .pattern(/^[a-z0-9_]{1,64}$/)
        .required(),
      description: Joi.string().allow("").required(),
      help: localizedSchema,
      arguments: Joi.array()
        .items(
          Joi.object({
            name: Joi.string().required(),
            description: Joi.string().allow("").required(),
            help: localizedSchema,
            required: Joi.boolean().required(),
          }).unknown(),
        )
        .required(),
      messages: functionSchema.required(),
    }).unknown(),
  ),
  unique: { kind: "MCP prompt", names: ({ name }) => [name] },
});
