import { isObject } from "@parley/core/json";
import {
  type Json,
  type ReadValue,
  readFields,
  readJsonText,
  readNumber,
  readOr,
  readText,
  type TidyEvent,
} from "./field-readers.ts";

const EVENTS = new Set([
  ...["message_start", "content_block_start", "content_block_delta", "content_block_stop"],
  ...["message_delta", "message_stop", "ping", "message"],
]);
/** Text fields that the blocks and deltas of each known type must have. */
const TEXT_FIELDS: Readonly<Record<string, readonly string[]>> = {
  text: ["text"],
  thinking: ["thinking"],
  redacted_thinking: ["data"],
  tool_use: [],
  text_delta: ["text"],
  thinking_delta: ["thinking"],
  signature_delta: ["signature"],
  input_json_delta: ["partial_json"],
  citations_delta: [],
};

const readUsage = (required: readonly string[]): ReadValue => {
  const counts = ["input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
  const fields = Object.fromEntries(
    counts.map((name) => [name, required.includes(name) ? readOr(readNumber, 0) : readNumber]),
  );
  return (value) => readFields(isObject(value) ? value : {}, fields, required);
};

/** The protocol sends the stop reason only once, so any value counts as an end. */
const readStopReason: ReadValue = (value) => (typeof value === "string" && value !== "" ? value : "end_turn");

const START_FIELDS = { id: readText, model: readText, role: readText, usage: readUsage(["input_tokens"]) };
const END_FIELDS = { stop_reason: readStopReason, stop_sequence: readText };
const MESSAGE_FIELDS = {
  id: readText,
  model: readText,
  stop_reason: readStopReason,
  stop_sequence: readText,
  usage: readUsage(["input_tokens", "output_tokens"]),
  content: (value: unknown) =>
    typeof value === "string" ? [{ type: "text", text: value }] : [value].flat().flatMap((one) => readBlock(one) ?? []),
};

function readBlock(block: unknown): Json | undefined {
  const names = isObject(block) ? TEXT_FIELDS[String(block.type)] : undefined;
  if (!isObject(block) || !names) return undefined;
  const read = readFields(block, Object.fromEntries(names.map((name) => [name, readJsonText])), names);
  return block.type === "tool_use" ? { ...read, input: isObject(block.input) ? block.input : {} } : read;
}

/** Rewrites events of Anthropic's protocol: drops unknown ones, reads odd fields. Stateful: create one per answer. */
export function createAnthropicTidy(): TidyEvent {
  const unknown = new Set<unknown>();
  let last = 0;
  const tidyBlockEvent: TidyEvent = (event) => {
    const index = (readNumber(event.index) as number | undefined) ?? last;
    last = index;
    if (event.type === "content_block_start") {
      const content_block = readBlock(event.content_block);
      if (!content_block) unknown.add(index);
      return content_block && { ...event, index, content_block };
    }
    if (unknown.has(index)) return undefined;
    if (event.type === "content_block_stop") return { ...event, index };
    const delta = readBlock(event.delta);
    return delta && { ...event, index, delta };
  };
  return (event) => {
    // The whole answer of some servers has no type.
    const type = String(event.type ?? (Array.isArray(event.content) ? "message" : ""));
    if (!EVENTS.has(type)) return undefined;
    if (type.startsWith("content_block_")) return tidyBlockEvent(event);
    if (type === "message") return readFields({ ...event, type }, MESSAGE_FIELDS, ["usage"]);
    if (type === "message_start") {
      const { content: _content, ...message } = isObject(event.message) ? event.message : {};
      return { ...event, message: readFields(message, START_FIELDS, ["usage"]) };
    }
    if (type !== "message_delta") return event;
    const delta = readFields(isObject(event.delta) ? event.delta : {}, END_FIELDS, ["stop_reason"]);
    return { ...event, delta, usage: readUsage(["output_tokens"])(event.usage) };
  };
}
