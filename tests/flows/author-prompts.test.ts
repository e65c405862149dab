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

interface Form {
  readonly fields: object;
  /** Expected texts of the system prompt. */
  readonly system: readonly string[];
  /** Expected text of the last message. */
  readonly last?: string;
}
const FORMS: readonly Form[] = [
  { fields: { system_prompt: "   \n" }, system: [GENERAL] },
  { fields: { system_prompt: "{{original}}" }, system: [GENERAL] },
  { fields: { system_prompt: "{{ORIGINAL}} A {{ original }}" }, system: [`${GENERAL} A ${GENERAL}`] },
  {
    fields: { system_prompt: "Play {{char}}: {{description}}, {{Personality}}." },
    system: ["Play Mira: Mira has a red coat, dry."],
  },
  {
    fields: { system_prompt: "At {{scenario}} with {{persona}}. {{mesExamples}}" },
    system: ["At a port with . <START> admin: Hi"],
  },
  { fields: { description: "a red coat {{original}}" }, system: [GENERAL, "a red coat "] },
  {
    fields: { post_history_instructions: "{{original}} Stay in {{scenario}}." },
    system: [GENERAL],
    last: "Stay in a port.",
  },
  { fields: { post_history_instructions: "{{original}}" }, system: [GENERAL] },
  { fields: { system_prompt: "Mine.", post_history_instructions: "{{user}}!" }, system: ["Mine."], last: "admin!" },
];

test.each(FORMS)("the author's prompts of a card are sent as intended: $fields", async ({ fields, system, last }) => {
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
});
