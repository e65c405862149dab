import { definePlugin, type PromptSource, PromptSources } from "@parley/core";
import { startModelServer } from "@parley/simulators";
import { expect, test } from "vitest";
import { startParley } from "../harness/parley.ts";

const source = (id: string, place: PromptSource["place"], priority: number): PromptSource => ({
  id,
  place,
  priority,
  collect: async () => ({ text: `TEXT OF ${id}`, isData: false }),
});

test("a plugin's prompt sections have its chosen place and order, and a session can omit one", async () => {
  const weather = definePlugin({
    id: "weather",
    register({ contribute }) {
      contribute(PromptSources, () => source("weather.last", "after-history", 5));
      contribute(PromptSources, () => source("weather.now", "before-user", 2));
      contribute(PromptSources, () => source("weather.early", "before-user", 1));
      contribute(PromptSources, () => source("weather.rules", "system", 15));
    },
  });
  await using models = await startModelServer({ answer: () => ({ kind: "text", text: "ok" }) });
  await using parley = await startParley({ plugins: [weather] });
  const api = await parley.signIn();
  const { id } = await api.post<{ id: string }>("/api/ai-models", { name: "m", model: "m", base_url: models.baseUrl });
  await api.post(`/api/ai-models/${id}/apply`, {});
  const session = (await api.post<{ id: string }>("/api/sessions", {})).id;
  const ask = async (content: string) => {
    await api.post(`/api/sessions/${session}/chat`, { content });
    return (models.requests.at(-1)?.body.messages ?? []).map((message) => JSON.stringify(message.content));
  };
  const findPlaces = (text: string | undefined) =>
    [...(text ?? "").matchAll(/TEXT OF ([\w.]+)|THE QUESTION/g)].map(([found]) => found);

  await ask("before");
  const prompt = await ask("THE QUESTION");
  expect(findPlaces(prompt[0])).toEqual(["TEXT OF weather.rules"]);
  expect(prompt[0]?.indexOf("These rules stand above")).toBeLessThan(prompt[0]?.indexOf("TEXT OF weather.rules") ?? -1);
  expect(prompt.slice(1, -1).flatMap(findPlaces)).toEqual([]);
  expect(findPlaces(prompt.at(-1))).toEqual([
    "TEXT OF weather.early",
    "TEXT OF weather.now",
    "THE QUESTION",
    "TEXT OF weather.last",
  ]);

  await api.put(`/api/sessions/${session}`, { disabled_prompt_keys: ["weather.now", "knowledge.rag"] });
  expect(findPlaces((await ask("THE QUESTION")).at(-1))).toEqual([
    "TEXT OF weather.early",
    "THE QUESTION",
    "TEXT OF weather.last",
  ]);
  for (const key of ["global.safety", "wether.now"]) {
    const body = { disabled_prompt_keys: [key] };
    expect(await api.send("PUT", `/api/sessions/${session}`, { body })).toMatchObject({ status: 400 });
  }
  const items = (await api.get<{ items: readonly { content: string }[] }>(`/api/sessions/${session}/messages`)).items;
  expect(items.map(({ content }) => content).join()).not.toContain("TEXT OF");
});

test("the offline companion answers the person's message, not the text around it", async () => {
  const beside = definePlugin({
    id: "beside",
    register: ({ contribute }) => contribute(PromptSources, () => source("beside.note", "before-user", 1)),
  });
  await using parley = await startParley({ plugins: [beside] });
  const api = await parley.signIn();
  const { id } = await api.post<{ id: string }>("/api/sessions", {});
  const { replies } = await api.post<{ replies: readonly { content: string }[] }>(`/api/sessions/${id}/chat`, {
    content: "hello",
  });
  expect(replies[0]?.content).toContain('You said: "hello"');
});
