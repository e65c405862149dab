import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type ParleyWithModel, startParleyWithModel } from "../harness/parley-with-model.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";

interface Persona {
  readonly id: string;
  readonly name: string;
  readonly is_default: boolean;
  readonly account_id: string;
}

const fake = createFakeChannel();
let service: ParleyWithModel;
let api: Client;

beforeAll(async () => {
  service = await startParleyWithModel({ plugins: [fake.plugin] });
  api = service.api;
  await api.post("/api/channels", { id: fake.id, name: "Fake", type: fake.id, transport: "bridge" });
}, 60_000);
afterAll(() => service?.[Symbol.asyncDispose]());

async function addPersona(more: object, client = api): Promise<Persona> {
  const persona = await client.post<Persona>("/api/personas", more);
  onTestFinished(async () => void (await api.send("DELETE", `/api/personas/${persona.id}`)));
  return persona;
}

/** Returns the system prompt of the last request for an answer. */
function getPrompt(): string {
  const system = service.models.requests.at(-1)?.body.messages.filter(({ role }) => role === "system") ?? [];
  return JSON.stringify(system);
}

const createCharacter = async () =>
  (
    await api.post<{ id: string }>("/api/characters", {
      name: "Mira",
      description: "Mira knows {{user}}.",
      first_message: "Ahoy, {{user}}!",
    })
  ).id;

const openSession = (more: object) => api.post<{ id: string }>("/api/sessions", more);

test("a conversation's persona replaces the name in prompt and greeting, and its description is in the prompt", async () => {
  const persona = await addPersona({ name: "Captain Ann", description: "{{user}} sails a red boat." });
  const { id } = await openSession({ character_id: await createCharacter(), persona_id: persona.id });
  const { items } = await api.get<{ items: readonly { content: string }[] }>(`/api/sessions/${id}/messages`);
  expect(items[0]?.content).toBe("Ahoy, Captain Ann!");
  await api.post(`/api/sessions/${id}/chat`, { content: "Hello" });
  expect(getPrompt()).toContain("Mira knows Captain Ann.");
  expect(getPrompt()).toContain("Captain Ann sails a red boat.");
  const { prompt_layers } = await api.get<{ prompt_layers: readonly { key: string }[] }>(`/api/sessions/${id}/debug`);
  expect(prompt_layers.map(({ key }) => key)).toContain("persona.profile");
});

test("the default persona of the account applies where a conversation has none, and there is only one", async () => {
  const first = await addPersona({ name: "First Me", is_default: true });
  const { id } = await openSession({ character_id: await createCharacter() });
  await api.post(`/api/sessions/${id}/chat`, { content: "Hello" });
  expect(getPrompt()).toContain("Mira knows First Me.");
  const second = await addPersona({ name: "Second Me", is_default: true });
  expect(await api.get<Persona>(`/api/personas/${first.id}`)).toMatchObject({ is_default: false });
  await api.post(`/api/sessions/${id}/chat`, { content: "Hello" });
  expect(getPrompt()).toContain("Mira knows Second Me.");
  await api.put(`/api/sessions/${id}`, { persona_id: first.id });
  await api.post(`/api/sessions/${id}/chat`, { content: "Hello" });
  expect(getPrompt()).toContain("Mira knows First Me.");
  await api.send("DELETE", `/api/personas/${first.id}`);
  await api.post(`/api/sessions/${id}/chat`, { content: "Hello" });
  expect(getPrompt()).toContain(`Mira knows ${second.name}.`);
});

test("a linked person has a persona on every channel", async () => {
  const persona = await addPersona({ name: "Old Friend" });
  const link = { name: "Li", target_id: `${fake.id}:user:u7`, same_as: "imA:user:7", persona_id: persona.id };
  const { id } = await api.post<{ id: string }>("/api/person-links", link);
  onTestFinished(async () => void (await api.send("DELETE", `/api/person-links/${id}`)));
  await api.put(`/api/channels/${fake.id}`, { config: { character_id: await createCharacter() } });
  const asked = service.models.requests.length;
  await fake.say("team-persona", "Hello", { sender: { id: "u7", name: "Li", isAdmin: false } });
  await eventually(() => expect(service.models.requests.length).toBe(asked + 1));
  expect(getPrompt()).toContain("Mira knows Old Friend.");
});

