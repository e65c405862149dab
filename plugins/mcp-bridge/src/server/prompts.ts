import { ErrorCode, type GetPromptResult, McpError } from "@modelcontextprotocol/sdk/types.js";
import type { McpPrompt } from "@parley/core";
import { toContentBlock } from "./content-block.ts";

const MAX_ARGUMENT = 2000;

/** Returns a prompt with its arguments; throws the protocol's error when one is missing or too long. */
export function getPrompt(
  prompts: readonly McpPrompt[],
  name: string,
  providedArgs: Readonly<Record<string, string>>,
): GetPromptResult {
  const prompt = prompts.find((one) => one.name === name);
  if (!prompt) throw new McpError(ErrorCode.InvalidParams, `prompt '${name}' does not exist`);
  const missing = prompt.arguments.find((argument) => argument.required && !providedArgs[argument.name]?.trim());
  if (missing) throw new McpError(ErrorCode.InvalidParams, `${missing.name}: is required`);
  const values = Object.fromEntries(
    prompt.arguments.map((argument) => [argument.name, providedArgs[argument.name] ?? ""]),
  );
  const tooLong = Object.entries(values).find(([, value]) => value.length > MAX_ARGUMENT);
  if (tooLong) throw new McpError(ErrorCode.InvalidParams, `${tooLong[0]}: at most ${MAX_ARGUMENT} characters`);
  const messages = prompt.messages(values).map(({ role, content }) => ({ role, content: toContentBlock(content) }));
  return { description: prompt.description, messages };
}
