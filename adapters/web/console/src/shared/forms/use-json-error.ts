import { findJsonErrorPosition } from "@parley/core/json-place";
import { useTexts } from "../i18n/i18n.ts";
import { parseJson } from "./json-text.ts";

/** Returns a function that describes where a text is invalid JSON; undefined for valid JSON. */
export function useJsonError(): (text: string) => string | undefined {
  const { t } = useTexts();
  return (text) => {
    if (parseJson(text) !== undefined) return undefined;
    const { line, column } = findJsonErrorPosition(text);
    return t("notJsonAt", { line, column });
  };
}
