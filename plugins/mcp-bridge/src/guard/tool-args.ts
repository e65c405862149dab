import { AppError, hasNul, type Tool } from "@parley/core";

/** The arguments by the tool's schema: texts are trimmed and defaults filled in, but a text is no number and no switch. */
export function checkedArgs({ args }: Tool, given: Readonly<Record<string, unknown>>): unknown {
  if (hasNul(given)) throw new AppError("bad_request", "arguments: must not hold the character U+0000");
  const { value, error } = args.validate(given, { errors: { label: false } });
  if (error) {
    const [{ path = [], message = "is not valid" } = {}] = error.details;
    throw new AppError("bad_request", `${path.join(".") || "arguments"}: ${message}`);
  }
  refuseConverted(given, value, "");
  return value;
}

function refuseConverted(before: unknown, after: unknown, path: string): void {
  if (typeof before === "string" && (typeof after === "number" || typeof after === "boolean")) {
    throw new AppError("bad_request", `${path}: must be a ${typeof after}`);
  }
  if (typeof before !== "object" || before === null || typeof after !== "object" || after === null) return;
  for (const [key, value] of Object.entries(after)) {
    const part = (before as Readonly<Record<string, unknown>>)[key];
    if (part !== undefined) refuseConverted(part, value, path ? `${path}.${key}` : key);
  }
}
