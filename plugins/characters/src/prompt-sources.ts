import {
  afterHistory,
  authorsRules,
  type CharacterBond,
  type CharacterMood,
  macrosOf,
  type PromptSource,
  type Turn,
  withMacros,
} from "@parley/core";
import type { CharacterRecords, Speaker } from "./character-records.ts";
import type { Plan } from "./plan.ts";
import { NOTE, type TurnNote } from "./turn-note.ts";

type Records = Pick<CharacterRecords, "speaker">;

const own = (text: string) => ({ text, isData: false }) as const;
// A replay has no records to read.
const system = { place: "system", isExternal: true } as const;

async function speakerOf(records: Records, { session }: Turn): Promise<Speaker | undefined> {
  return session.character_id === null ? undefined : records.speaker(session.character_id);
}

/** What a character is, how it feels, how it stands to whoever writes, and how it takes the message. */
export const PROMPT_SOURCES: readonly ((records: Records, timeZone: () => string) => PromptSource)[] = [
  (records, timeZone) => ({
    ...system,
    id: "characters.rules",
    key: "character.profile",
    priority: 20,
    async collect(turn) {
      const character = turn.session.system_prompt === "" ? await speakerOf(records, turn) : undefined;
      return character && authorsRules(character.prompt.rules, macrosOf(turn, timeZone()));
    },
  }),
  (records, timeZone) => ({
    ...system,
    id: "characters.profile",
    key: "character.profile",
    priority: 31,
    async collect(turn) {
      // A prompt of the session's own stands in place of the character's.
      const character = turn.session.system_prompt === "" ? await speakerOf(records, turn) : undefined;
      return character && own(withMacros(profileOf(character, turn), macrosOf(turn, timeZone())));
    },
  }),
  () => noted("characters.state", "character.runtime_state", 40, ({ state }) => stateText(state)),
  () =>
    noted("characters.relationship", "character.relationship", 50, ({ bond }, turn) =>
      bondText(bond, macrosOf(turn, "UTC").user),
    ),
  () => noted("characters.reaction", "character.reaction_plan", 55, ({ plan }) => planText(plan)),
  (records, timeZone) => ({
    id: "characters.post-history",
    key: "character.post_history",
    priority: 30,
    place: "after-history",
    isExternal: true,
    async collect(turn) {
      const character = await speakerOf(records, turn);
      return character && own(afterHistory(character, macrosOf(turn, timeZone())));
    },
  }),
];

/** A part that says something of what was noted on the turn. */
function noted(id: string, key: string, priority: number, say: (note: TurnNote, turn: Turn) => string): PromptSource {
  return {
    ...system,
    id,
    key,
    priority,
    async collect(turn) {
      const note = NOTE.of(turn);
      return note && own(say(note, turn));
    },
  };
}

/** The card; a scene that the session has of its own stands in place of the card's. */
function profileOf({ prompt: { definition }, scenario }: Speaker, { session }: Turn): string {
  if (session.scenario === "" || session.scenario === scenario) return definition;
  const told = scenario === "" ? definition : definition.replace(scenario, () => session.scenario);
  return told === definition ? `${definition}\n\nThe scene: ${session.scenario}` : told;
}

function stateText({ mood, mood_intensity, energy, scene }: CharacterMood): string {
  const lines = [
    `Your mood now: ${mood} (${level(mood_intensity * 100)}). Your energy: ${level(energy)} (${energy} of 100).`,
  ];
  const seen = Object.entries(scene).map(
    ([name, value]) => `${name}: ${Array.isArray(value) ? value.join(", ") : value}`,
  );
  if (seen.length > 0) lines.push(`Around you: ${seen.join("; ")}.`);
  return lines.join("\n");
}

function bondText(bond: CharacterBond, user: string): string {
  const felt = Object.entries(bond).map(([name, value]) => `${name} ${level(value)} (${value})`);
  return `How you feel about "${user.replaceAll('"', "'")}", each from 0 to 100: ${felt.join(", ")}. Show it in how you talk; never name the numbers.`;
}

const STYLES: Readonly<Record<string, string>> = {
  tired: "You are tired: answer shortly and slowly.",
  strong: "The feeling is strong: let it show.",
  guarded: "You do not feel safe: keep some distance.",
  closer: "You are close: talk as with somebody you know well.",
};

function planText({ intent, tone, visible_emotion, hidden_emotion, style_controls }: Plan): string {
  const hidden = hidden_emotion === visible_emotion ? "" : ` What you do not show: ${hidden_emotion}.`;
  const styles = Object.entries(style_controls).flatMap(([name, isOn]) => (isOn ? [STYLES[name] ?? ""] : []));
  const told = [
    `In this answer you want to ${intent}, in a ${tone} tone. What shows: ${visible_emotion}.${hidden}`,
    ...styles,
  ];
  return told.join("\n");
}

function level(value: number): string {
  if (value < 20) return "very low";
  if (value < 40) return "low";
  if (value < 60) return "middling";
  return value < 80 ? "high" : "very high";
}
