import type { Message, Session } from "@parley/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";

const desk = createFakeChannel("desk");

describe("the greeting of a character", () => {
  let parley: Parley;
  let api: Client;
  let character: string;

  beforeAll(async () => {
    parley = await startParley({ plugins: [desk.plugin] });
    api = await parley.signIn();
    const fields = { first_message: "Ahoy {{user}}, {{char}} here.", alternate_greetings: ["{{user}}? You again."] };
    character = (await api.post<{ id: string }>("/api/characters", { name: "Mira", ...fields })).id;
    await api.post("/api/channels", { id: "desk", name: "Desk", type: "desk", transport: "bridge" });
  }, 60_000);
  afterAll(() => parley?.[Symbol.asyncDispose]());

  const open = () => api.post<Session>("/api/sessions", { character_id: character });
  const messages = async (id: string) =>
    (await api.get<{ items: readonly Message[] }>(`/api/sessions/${id}/messages`)).items;
  const greetings = async (id: string, as = api) =>
    (await as.get<{ items: readonly string[] }>(`/api/sessions/${id}/greetings`)).items;

  test("uses the name of the account that opens the conversation", async () => {
    const { id } = await open();
    expect((await messages(id)).map(({ content }) => content)).toEqual(["Ahoy admin, Mira here."]);
    expect(await greetings(id)).toEqual(["Ahoy admin, Mira here.", "admin? You again."]);
  });

  test("uses the same person's name whoever selects another greeting", async () => {
    const { id } = await open();
    const login = { username: "ann", password: "" };
    login.password = (await api.post<{ password: string }>("/api/accounts", { name: "ann" })).password;
    const { token } = await createClient(parley.address, "").post<{ token: string }>("/api/login", login);
    expect(await greetings(id, api.as(token))).toEqual(await greetings(id));
  });

  test("uses the platform's name for a person on a channel", async () => {
    const eve = { sessionId: "desk:eve", conversation: { id: "eve", isGroup: false, title: "Chat 7" } };
    await desk.say("eve", "hello", { ...eve, sender: { id: "eve", name: "Eve  Adams", isAdmin: false } });
    await expect.poll(() => desk.sent.length).toBe(1);
    const body = { character_id: character, add_first_message: true };
    await api.put<Session>(`/api/sessions/${encodeURIComponent("desk:eve")}/bind-character`, body);
    expect((await messages(encodeURIComponent("desk:eve"))).at(-1)?.content).toBe("Ahoy Eve Adams, Mira here.");
  });

  test("selected from the alternatives is no edit, and own words are one", async () => {
    const { id } = await open();
    const [greeting] = await messages(id);
    const put = async (content: string) => {
      const path = `/api/sessions/${id}/messages/${greeting?.id}`;
      return (await api.put<{ message: Message }>(path, { content })).message;
    };
    const swiped = await put("admin? You again.");
    expect(swiped).toMatchObject({ content: "admin? You again.", edited_at: null });
    expect((await put("My own words.")).edited_at).not.toBeNull();
    expect((await put("Ahoy admin, Mira here.")).edited_at).toBeNull();
  });

  test("is shown in the card's prompt as the model receives it, with placeholders filled in", async () => {
    const card = { name: "Mira", description: "{{char}} keeps a log of {{user}}, {{unknown}}." };
    const { system_prompt } = await api.post<{ system_prompt: string }>("/api/personality/preview", card);
    expect(system_prompt).toContain("Mira keeps a log of admin, {{unknown}}.");
  });
});
