import type { LocalizedError, Message } from "@parley/core";
import { isJsonObject, type JsonObject } from "../json-object.ts";

// No types are generated for socket frames, so these functions check the fields that the page relies on.

export function isMessage(value: unknown): value is Message {
  return (
    isJsonObject(value) &&
    typeof value.id === "string" &&
    typeof value.seq === "number" &&
    typeof value.revision === "number"
  );
}

export function toTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Returns the localized error of a frame or of a stored failure. */
export function toLocalizedError({ error, code, detail }: JsonObject): LocalizedError {
  return { error: String(error), code: String(code), ...(isDetail(detail) && { detail }) };
}

function isDetail(value: unknown): value is NonNullable<LocalizedError["detail"]> {
  return isJsonObject(value) && typeof value.key === "string";
}
