import { isShared, listPresent, type PromptSource, type Turn } from "@parley/core";
import { type CharacterBond, type CharacterMood, toMacroValues } from "@parley/core/characters";
import type { CurrentRecord } from "../personality/current-personality.ts";
import type { ReactionPlan } from "../reactions/reaction-plan.ts";
import type { CharacterRecords } from "../records/character-records.ts";
import { charactersTexts } from "../texts.ts";
import { SPEAKER_SOURCES, type SpeakerSourceOptions, type SpeakerTexts, toInstruction } from "./speaker-sources.ts";
import { CHARACTER_TURN, type CharacterTurnContext } from "./turn-context.ts";

export interface PromptSourcesDeps {
  readonly records: Pick<CharacterRecords, "findSpeaker">;
  readonly current: Pick<CurrentRecord, "speaker">;
  readonly timeZone: () => string;
}

/** Prompt sources: the speaker's texts, and the character's mood, relationship and reaction. */
export const PROMPT_SOURCES: readonly ((deps: PromptSourcesDeps) => PromptSource)[] = [
  ...SPEAKER_SOURCES.map((create) => (deps: PromptSourcesDeps) => create(toCharacterOptions(deps))),
  ...SPEAKER_SOURCES.map((create) => (deps: PromptSourcesDeps) => create(toPersonalityOptions(deps))),
  createOthersSource,
  () => turnContextSource("state", "character.runtime_state", 40, ({ state }) => toStateText(state)),
  () =>
    turnContextSource("relationship", "character.relationship", 50, ({ bond }, turn) =>
      toRelationshipText(bond, toMacroValues(turn, "UTC").user),
    ),
  () => turnContextSource("reaction", "character.reaction_plan", 55, ({ plan }) => toPlanText(plan)),
];

function toCharacterOptions({ records, timeZone }: PromptSourcesDeps): SpeakerSourceOptions {
  return {
    prefix: "characters",
    profilePriority: 31,
    hasSpeaker: ({ session }) => session.character_id !== null,
    findSpeaker: ({ session }) => records.findSpeaker(session.character_id ?? ""),
    toProfile: toProfileText,
    toValues: ({ nickname }, turn) => toMacroValues(turn, timeZone(), nickname),
  };
}

function toPersonalityOptions({ current, timeZone }: PromptSourcesDeps): SpeakerSourceOptions {
  return {
    prefix: "personality",
    profilePriority: 32,
    // A session with a prompt of its own has no personality.
    hasSpeaker: ({ session }) => session.character_id === null && session.system_prompt === "",
    findSpeaker: () => current.speaker(),
    toProfile: ({ prompt }) => prompt.definition,
    toValues: ({ name, nickname }, turn) =>
      toMacroValues(turn, timeZone(), nickname ?? (turn.session.sender_name || name)),
  };
}

/** Creates the prompt source that names the other characters of a shared conversation. */
function createOthersSource({ records }: PromptSourcesDeps): PromptSource {
  return {
    id: "characters.others",
    key: "character.others",
    title: charactersTexts.localized("part_others"),
    priority: 33,
    place: "system",
    // A replay has no records to read.
    isExternal: true,
    concerns: ({ session, speakerId }) => speakerId !== undefined || isShared(session),
    async collect({ session }) {
      const ids = listPresent(session).filter((id) => id !== session.character_id);
      const others = await Promise.all(ids.map((id) => records.findSpeaker(id)));
      const names = others.flatMap((other) => (other ? [quote(other.name)] : []));
      return toInstruction(toOthersText(quote(session.sender_name), names));
    },
  };
}

function toOthersText(own: string, names: readonly string[]): string {
  const present =
    names.length > 0
      ? `Also here, as characters of their own: ${names.join(", ")}.`
      : "You are the only character here now.";
  return `${present} Each message begins with the name of who said it, but for yours. Answer as ${own} alone, never for others, and do not begin with a name.`;
}

function quote(name: string): string {
  return `"${name.replaceAll('"', "'")}"`;
}

/** Creates a prompt source from the character's data on the turn. */
function turnContextSource(
  part: "state" | "relationship" | "reaction",
  key: string,
  priority: number,
  say: (note: CharacterTurnContext, turn: Turn) => string,
): PromptSource {
  return {
    // A replay has no records to read.
    isExternal: true,
    place: "before-user",
    id: `characters.${part}`,
    key,
    title: charactersTexts.localized(`part_${part}`),
    priority,
    concerns: (turn) => CHARACTER_TURN.of(turn) !== undefined,
    async collect(turn) {
      const note = CHARACTER_TURN.of(turn);
      return note && toInstruction(say(note, turn));
    },
  };
}

/** Returns the card's text; a scene of the session replaces the card's. */
function toProfileText({ prompt: { definition }, scenario }: SpeakerTexts, { session }: Turn): string {
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
