import type { Character, Session } from "@parley/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ParleyWithModel, startParleyWithModel } from "../harness/parley-with-model.ts";

let world: ParleyWithModel;
beforeAll(async () => {
  world = await startParleyWithModel();
});
afterAll(() => world[Symbol.asyncDispose]());

const GENERAL = "Answer in the language of the last message unless asked otherwise.";
const CARD = {
  name: "Mira",
  description: "{{char}} has a red coat",
  personality: "dry",
  scenario: "a port",
  first_message: "Ahoy {{original}}there",
  example_dialogues: "<START> {{user}}: Hi",
};

/** Fields of a card, and expected texts of the system prompt and behind the history. */
const FORMS: readonly (readonly [fields: object, system: readonly string[], last?: string])[] = [
  [{ system_prompt: "   \n" }, [GENERAL]],
  [{ system_prompt: "{{original}}" }, [GENERAL]],
  [{ system_prompt: "{{ORIGINAL}} A {{ original }}" }, [`${GENERAL} A ${GENERAL}`]],
  [{ system_prompt: "Play {{char}}: {{description}}, {{Personality}}." }, ["Play Mira: Mira has a red coat, dry."]],
  [{ system_prompt: "At {{scenario}} with {{persona}}. {{mesExamples}}" }, ["At a port with . <START> admin: Hi"]],
  [{ description: "a red coat {{original}}" }, [GENERAL, "a red coat "]],
  [{ post_history_instructions: "{{original}} Stay in {{scenario}}." }, [GENERAL], "Stay in a port."],
  [{ post_history_instructions: "{{original}}" }, [GENERAL], "hello"],
  [{ system_prompt: "Mine.", post_history_instructions: "{{user}}!" }, ["Mine."], "admin!"],
];

test.each<(typeof FORMS)[number]>(FORMS)(
  "the prompts of a card's author are sent as they were meant: %j",
  async (fields, system, last) => {
    const { api, models } = world;
    const character = await api.post<Character>("/api/characters", { ...CARD, ...fields });
    const session = await api.post<Session>("/api/sessions", { character_id: character.id });
    await api.post(`/api/sessions/${session.id}/chat`, { content: "hello" });
    const messages = models.requests.at(-1)?.body.messages ?? [];
    const prompt = String(messages[0]?.content);
    for (const text of [
      ...system,
      "You are Mira.",
      "a red coat",
      "## Personality\ndry",
      "## Scenario\na port",
      "<START>",
    ])
      expect(prompt).toContain(text);
    if (!system.join().includes(GENERAL)) expect(prompt).not.toContain(GENERAL);
    expect(String(messages.at(-1)?.content)).toContain(last ?? "hello");
    expect(JSON.stringify(messages)).not.toContain("{{");
    expect(JSON.stringify(messages)).toContain("Ahoy there");
  },
);
