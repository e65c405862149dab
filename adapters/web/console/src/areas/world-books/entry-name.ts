import { shortened } from "../../shared/ui/some-names.ts";
import type { Entry } from "./api.ts";

/** What the service calls an entry that has neither a name nor a keyword. */
const UNNAMED = "Entry";

/** The name of an entry; of one that has none the beginning of its text. */
export function entryName({ name, keywords, content }: Pick<Entry, "name" | "keywords" | "content">): string {
  return name === UNNAMED ? keywords[0] || shortened(content) || name : name;
}
