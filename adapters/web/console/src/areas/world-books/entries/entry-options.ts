import type { Entry } from "../api.ts";

export const ENTRY_KINDS: readonly Entry["entry_type"][] = [
  "relationship",
  "rule",
  "location",
  "event",
  "npc",
  "faction",
  "lore",
  "style",
  "secret",
];
export const TRIGGER_SOURCES: readonly Entry["trigger_sources"][number][] = [
  "user",
  "assistant_recent",
  "history",
  "scene_state",
];
export const SECONDARY_LOGICS: readonly Entry["selective_logic"][] = ["and_any", "and_all", "not_any", "not_all"];
