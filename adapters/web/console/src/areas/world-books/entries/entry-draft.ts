import { getKeys, pick } from "../../../shared/objects.ts";
import type { Entry, EntryPatch } from "../api.ts";
import { parseScene } from "../trial/parse-conversation.ts";

export const NEW_ENTRY: Draft = {
  name: "",
  keywords: [],
  content: "",
  enabled: true,
  priority: 0,
  weight: 0,
  insertion_order: 100,
  entry_type: "lore",
  trigger_sources: ["user"],
  always_on: false,
  case_sensitive: false,
  use_regex: false,
  match_mode: "any",
  secondary_keywords: [],
  selective: false,
  selective_logic: "and_any",
  state_triggers: {},
  cooldown_turns: 0,
  max_injections_per_session: 0,
  tags: [],
  card: {},
};

export type Draft = Required<EntryPatch>;

/** Formats the state conditions as lines of `name: values`. */
export function formatTriggers(triggers: Entry["state_triggers"]): string {
  return Object.entries(triggers)
    .map(([key, values]) => `${key}: ${values.join(", ")}`)
    .join("\n");
}

export function parseTriggers(text: string): Draft["state_triggers"] {
  const pairs = Object.entries(parseScene(text));
  return Object.fromEntries(pairs.map(([key, value]) => [key, typeof value === "string" ? [value] : [...value]]));
}

/** Returns the writable fields of an entry, without those the service adds. */
export function toEntryDraft(entry: Draft): Draft {
  return pick(entry, getKeys(NEW_ENTRY));
}
