import { macrosOf, type Personality, type PromptSource, type Turn, withMacros } from "@parley/core";

type Current = Pick<Personality, "current">;

// A replay has no record to read.
const own = { isExternal: true } as const;

/** The personality speaks where neither a character nor a prompt of the session's own does. */
export const PROMPT_SOURCES: readonly ((current: Current, timeZone: () => string) => PromptSource)[] = [
  (current, timeZone) => ({
    ...own,
    id: "personality.profile",
    key: "character.profile",
    priority: 32,
    place: "system",
    collect: async (turn) =>
      isNobody(turn) ? said(turn, await current.current(), "system_prompt", timeZone()) : undefined,
  }),
  (current, timeZone) => ({
    ...own,
    id: "personality.post-history",
    key: "character.post_history",
    priority: 30,
    place: "after-history",
    collect: async (turn) =>
      isNobody(turn) ? said(turn, await current.current(), "post_history_instructions", timeZone()) : undefined,
  }),
];

function isNobody({ session }: Turn): boolean {
  return session.character_id === null && session.system_prompt === "";
}

function said(
  turn: Turn,
  personality: Awaited<ReturnType<Current["current"]>>,
  field: "system_prompt" | "post_history_instructions",
  timeZone: string,
) {
  const char = turn.session.sender_name || personality.name;
  return { text: withMacros(personality[field], macrosOf(turn, timeZone, char)), isData: false };
}
