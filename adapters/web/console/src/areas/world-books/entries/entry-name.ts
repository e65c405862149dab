import { truncate } from "../../../shared/ui/text/list-names.ts";
import type { Entry } from "../api.ts";

/** The service's name for an entry with neither a name nor a keyword. */
const DEFAULT_NAME = "Entry";

/** Returns the name of an entry; without one its first keyword, else the beginning of its text. */
export function toEntryName({ name, keywords, content }: Pick<Entry, "name" | "keywords" | "content">): string {
  return name === DEFAULT_NAME ? keywords[0] || truncate(content) || name : name;
}
