import { jsonFaultIn } from "@parley/core/json-place";
import { useTexts } from "../i18n/i18n.ts";
import { parseJson } from "./json-text.ts";

/** Says where a text stops being JSON; undefined for one that is JSON. */
export function useJsonError(): (text: string) => string | undefined {
  const { t } = useTexts();
  return (text) => {
    if (parseJson(text) !== undefined) return undefined;
    const { line, column } = jsonFaultIn(text);
    return t("notJsonAt", { line, column });
  };
}
