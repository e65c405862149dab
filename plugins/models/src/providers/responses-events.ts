import { isObject } from "@parley/core/json";
import {
  type Fields,
  type Json,
  type ReadValue,
  readFields,
  readJsonText,
  readNumber,
  readObject,
  readOr,
  readText,
  type TidyEvent,
} from "./field-readers.ts";

/** Reads the usage; without both the input and the output count it is undefined. */
const readUsage: ReadValue = (value) => {
  const counts = readObject({
    input_tokens: readNumber,
    output_tokens: readNumber,
    total_tokens: readNumber,
    input_tokens_details: readObject({ cached_tokens: readNumber }),
    output_tokens_details: readObject({ reasoning_tokens: readNumber }),
  })(value);
  return isObject(counts) && "input_tokens" in counts && "output_tokens" in counts ? counts : undefined;
};

const readDetails: ReadValue = (value) => (isObject(value) && typeof value.reason === "string" ? value : undefined);
const RESPONSE_FIELDS: Fields = {
  id: readText,
  model: readText,
  created_at: readNumber,
  service_tier: readText,
  usage: readUsage,
  incomplete_details: readDetails,
  error: (value) => (isObject(value) && Object.keys(value).length > 0 ? value : undefined),
};
const STATUSES = ["in_progress", "completed", "incomplete"];
const CALL_FIELDS: Fields = {
  call_id: readText,
  name: readText,
  arguments: readJsonText,
  status: (value) => (STATUSES.includes(String(value)) ? value : "completed"),
};
const PART_FIELDS: Fields = {
  text: readOr(readText, ""),
  annotations: (value) => (Array.isArray(value) ? value : []),
  logprobs: (value) => (Array.isArray(value) ? value : undefined),
};

function readItem(item: Json, id: string): Json {
  const named = { ...item, id: readText(item.id) ?? readText(item.call_id) ?? id };
  if (item.type === "function_call")
    return readFields({ call_id: named.id, ...named }, CALL_FIELDS, ["arguments", "status"]);
  if (item.type !== "message" || item.content === undefined) return named;
  const { content } = item;
  const parts = typeof content === "string" ? [{ type: "output_text", text: content }] : content;
  const readParts = (value: unknown) => [value].flat().filter(isObject).map(readOutputPart);
  return { ...named, role: "assistant", content: readParts(parts) };
}

function readOutputPart(part: Json): Json {
  return part.type === "output_text" ? readFields(part, PART_FIELDS, ["text", "annotations"]) : part;
}

/** Rewrites events of OpenAI's responses protocol that its library would ignore. Stateful: create one per answer. */
export function createResponsesTidy(): TidyEvent {
  let index = 0;
  let itemId = "item_0";
  const readPlace = (event: Json) => {
    index = (readNumber(event.output_index) as number | undefined) ?? index;
    return index;
  };
  return (event) => {
    if (Array.isArray(event.output) && typeof event.type !== "string") {
      const output = event.output.filter(isObject).map((item, at) => readItem(item, `item_${at}`));
      return { ...readFields(event, RESPONSE_FIELDS), output };
    }
    if (typeof event.type !== "string") return undefined;
    if (/^response\.(created|in_progress)$/.test(event.type)) {
      const response = { id: "", model: "", created_at: 0, ...(readObject(RESPONSE_FIELDS)(event.response) ?? {}) };
      return { ...event, response };
    }
    if (/^response\.(completed|incomplete|failed)$/.test(event.type)) {
      const response = readObject(RESPONSE_FIELDS)(event.response) ?? {};
      return { sequence_number: 0, ...event, response };
    }
    if (event.type.startsWith("response.output_item.")) {
      const output_index = readPlace(event);
      const item = isObject(event.item) ? readItem(event.item, `item_${output_index}`) : {};
      itemId = String(item.id);
      return { ...event, output_index, item };
    }
    return { ...event, item_id: readText(event.item_id) ?? itemId, output_index: readPlace(event) };
  };
}
