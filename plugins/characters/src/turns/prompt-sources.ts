import type { PromptSource, Turn } from "@parley/core";
import {
  type CharacterBond,
  type CharacterMood,
  expandMacros,
  toAuthorRules,
  toMacroValues,
  toPostHistoryPrompt,
} from "@parley/core/characters";
import type { ReactionPlan } from "../reactions/reaction-plan.ts";
import type { CharacterRecords, Speaker } from "../records/character-records.ts";
import { CHARACTER_TURN, type CharacterTurnContext } from "./turn-context.ts";

type Records = Pick<CharacterRecords, "findSpeaker">;

const toInstruction = (text: string) => ({ text, isData: false }) as const;
// A replay has no records to read.
const SYSTEM_SOURCE = { place: "system", isExternal: true } as const;

async function findSpeaker(records: Records, { session }: Turn): Promise<Speaker | undefined> {
  return session.character_id === null ? undefined : records.findSpeaker(session.character_id);
}

/** Prompt sources of a character: rules, profile, mood, relationship and reaction. */
export const PROMPT_SOURCES: readonly ((records: Records, timeZone: () => string) => PromptSource)[] = [
  (records, timeZone) => ({
    ...SYSTEM_SOURCE,
    id: "characters.rules",
    key: "character.profile",
    priority: 20,
    async collect(turn) {
      const character = turn.session.system_prompt === "" ? await findSpeaker(records, turn) : undefined;
      return character && toAuthorRules(character.prompt.rules, toMacroValues(turn, timeZone()));
    },
  }),
  (records, timeZone) => ({
    ...SYSTEM_SOURCE,
    id: "characters.profile",
    key: "character.profile",
    priority: 31,
    async collect(turn) {
      // The session's own prompt replaces the character's.
      const character = turn.session.system_prompt === "" ? await findSpeaker(records, turn) : undefined;
      return character && toInstruction(expandMacros(toProfileText(character, turn), toMacroValues(turn, timeZone())));
    },
  }),
  () => turnContextSource("characters.state", "character.runtime_state", 40, ({ state }) => toStateText(state)),
  () =>
    turnContextSource("characters.relationship", "character.relationship", 50, ({ bond }, turn) =>
      toRelationshipText(bond, toMacroValues(turn, "UTC").user),
    ),
  () => turnContextSource("characters.reaction", "character.reaction_plan", 55, ({ plan }) => toPlanText(plan)),
  (records, timeZone) => ({
    id: "characters.post-history",
    key: "character.post_history",
    priority: 30,
    place: "after-history",
    isExternal: true,
    async collect(turn) {
      const character = await findSpeaker(records, turn);
      return character && toInstruction(toPostHistoryPrompt(character, toMacroValues(turn, timeZone())));
    },
  }),
];

/** Creates a prompt source from the character's data on the turn. */
function turnContextSource(
  id: string,
  key: string,
  priority: number,
  say: (note: CharacterTurnContext, turn: Turn) => string,
): PromptSource {
  return {
    ...SYSTEM_SOURCE,
    id,
    key,
    priority,
    async collect(turn) {
      const note = CHARACTER_TURN.of(turn);
      return note && toInstruction(say(note, turn));
    },
  };
}

/** Returns the card's text; a scene of the session replaces the card's. */
function toProfileText({ prompt: { definition }, scenario }: Speaker, { session }: Turn): string {
  if (session.scenario === "" || session.scenario === scenario) return definition;
  const withScene = scenario === "" ? definition : definition.replace(scenario, () => session.scenario);
  return withScene === definition ? `${definition}\n\nThe scene: ${session.scenario}` : withScene;
}

function toStateText({ mood, mood_intensity, energy, scene }: CharacterMood): string {
  const lines = [
    `Your mood now: ${mood} (${toLevel(mood_intensity * 100)}). Your energy: ${toLevel(energy)} (${energy} of 100).`,
  ];
  const seen = Object.entries(scene).map(
    ([name, value]) => `${name}: ${Array.isArray(value) ? value.join(", ") : value}`,
  );
  if (seen.length > 0) lines.push(`Around you: ${seen.join("; ")}.`);
  return lines.join("\n");
}

function toRelationshipText(bond: CharacterBond, user: string): string {
  const felt = Object.entries(bond).map(([name, value]) => `${name} ${toLevel(value)} (${value})`);
  return `How you feel about "${user.replaceAll('"', "'")}", each from 0 to 100: ${felt.join(", ")}. Show it in how you talk; never name the numbers.`;
}

const STYLE_INSTRUCTIONS: Readonly<Record<string, string>> = {
  tired: "You are tired: answer shortly and slowly.",
  strong: "The feeling is strong: let it show.",
  guarded: "You do not feel safe: keep some distance.",
  closer: "You are close: talk as with somebody you know well.",
};

function toPlanText({ intent, tone, visible_emotion, hidden_emotion, style_controls }: ReactionPlan): string {
  const hidden = hidden_emotion === visible_emotion ? "" : ` What you do not show: ${hidden_emotion}.`;
  const styles = Object.entries(style_controls).flatMap(([name, isOn]) =>
    isOn ? [STYLE_INSTRUCTIONS[name] ?? ""] : [],
  );
  const lines = [
    `In this answer you want to ${intent}, in a ${tone} tone. What shows: ${visible_emotion}.${hidden}`,
    ...styles,
  ];
  return lines.join("\n");
}

function toLevel(value: number): string {
  if (value < 20) return "very low";
  if (value < 40) return "low";
  if (value < 60) return "middling";
  return value < 80 ? "high" : "very high";
}
