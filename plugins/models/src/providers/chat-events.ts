/** Rewrites one event of a provider to a form its library reads; undefined drops it. */
export type TidyEvent = (event: Readonly<Record<string, unknown>>) => object | undefined;

type Json = Readonly<Record<string, unknown>>;
/** Reads a value to the type the library accepts; undefined leaves the field out. */
type ReadValue = (value: unknown) => unknown;
type Fields = Readonly<Record<string, ReadValue>>;

/** OpenAI's chat protocol, as its many servers speak it: a field of an unexpected type is left out, and the answer read. */
export const tidyChatEvent: TidyEvent = ({ error, ...event }) => {
  const isAnswer = Array.isArray(event.choices);
  const isEmpty = isRecord(error) && Object.keys(error).length === 0;
  if (error && !(isAnswer && isEmpty)) return { ...event, error };
  if (!isAnswer && !isRecord(event.usage)) return undefined;
  return readFields({ ...event, choices: event.choices ?? [] }, EVENT_FIELDS);
};

const readText: ReadValue = (value) =>
  typeof value === "string" || typeof value === "number" ? String(value) : undefined;

/** Reads a number; some servers send a text of digits. */
export const readNumber: ReadValue = (value) => {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^\d+$/.test(value) ? Number(value) : undefined;
};

const readObject =
  (fields: Fields): ReadValue =>
  (value) =>
    isRecord(value) ? readFields(value, fields) : undefined;

const readList =
  (fields: Fields): ReadValue =>
  (value) =>
    Array.isArray(value) ? value.filter(isRecord).map((one) => readFields(one, fields)) : undefined;

/** Content is a text or typed parts. */
const readContent: ReadValue = (value) =>
  Array.isArray(value) ? value.filter((part) => isRecord(part) && typeof part.type === "string") : readText(value);

/** Arguments are a text of JSON; some servers send the object itself, or null for none. */
const readArguments: ReadValue = (value) =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : (readText(value) ?? "");

const CALL_FIELDS: Fields = {
  index: readNumber,
  id: readText,
  function: readObject({ name: readText, arguments: readArguments }),
  extra_content: readObject({ google: readObject({ thought_signature: readText }) }),
};

const readCalls: ReadValue = (value) => {
  const calls = Array.isArray(value) ? value.filter((call) => isRecord(call) && isRecord(call.function)) : [];
  return calls.length > 0 ? readList(CALL_FIELDS)(calls) : undefined;
};

const MESSAGE_FIELDS: Fields = {
  role: (value) => (value === "assistant" ? value : undefined),
  content: readContent,
  reasoning_content: readText,
  reasoning: readText,
  tool_calls: readCalls,
};

const EVENT_FIELDS: Fields = {
  id: readText,
  created: readNumber,
  model: readText,
  choices: readList({
    delta: readObject(MESSAGE_FIELDS),
    message: readObject(MESSAGE_FIELDS),
    finish_reason: (value) => (typeof value === "string" ? value : undefined),
  }),
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

/** Returns the object with the named fields read, and all others unchanged. */
export function readFields(value: Json, fields: Fields): Json {
  const read = Object.entries(value).map(([name, own]) => {
    const readValue = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return [name, readValue ? readValue(own) : own] as const;
  });
  return Object.fromEntries(read.filter(([, own]) => own !== undefined));
}

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
