import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ObjectSchema } from "@hapi/joi";
import { type Localized, toLocalized, toSchemaError } from "@parley/core";
import type { InvalidAnswer } from "../calls/attempt.ts";

const MAX_QUOTED_CHARS = 8000;

/** Adds the JSON schema to the prompt as text, because servers differ in their support of formats. */
export function addFormatInstruction(
  prompt: LanguageModelV4Prompt,
  schema: ObjectSchema,
  invalidAnswer: InvalidAnswer | undefined,
): LanguageModelV4Prompt {
  const json = schema["~standard"].jsonSchema.input({ target: "draft-2020-12" });
  const rule = `Answer with one JSON object that fits this JSON Schema, and with nothing else:\n${JSON.stringify(json)}`;
  const [first, ...others] = prompt;
  const withRule: LanguageModelV4Prompt =
    first?.role === "system"
      ? [{ ...first, content: `${first.content}\n\n${rule}` }, ...others]
      : [{ role: "system", content: rule }, ...prompt];
  if (!invalidAnswer) return withRule;
  const correction = `That does not fit: ${invalidAnswer.problem}. Answer again, with the JSON object alone.`;
  return [
    ...withRule,
    { role: "assistant", content: [{ type: "text", text: invalidAnswer.text.slice(0, MAX_QUOTED_CHARS) }] },
    { role: "user", content: [{ type: "text", text: correction }] },
  ];
}

/** Extracts and validates the JSON value of an answer, which may be in a code fence or within text. */
export function parseValue<Value>(
  text: string,
  schema: ObjectSchema<Value>,
): { readonly value: Value } | { readonly problem: Localized } {
  const found = extractJson(text);
  if (found === undefined) return { problem: { en: "it is not JSON", zh: "不是 JSON" } };
  const { value, error } = schema.validate(found, { abortEarly: false, stripUnknown: true });
  return error ? { problem: toLocalized(toSchemaError(error, error.message)) } : { value };
}

function extractJson(text: string): unknown {
  const fenced = /```(?:json)?\s*([\s\S]*?)```/i.exec(text)?.[1];
  const between = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
  for (const candidate of [text, fenced, between]) {
    try {
      if (candidate) return JSON.parse(candidate);
    } catch {
      // This candidate is not JSON; the next one may be.
    }
  }
  return undefined;
}
