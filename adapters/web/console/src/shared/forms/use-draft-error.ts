import { isJsonDraft } from "./json-draft.ts";
import { useJsonError } from "./use-json-error.ts";

/** Returns a function that describes where an unfinished JSON value is invalid; undefined for valid ones. */
export function useDraftError(): (value: unknown) => string | undefined {
  const findError = useJsonError();
  return (value) => (isJsonDraft(value) ? findError(value.unfinishedJson) : undefined);
}