test("an account sees its own personas only, and an administrator all", async () => {
  const { key } = await createOperator("ann-of-personas");
  const theirs = await addPersona({ name: "Hers" }, key);
  const mine = await addPersona({ name: "Mine" });
  const list = async (client: Client) =>
    (await client.get<{ items: readonly Persona[] }>("/api/personas")).items.map(({ name }) => name);
  expect(await list(key)).toEqual(["Hers"]);
  expect(await list(api)).toEqual(["Hers", "Mine"]);
  expect((await key.send("GET", `/api/personas/${mine.id}`)).status).toBe(404);
  expect((await key.send("PUT", `/api/personas/${mine.id}`, { body: { name: "x" } })).status).toBe(404);
  expect((await api.send("GET", `/api/personas/${theirs.id}`)).status).toBe(200);
});

test("the personas of an account are deleted with it", async () => {
  const { key, id } = await createOperator("ben-of-personas");
  const persona = await addPersona({ name: "His" }, key);
  expect((await api.send("DELETE", `/api/accounts/${id}`)).status).toBe(200);
  await eventually(async () => expect((await api.send("GET", `/api/personas/${persona.id}`)).status).toBe(404));
});

test("an unknown persona cannot be chosen", async () => {
  const body = { persona_id: "per_00000000000000000000" };
  expect((await api.send("POST", "/api/sessions", { body })).status).toBe(400);
});

/** Creates an operator and signs in as them. */
async function createOperator(name: string): Promise<{ readonly id: string; readonly key: Client }> {
  const made = await api.post<{ id: string; password?: string }>("/api/accounts", { name, role: "operator" });
  const { token } = await api
    .as("")
    .post<{ token: string }>("/api/login", { username: name, password: made.password ?? "" });
  return { id: made.id, key: api.as(token) };
}

test("/persona lists the personas of the sender and chooses one for the conversation", async () => {
  const say = async (text: string) => {
    const before = fake.sent.length;
    await fake.say("harbour", text, { sender: { id: "ann", name: "Ann", isAdmin: true } });
    await eventually(() => expect(fake.sent.length).toBeGreaterThan(before));
    return fake.sent.at(-1)?.text ?? "";
  };
  await api.put("/api/settings", { admin_ids: ["fake:ann"] });
  await addPersona({ name: "Captain Ann", description: "She sails a red boat." });
  await addPersona({ name: "Baker Ann", description: "She bakes bread." });
  expect(await say("/persona")).toContain("None is chosen here.\n- Baker Ann\n- Captain Ann");
  expect(await say("/persona captain ann")).toBe("Here you are Captain Ann.");
  await say("hello");
  expect(getPrompt()).toContain("She sails a red boat.");
  expect(await say("/persona")).toContain("In use: Captain Ann\n- Baker Ann\n- Captain Ann");
  expect(await say("/persona cook ann")).toContain("you have no persona 'cook ann'");
  expect(await say("/persona none")).toBe("No persona is chosen here any more.");
  await say("hello again");
  expect(getPrompt()).not.toContain("red boat");
});

test("/persona shows nobody the personas of others", async () => {
  await addPersona({ name: "Captain Ann", description: "She sails a red boat." });
  const before = fake.sent.length;
  await fake.say("bob", "/persona", {
    sessionId: "fake:private:bob",
    conversation: { id: "bob", isGroup: false },
    sender: { id: "bob", name: "Bob", isAdmin: false },
  });
  await eventually(() => expect(fake.sent.length).toBeGreaterThan(before));
  expect(fake.sent.at(-1)?.text).toContain("You have no personas yet.");
});
