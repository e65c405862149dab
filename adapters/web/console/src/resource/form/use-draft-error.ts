import { useJsonError } from "../../shared/forms/use-json-error.ts";
import { isJsonDraft } from "./json-draft.ts";

/** Says where what is being written stops being JSON. */
export function useDraftError(): (value: unknown) => string | undefined {
  const fault = useJsonError();
  return (value) => (isJsonDraft(value) ? fault(value.unfinishedJson) : undefined);
}
