import type { LanguageModelV4Prompt, SharedV4ProviderOptions } from "@ai-sdk/provider";
import { isObject } from "@parley/core/json";
import type { Json } from "../providers/field-readers.ts";

type Message = LanguageModelV4Prompt[number];
type JsonObject = SharedV4ProviderOptions[string];

/** Key of the service's own data in the provider options of a reasoning part. */
const OWN_KEY = "parley";
/** Key under which the library of OpenAI's chat protocol accepts further fields of a message. */
const LIBRARY_KEY = "openaiCompatible";
/** Fields of a detail that arrive in pieces. */
const TEXT_FIELDS: ReadonlySet<string> = new Set(["text", "summary"]);

/** Collects reasoning that the library of OpenAI's chat protocol does not send back, such as `reasoning_details`. */
export interface ReasoningFields {
  /** Reads an event or a whole response of the server. */
  add(raw: unknown): void;
  /** Returns the options of a reasoning part; undefined when the library sends everything back. */
  options(): SharedV4ProviderOptions | undefined;
}

export function createReasoningFields(): ReasoningFields {
  const details: Json[] = [];
  let isShortName = false;
  return {
    add(raw) {
      const [choice] = isObject(raw) && Array.isArray(raw.choices) ? raw.choices.filter(isObject) : [];
      const message = [choice?.delta, choice?.message].find(isObject);
      if (!message) return;
      isShortName ||= typeof message.reasoning === "string" && typeof message.reasoning_content !== "string";
      for (const detail of [message.reasoning_details].flat().filter(isObject)) addDetail(details, detail);
    },
    options() {
      if (details.length === 0 && !isShortName) return undefined;
      return { [OWN_KEY]: { details, isShortName } as unknown as JsonObject };
    },
  };
}

/** Appends a detail, or a further piece of the last one. */
function addDetail(details: Json[], detail: Json): void {
  const last = details.at(-1);
  const isPiece = last?.type === detail.type && last?.index === detail.index && detail.data === undefined;
  if (!last || !isPiece) return void details.push(detail);
  const fields = Object.entries(detail).map(([name, value]) => {
    const isText = TEXT_FIELDS.has(name) && typeof last[name] === "string" && typeof value === "string";
    return [name, isText ? `${last[name]}${value}` : (value ?? last[name])] as const;
  });
  details[details.length - 1] = { ...last, ...Object.fromEntries(fields) };
}

/** Returns an assistant's message with its reasoning in the fields that the server used. */
export function withReasoningFields(message: Message): Message {
  if (message.role !== "assistant") return message;
  const reasoning = message.content.flatMap((part) => (part.type === "reasoning" ? [part] : []));
  const given = reasoning.map(({ providerOptions }) => providerOptions?.[OWN_KEY]).filter((one) => one !== undefined);
  if (given.length === 0) return message;
  const text = reasoning.map((part) => part.text).join("");
  const details = given.flatMap((one) => (Array.isArray(one.details) ? one.details : []));
  const fields = {
    // Servers that know one of the names reject the other name.
    ...(given.some(({ isShortName }) => isShortName) &&
      text !== "" && { reasoning_content: undefined, reasoning: text }),
    ...(details.length > 0 && { reasoning_details: details }),
  };
  return { ...message, providerOptions: { ...message.providerOptions, [LIBRARY_KEY]: fields } };
}
