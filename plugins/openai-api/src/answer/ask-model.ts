import {
  type Caller,
  type Characters,
  createPartQueue,
  type FilterRequest,
  type MessageFilter,
  type ModelAnswer,
  type ModelCall,
  type ModelCalls,
  modelError,
  type Spender,
} from "@parley/core";
import { expandMacros } from "@parley/core/characters";
import type { Target } from "../model-list.ts";
import type { ChatMessage, CompletionBody } from "../request/body.ts";
import { listPictures, toText } from "../request/content.ts";
import { toParameters } from "../request/parameters.ts";
import type { Pictures } from "../request/pictures.ts";
import { toPrompt, toTools } from "../request/prompt.ts";
import type { AnswerEnd, FinishReason, RunningAnswer } from "./running-answer.ts";

/** The place that rules of the filter see for requests that are not stored. */
const PLACE = { channelId: "web", sessionId: "" };

export interface AskModelDeps {
  readonly models: () => ModelCalls;
  readonly characters: () => Pick<Characters, "faces"> | undefined;
  readonly filter: () => MessageFilter | undefined;
  readonly pictures: Pictures;
  readonly now: () => number;
  readonly timeZone: () => string;
}

/** A request to a target, by a caller. */
export interface CompletionRequest {
  readonly body: CompletionBody;
  readonly target: Target;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  /** Key under which the client repeats the request. */
  readonly idempotencyKey?: string | undefined;
}

/** Answers the messages of a request by one call of a model; stores nothing but its usage. */
export async function askModel(deps: AskModelDeps, request: CompletionRequest): Promise<RunningAnswer> {
  const { body, target, caller, signal } = request;
  const filtered = await filterMessages(deps.filter(), body.messages);
  if (!filtered) return toBlockedAnswer();
  const pictures = await deps.pictures.load(filtered.flatMap(listPictures), signal);
  const character = target.characterId === undefined ? [] : await createCharacterMessages(deps, target.characterId);
  const stop = new AbortController();
  const call = deps.models().ask({
    purpose: "chat",
    messages: toPrompt([...character, ...filtered], pictures),
    ...toTools(body),
    parameters: toParameters(body),
    isStreamed: true,
    isShown: body.stream,
    ...(target.modelId !== undefined && { onlyModelId: target.modelId }),
    session: null,
    user: caller.username,
    spender: toSpender(caller, target),
    signal: AbortSignal.any([signal, stop.signal]),
  });
  return { ...readAnswer(deps.filter(), call), stop: () => stop.abort() };
}

function toSpender({ kind, credentialId, accountId }: Caller, { characterId }: Target): Spender {
  return {
    accountId,
    ...(kind === "api_key" && { apiKeyId: credentialId }),
    ...(characterId !== undefined && { characterId }),
  };
}

/** Returns the profile of a character as the first message. */
async function createCharacterMessages(deps: AskModelDeps, id: string): Promise<readonly ChatMessage[]> {
  const face = (await deps.characters()?.faces([id]))?.get(id);
  if (!face) return [];
  const values = { user: "the user", char: face.nickname ?? face.name, seed: `${deps.now()}`, conversation: id };
  const content = expandMacros(face.system_prompt, { ...values, at: deps.now(), timeZone: deps.timeZone() });
  return [{ role: "system", content: `You speak as "${face.name.replaceAll('"', "'")}".\n\n${content}` }];
}

/** Filters what the user wrote; undefined when a message is blocked. */
async function filterMessages(
  filter: MessageFilter | undefined,
  messages: readonly ChatMessage[],
): Promise<readonly ChatMessage[] | undefined> {
  if (!filter) return messages;
  const filtered: ChatMessage[] = [];
  for (const message of messages) {
    const isUser = message.role === "user";
    const result = isUser ? await applyFilter(filter, "user", toText(message), listPictures(message)) : undefined;
    if (result?.blocked) return undefined;
    filtered.push(result?.filtered ? replaceText(message, result.text) : message);
  }
  return filtered;
}

function replaceText(message: ChatMessage, text: string): ChatMessage {
  const pictures = Array.isArray(message.content) ? message.content.filter(({ type }) => type !== "text") : [];
  return { ...message, content: [{ type: "text", text }, ...pictures] };
}

function applyFilter(
  filter: MessageFilter,
  target: FilterRequest["target"],
  text: string,
  attached: readonly unknown[] = [],
) {
  return filter.apply({ ...PLACE, target, text, hasAttachments: attached.length > 0 });
}

function toBlockedAnswer(): RunningAnswer {
  return { pieces: createPieces([]), end: Promise.resolve(createEnd({ finishReason: "content_filter" })), stop() {} };
}

const createEnd = (known: Partial<AnswerEnd>): AnswerEnd => ({
  text: "",
  finishReason: "stop",
  refusal: null,
  toolCalls: [],
  usage: null,
  ...known,
});

async function* createPieces(texts: readonly string[]): AsyncGenerator<string> {
  yield* texts;
}

/** Reads the answer of a model. Text that the filter may still change is passed on at the end. */
function readAnswer(filter: MessageFilter | undefined, call: ModelCall): Pick<RunningAnswer, "pieces" | "end"> {
  const isGuarded = filter !== undefined && filter.hasRulesFor?.("ai", PLACE.channelId, PLACE.sessionId) !== false;
  const queue = createPartQueue<string>(() => {});
  const read = async (): Promise<AnswerEnd> => {
    for await (const part of call.parts) if (part.type === "text" && !isGuarded) queue.push(part.text);
    const end = await toEnd(await call.answer, isGuarded ? filter : undefined);
    if (isGuarded && end.text !== "") queue.push(end.text);
    return end;
  };
  const end = read().finally(queue.end);
  // The reader of the pieces gets to the end only after them.
  end.catch(() => {});
  return { pieces: queue.parts, end };
}

async function toEnd(answer: ModelAnswer, filter: MessageFilter | undefined): Promise<AnswerEnd> {
  const { text, toolCalls, usage, ending, failure } = answer;
  if (failure?.category === "content_refused") return createEnd({ finishReason: "content_filter", usage });
  if (ending === "failed" && failure) throw modelError(failure);
  const result = filter && text !== "" ? await applyFilter(filter, "ai", text) : undefined;
  if (result?.blocked) return createEnd({ finishReason: "content_filter", usage });
  return createEnd({ text: result?.text ?? text, finishReason: toFinishReason(answer), toolCalls, usage });
}

function toFinishReason({ ending, toolCalls }: ModelAnswer): FinishReason {
  if (ending === "length") return "length";
  return toolCalls.length > 0 ? "tool_calls" : "stop";
}
