import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ModelQuestion, Picture } from "@parley/core";
import { openaiTexts } from "../texts.ts";
import type { ChatMessage, CompletionBody, ContentPart, ToolCallBody } from "./body.ts";
import { toText } from "./content.ts";

type PromptMessage = LanguageModelV4Prompt[number];
type UserContent = Extract<PromptMessage, { role: "user" }>["content"];

/** Converts the messages of a request to the prompt of a model. Pictures are given by address. */
export function toPrompt(
  messages: readonly ChatMessage[],
  pictures: ReadonlyMap<string, Picture>,
): LanguageModelV4Prompt {
  const toolNames = new Map<string, string>();
  return messages.map((message) => {
    for (const { id, function: called } of message.tool_calls ?? []) toolNames.set(id, called.name);
    return toPromptMessage(message, pictures, toolNames);
  });
}

function toPromptMessage(
  message: ChatMessage,
  pictures: ReadonlyMap<string, Picture>,
  toolNames: ReadonlyMap<string, string>,
): PromptMessage {
  const text = toText(message);
  switch (message.role) {
    case "system":
    case "developer":
      return { role: "system", content: text };
    case "user":
      return { role: "user", content: toUserContent(message, pictures) };
    case "assistant":
      return { role: "assistant", content: [{ type: "text", text }, ...(message.tool_calls ?? []).map(toToolCall)] };
    case "tool":
      return toToolResult(message.tool_call_id ?? "", text, toolNames);
  }
}

function toUserContent({ content = "" }: ChatMessage, pictures: ReadonlyMap<string, Picture>): UserContent {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content.flatMap(({ text, image_url }: ContentPart): UserContent => {
    const picture = image_url && pictures.get(image_url.url);
    if (!picture) return [{ type: "text", text: text ?? "" }];
    return [{ type: "file", mediaType: picture.mimeType, data: { type: "data", data: picture.bytes } }];
  });
}

function toToolCall({ id, function: { name, arguments: input } }: ToolCallBody) {
  return { type: "tool-call", toolCallId: id, toolName: name, input: parseArguments(input) } as const;
}

function parseArguments(input: string): unknown {
  try {
    return JSON.parse(input === "" ? "{}" : input);
  } catch (cause) {
    throw openaiTexts.error("bad_request", "bad_arguments", {}, { field: "messages.tool_calls", cause });
  }
}

function toToolResult(id: string, value: string, toolNames: ReadonlyMap<string, string>): PromptMessage {
  const toolName = toolNames.get(id);
  if (toolName === undefined) throw openaiTexts.error("bad_request", "no_call", {}, { field: "messages.tool_call_id" });
  const result = { type: "tool-result", toolCallId: id, toolName, output: { type: "text", value } } as const;
  return { role: "tool", content: [result] };
}

/** Returns the tools of the client, as models are offered them. */
export function toTools({ tools, tool_choice = "auto" }: CompletionBody): Pick<ModelQuestion, "tools" | "toolChoice"> {
  if (tools.length === 0) return {};
  const toolChoice = typeof tool_choice === "string" ? tool_choice : { toolName: tool_choice.function.name };
  return { tools: tools.map(toFunctionTool), toolChoice };
}

function toFunctionTool({
  function: { name, description, parameters = { type: "object" } },
}: CompletionBody["tools"][number]): LanguageModelV4FunctionTool {
  return { type: "function", name, inputSchema: parameters, ...(description !== undefined && { description }) };
}
