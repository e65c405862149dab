import { type CharacterBond, type CharacterMood, type PromptSource, type Turn, withNames } from "@parley/core";
import type { CharacterRecords, Speaker } from "./character-records.ts";
import type { Plan } from "./plan.ts";
import { NOTE } from "./turn-note.ts";

type Records = Pick<CharacterRecords, "speaker">;

/** What a character is, how it feels, how it stands to whoever writes, and how it takes the message (contract sessions §6). */
export function promptSources(records: Records): readonly PromptSource[] {
  const own = (text: string) => ({ text, isData: false }) as const;
  const speaker = ({ session }: Turn) =>
    session.character_id === null ? undefined : records.speaker(session.character_id);
  // A replay has no records to read.
  const system = { place: "system", isExternal: true } as const;
  return [
    {
      ...system,
      id: "characters.profile",
      key: "character.profile",
      priority: 31,
      async collect(turn) {
        // A prompt of the session's own stands in place of the character's.
        const character = turn.session.system_prompt === "" ? await speaker(turn) : undefined;
        return character && own(named(profileOf(character, turn), turn));
      },
    },
    {
      ...system,
      id: "characters.state",
      key: "character.runtime_state",
      priority: 40,
      async collect(turn) {
        const note = NOTE.of(turn);
        return note && own(stateText(note.state));
      },
    },
    {
      ...system,
      id: "characters.relationship",
      key: "character.relationship",
      priority: 50,
      async collect(turn) {
        const note = NOTE.of(turn);
        return note && own(bondText(note.bond, userOf(turn)));
      },
    },
    {
      ...system,
      id: "characters.reaction",
      key: "character.reaction_plan",
      priority: 55,
      async collect(turn) {
        const note = NOTE.of(turn);
        return note && own(planText(note.plan));
      },
    },
    {
      id: "characters.post-history",
      key: "character.post_history",
      priority: 30,
      place: "after-history",
      isExternal: true,
      async collect(turn) {
        const character = await speaker(turn);
        return character && own(named(character.post_history_instructions, turn));
      },
    },
  ];
}

/** The card; a scene that the session has of its own stands in place of the card's. */
function profileOf({ system_prompt, scenario }: Speaker, { session }: Turn): string {
  if (session.scenario === "" || session.scenario === scenario) return system_prompt;
  const told = scenario === "" ? system_prompt : system_prompt.replace(scenario, () => session.scenario);
  return told === system_prompt ? `${system_prompt}\n\nThe scene: ${session.scenario}` : told;
}

// One name in front of many: a name is one line, whatever a platform lets people call themselves.
function userOf({ inbound }: Turn): string {
  return inbound.sender.name.replaceAll(/\s+/g, " ").slice(0, 100) || "the user";
}

function named(text: string, turn: Turn): string {
  return withNames(text, { user: userOf(turn), char: turn.session.sender_name || "you" });
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
