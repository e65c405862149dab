import type {
  LanguageModelV4FilePart,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";

type Message = LanguageModelV4Prompt[number];
type MessageOf<Role extends Message["role"]> = Extract<Message, { role: Role }>;
type UserPart = LanguageModelV4TextPart | LanguageModelV4FilePart;

/** Protocols with text-only tool results: images follow in a user message. */
const TEXT_RESULT_PROTOCOLS = new Set(["openai_chat"]);
const MISSING_RESULT = "(The call was not answered.)";
const START_PLACEHOLDER = "(The conversation begins.)";
const CONTINUE_PLACEHOLDER = "(Go on.)";

/**
 * Returns the prompt in a form that every server accepts: one system message first, then user and assistant
 * alternating from the user; each tool call directly followed by its result, and no other results; nothing empty, and
 * the last message from the user or a tool. User texts are preserved in order.
 */
export function toWellFormed(prompt: LanguageModelV4Prompt, protocol: string): LanguageModelV4Prompt {
  // The offline model accepts any prompt, and reads only the last message.
  if (protocol === "offline") return prompt;
  const valid = prompt.map(toValidText);
  const system = valid.flatMap((message) => (message.role === "system" ? [message] : []));
  const text = system
    .map(({ content }) => content)
    .filter((content) => content.trim() !== "")
    .join("\n\n");
  const conversation = mergeAdjacent(pairResults(valid.filter(({ role }) => role !== "system").flatMap(removeEmpty)));
  const first: Message[] = text === "" ? [] : [{ ...system[0], role: "system", content: text }];
  const startingWithUser =
    conversation[0]?.role === "user" ? conversation : [toUserMessage(START_PLACEHOLDER), ...conversation];
  const complete =
    conversation.length === 0
      ? []
      : startingWithUser.at(-1)?.role === "assistant"
        ? [...startingWithUser, toUserMessage(CONTINUE_PLACEHOLDER)]
        : startingWithUser;
  return [...first, ...(TEXT_RESULT_PROTOCOLS.has(protocol) ? mergeAdjacent(moveImagesToUser(complete)) : complete)];
}

const toUserMessage = (text: string): MessageOf<"user"> => ({ role: "user", content: [{ type: "text", text }] });

/** Replaces unpaired surrogates, since some servers reject requests with them. */
function toValidText<Value>(value: Value): Value {
  if (typeof value === "string") return value.toWellFormed() as Value;
  if (Array.isArray(value)) return value.map(toValidText) as Value;
  if (typeof value !== "object" || value === null || value instanceof Uint8Array || value instanceof URL) return value;
  const entries = Object.entries(value).map(([key, one]) => [key.toWellFormed(), toValidText(one)]);
  return Object.fromEntries(entries);
}

/** True for an empty text part that no provider signed. */
const isBlank = (part: { readonly type: string; readonly text?: string; readonly providerOptions?: object }) =>
  part.type === "text" && (part.text ?? "").trim() === "" && !part.providerOptions;

function removeEmpty(message: Message): Message[] {
  if (message.role === "system") return [message];
  const content = (message.content as { type: string; text?: string }[]).filter((part) => !isBlank(part));
  return content.length === 0 ? [] : [{ ...message, content } as Message];
}

/** Moves each tool result directly behind its call, and drops results without a call. */
function pairResults(messages: readonly Message[]): Message[] {
  const results = new Map<string, LanguageModelV4ToolResultPart>();
  for (const message of messages) {
    if (message.role !== "tool") continue;
    for (const part of message.content) if (part.type === "tool-result") results.set(part.toolCallId, part);
  }
  return messages.flatMap((message): Message[] => {
    if (message.role === "tool") return [];
    if (message.role !== "assistant") return [message];
    const calls = message.content.filter((part) => part.type === "tool-call" && !part.providerExecuted);
    if (calls.length === 0) return [message];
    const content = (calls as LanguageModelV4ToolCallPart[]).map((call) => toToolResult(call, results));
    return [message, { role: "tool", content }];
  });
}

function toToolResult(
  { toolCallId, toolName }: LanguageModelV4ToolCallPart,
  results: ReadonlyMap<string, LanguageModelV4ToolResultPart>,
): LanguageModelV4ToolResultPart {
  const found = results.get(toolCallId);
  const output = found?.output ?? { type: "error-text" as const, value: MISSING_RESULT };
  const isEmpty = (output.type === "text" || output.type === "error-text") && output.value.trim() === "";
  return {
    ...found,
    type: "tool-result",
    toolCallId,
    toolName,
    output: isEmpty ? { ...output, value: "(no output)" } : output,
  };
}

/** Merges consecutive messages of the same role. */
function mergeAdjacent(messages: readonly Message[]): Message[] {
  const talk: Message[] = [];
  for (const message of messages) {
    const last = talk.at(-1);
    if (last?.role !== message.role || message.role === "system") talk.push(message);
    else talk[talk.length - 1] = { ...last, content: mergeContent(last, message) } as Message;
  }
  return talk;
}

function mergeContent(first: Message, second: Message): unknown[] {
  const before = first.content as readonly UserPart[];
  const after = second.content as readonly UserPart[];
  const [end, start] = [before.at(-1), after[0]];
  // Parts signed by a provider are unchanged.
  if (end?.type !== "text" || start?.type !== "text" || end.providerOptions || start.providerOptions)
    return [...before, ...after];
  return [...before.slice(0, -1), { ...end, text: `${end.text}\n\n${start.text}` }, ...after.slice(1)];
}

/** Converts results to text; their pictures follow in a user message. */
function moveImagesToUser(messages: readonly Message[]): Message[] {
  return messages.flatMap((message): Message[] => {
    if (message.role !== "tool") return [message];
    const pictures = message.content.flatMap((part) => (part.type === "tool-result" ? extractImages(part) : []));
    const content = message.content.map((part) => (part.type === "tool-result" ? toTextResult(part) : part));
    const results: Message = { ...message, content };
    return pictures.length === 0 ? [results] : [results, { role: "user", content: pictures }];
  });
}

function toTextResult(part: LanguageModelV4ToolResultPart): LanguageModelV4ToolResultPart {
  if (part.output.type !== "content") return part;
  const texts = part.output.value.flatMap((one) => (one.type === "text" ? [one.text] : []));
  return { ...part, output: { type: "text", value: texts.join("\n") || "(see below)" } };
}

function extractImages({ toolName, output }: LanguageModelV4ToolResultPart): UserPart[] {
  if (output.type !== "content") return [];
  const files = output.value.flatMap((one): UserPart[] => (one.type === "file" ? [one] : []));
  return files.length === 0 ? [] : [{ type: "text", text: `What the tool ${toolName} returned:` }, ...files];
}
