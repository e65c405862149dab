import { createNulError, hasNul, type Tool, toFieldProblems, toValidationError } from "@parley/core";
import { mcpBridgeTexts } from "../texts.ts";

/** Validates arguments by the tool's schema: trims texts and fills defaults, but converts no text to a number or boolean. */
export function validateArgs({ args }: Tool, given: Readonly<Record<string, unknown>>): unknown {
  if (hasNul(given)) throw createNulError("arguments");
  const { value, error } = args.validate(given, { errors: { label: false } });
  if (error) throw toValidationError(toFieldProblems(error), "arguments");
  rejectCoercedValues(given, value, "");
  return value;
}

function rejectCoercedValues(before: unknown, after: unknown, path: string): void {
  if (typeof before === "string" && (typeof after === "number" || typeof after === "boolean")) {
    throw mcpBridgeTexts.error("bad_request", "wrong_type", { type: typeof after }, { field: path });
  }
  if (typeof before !== "object" || before === null || typeof after !== "object" || after === null) return;
  for (const [key, value] of Object.entries(after)) {
    const part = (before as Readonly<Record<string, unknown>>)[key];
    if (part !== undefined) rejectCoercedValues(part, value, path ? `${path}.${key}` : key);
  }
}
