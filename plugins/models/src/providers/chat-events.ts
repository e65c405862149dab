import { randomUUID } from "node:crypto";
import { isObject } from "@parley/core/json";
import {
  type Fields,
  type Json,
  type ReadValue,
  readFields,
  readJsonText,
  readList,
  readNumber,
  readObject,
  readText,
  type TidyEvent,
} from "./field-readers.ts";

/** Rewrites events of OpenAI's chat protocol, which many servers speak: fields of an unexpected type are left out. Undefined for events without choices and usage. */
export const tidyChatEvent: TidyEvent = ({ error: _error, ...event }) => {
  const isAnswer = Array.isArray(event.choices);
  if (!isAnswer && !isObject(event.usage)) return undefined;
  return readFields({ ...event, choices: event.choices ?? [] }, EVENT_FIELDS);
};

/** Reads one part of a content. Its text may be in an object, and its type may be missing. */
function readPart(part: unknown): Json | undefined {
  if (typeof part === "string") return { type: "text", text: part };
  if (!isObject(part)) return undefined;
  const text = isObject(part.text) ? part.text.value : part.text;
  const type = part.type ?? (typeof text === "string" ? "text" : undefined);
  return typeof type === "string" ? { ...part, type, ...(typeof text === "string" && { text }) } : undefined;
}

/** Reads a content, which is a text or a list of typed parts. */
const readContent: ReadValue = (value) => {
  if (typeof value !== "object" || value === null) return readText(value);
  return [value].flat().flatMap((part: unknown) => readPart(part) ?? []);
};

const CALL_FIELDS: Fields = {
  index: readNumber,
  id: readText,
  function: readObject({ name: readText, arguments: readJsonText }),
  extra_content: readObject({ google: readObject({ thought_signature: readText }) }),
};

const readCalls: ReadValue = (value) => {
  const calls = [value].flat().filter((call) => isObject(call) && isObject(call.function));
  return calls.length > 0 ? readList(CALL_FIELDS)(calls) : undefined;
};

const MESSAGE_FIELDS: Fields = {
  role: (value) => (value === "assistant" ? value : undefined),
  content: readContent,
  reasoning_content: readText,
  reasoning: readText,
  tool_calls: readCalls,
};

/** Reads a message or a piece of one; a call in the older form `function_call` becomes a list of one call. */
const readMessage: ReadValue = (value) => {
  if (!isObject(value)) return undefined;
  const { function_call: call, ...message } = value;
  if (!isObject(call) || [message.tool_calls].flat().some(isObject)) return readFields(message, MESSAGE_FIELDS);
  // Only the first piece names the function, and servers with this form send no id of the call.
  const id = call.name ? { id: `call_${randomUUID()}` } : {};
  return readFields({ ...message, tool_calls: [{ index: 0, ...id, function: call }] }, MESSAGE_FIELDS);
};

/** Rewrites a choice so that it has a delta: some servers stream whole messages, or texts as in the older protocol. */
function toDelta({ delta, message, text, ...choice }: Json): Json {
  const piece = isObject(delta) ? delta : isObject(message) ? message : { content: text };
  return { ...choice, delta: readMessage(piece), ...(isObject(message) && { message: readMessage(message) }) };
}

const CHOICE_FIELDS: Fields = {
  // A number is a reason of the server's own. An empty text means that the answer goes on.
  finish_reason: (value) => (typeof value === "number" ? "stop" : value || undefined),
};

const EVENT_FIELDS: Fields = {
  id: readText,
  created: readNumber,
  model: readText,
  choices: (value) => (Array.isArray(value) ? readList(CHOICE_FIELDS)(value.filter(isObject).map(toDelta)) : undefined),
  usage: readObject({
    prompt_tokens: readNumber,
    completion_tokens: readNumber,
    total_tokens: readNumber,
    prompt_tokens_details: readObject({ cached_tokens: readNumber }),
    completion_tokens_details: readObject({
      reasoning_tokens: readNumber,
      accepted_prediction_tokens: readNumber,
      rejected_prediction_tokens: readNumber,
    }),
  }),
};
