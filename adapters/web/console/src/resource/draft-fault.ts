import { useJsonFault } from "../shared/forms/json-fault.ts";
import { isJsonDraft } from "./json-draft.ts";

/** Says where what is being written stops being JSON. */
export function useDraftFault(): (value: unknown) => string | undefined {
  const fault = useJsonFault();
  return (value) => (isJsonDraft(value) ? fault(value.unfinishedJson) : undefined);
}
