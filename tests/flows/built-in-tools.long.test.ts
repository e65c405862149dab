import { LiveEvents } from "@parley/core";
import { describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { PNG } from "../harness/files/sample-files.ts";
import { type Answered, builtIn, call, list, scene, session, useTools } from "./tools-setup.ts";

useTools();

describe("the bundled tools", () => {
  test("are listed first, can be toggled and not changed", async () => {
    const { items } = await list();
    const own = items.findIndex(({ builtin }) => !builtin);
    expect(own).toBeGreaterThan(5);
    expect(items.slice(own).some(({ builtin }) => builtin)).toBe(false);
    const others = items.filter(({ name }) => ["roll_dice", "agent_run_workflow"].includes(name));
    expect(others).toMatchObject(Array(2).fill({ source: "plugin", help: { zh: expect.stringMatching(/[，。]$/) } }));
    for (const method of ["PUT", "DELETE"]) {
      const body = method === "PUT" ? { body: { description: "mine" } } : {};
      expect((await scene.api.send(method, "/api/tools/_builtin_http_get", body)).status).toBe(400);
    }
    expect(
      (await scene.api.send("POST", "/api/tools/_builtin_nothing/toggle", { body: { enabled: true } })).status,
    ).toBe(404);
  });

  test("return the time in a place", async () => {
    const { result = "" } = (await call("get_date_time", { timezone: "Asia/Tokyo" })) ?? {};
    expect(JSON.parse(result)).toMatchObject({
      timezone: "Asia/Tokyo",
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
    expect(await call("get_date_time", { timezone: "Nowhere" })).toMatchObject({ status: "error" });
  });

  test("return the weather of a city, or that there is no such city", async () => {
    const daily = {
      time: ["2026-01-06"],
      weather_code: [61],
      temperature_2m_min: [1.5],
      temperature_2m_max: [6],
      precipitation_probability_max: [80],
    };
    const current = {
      time: "2026-01-06T10:15",
      temperature_2m: 4.2,
      apparent_temperature: 1,
      relative_humidity_2m: 90,
      wind_speed_10m: 12,
      weather_code: 3,
    };
    scene.shop.answers.push(
      { body: { results: [{ name: "Kiel", country: "Germany", latitude: 54.3, longitude: 10.1 }] } },
      { body: { current, daily } },
    );
    const { result = "" } = (await call("get_weather", { city: "Kiel" })) ?? {};
    expect(JSON.parse(result)).toMatchObject({
      place: "Kiel, Germany",
      now: { sky: "overcast", temperature: 4.2 },
      days: [{ sky: "light rain", rain: 80 }],
    });
    expect(scene.shop.calls.at(-1)?.path).toContain("latitude=54.3");
    scene.shop.answers.push({ body: {} });
    expect(await call("get_weather", { city: "Atlantis" })).toMatchObject({
      result: expect.stringContaining("not_found"),
    });
  });

  test("search with the configured provider, and are not offered without one", async () => {
    expect(await builtIn("search_web")).toMatchObject({ enabled: true, is_offered: false });
    expect(await call("search_web", { query: "owls" })).toBeUndefined();
    await scene.api.put("/api/settings", { tools: { search: "wikipedia", news: "gdelt" } });
    scene.shop.answers.push({
      body: { query: { search: [{ title: "Owl", snippet: "<b>Owls</b> &amp; more", pageid: 5 }] } },
    });
    const { result = "" } = (await call("search_web", { query: "owls" })) ?? {};
    expect(JSON.parse(result)).toEqual({
      source: "wikipedia",
      results: [{ title: "Owl", url: `${scene.shop.address}/?curid=5`, text: "Owls & more" }],
    });
    scene.shop.answers.push({
      body: { articles: [{ title: "N", url: "https://n.example", domain: "n.example", seendate: "20260106" }] },
    });
    expect(await call("search_news", { query: "owls" })).toMatchObject({
      result: expect.stringContaining("n.example"),
    });
    await scene.api.put("/api/settings", { tools: { search: "searxng", searxng_url: `${scene.shop.address}/own` } });
    scene.shop.answers.push({ body: { results: [{ title: "A", url: "https://a.example", content: "about" }] } });
    expect(await call("search_web", { query: "owls" })).toMatchObject({ result: expect.stringContaining("a.example") });
    expect(scene.shop.calls.at(-1)?.path).toBe("/own/search?q=owls&format=json&categories=general");
    await scene.api.put("/api/settings", { tools: { search: "off", news: "off" } });
  });

  test("read a web page in its encoding", async () => {
    scene.shop.answers.push({ headers: { "content-type": "text/plain" }, body: "{{hello}}" });
    expect(await call("http_get", { url: `${scene.shop.address}/{{a}}` })).toMatchObject({
      status: "ok",
      result: "{{hello}}",
    });
    expect(scene.shop.calls.at(-1)?.path).toBe("/%7B%7Ba%7D%7D");
    expect(await call("http_get", { url: "file:///etc/passwd" })).toMatchObject({ status: "error" });
  });
});

describe("a download", () => {
  test("is stored in the workspace of its conversation, under its own name or a chosen one", async () => {
    const id = await session();
    scene.shop.answers.push(
      { headers: { "content-type": "text/csv" }, body: "a,b\n1,2\n" },
      { body: "x" },
      { body: "y" },
    );
    const own = await call("download_file", { url: `${scene.shop.address}/reports/M%C3%A4rz%202026.csv?x=1` }, id);
    expect(JSON.parse(own?.result ?? "null")).toMatchObject({ path: "März_2026.csv", size: 8 });
    const named = await call("download_file", { url: `${scene.shop.address}/`, filename: "in/b.txt" }, id);
    expect(JSON.parse(named?.result ?? "null")).toMatchObject({ path: "in/b.txt", size: 1 });
    const rootOf = await call("download_file", { url: `${scene.shop.address}/..` }, id);
    expect(JSON.parse(rootOf?.result ?? "null")).toMatchObject({ path: "download" });
  });

  test.each([
    ["an address that answers nothing good", { url: "/gone" }, { status: 404 }, "upstream_failed"],
    ["a path that climbs", { url: "/a", filename: "../a" }, undefined, "bad_request"],
    ["more than it may be", { url: "/big" }, { body: Buffer.alloc(51 * 1024 * 1024) }, "too_large"],
  ] as const)("leaves nothing of %s", async (_, { url, ...more }, answer, code) => {
    const id = await session();
    if (answer) scene.shop.answers.push(answer);
    const called = await call("download_file", { url: `${scene.shop.address}${url}`, ...more }, id);
    expect(called).toMatchObject({ status: "error", result: expect.stringContaining(code) });
    expect(await scene.api.get(`/api/sessions/${id}/workspace/files`)).toMatchObject({ total: 0 });
  });

  test("comes from a private address only if the setting allows it", async () => {
    await scene.api.put("/api/settings", { tools: { allow_private_addresses: false } });
    const before = scene.shop.calls.length;
    expect(await call("download_file", { url: `${scene.shop.address}/x` })).toMatchObject({ status: "error" });
    expect(scene.shop.calls).toHaveLength(before);
    await scene.api.put("/api/settings", { tools: { allow_private_addresses: true } });
  });
});

describe("a todo list", () => {
  const add = (text: string): { readonly kind: "tool"; readonly name: string; readonly args: object } => ({
    kind: "tool",
    name: "todo_add",
    args: { text },
  });
  const getCards = (id: string) => {
    const cards: {
      readonly todos: readonly object[];
      readonly is_complete: boolean;
      readonly parent_message_id: string;
    }[] = [];
    const stop = scene.parley.host.get(LiveEvents).subscribe(({ type, session_id, payload }) => {
      if (type === "todo_card" && session_id === id) cards.push(payload as never);
    });
    return { cards, stop };
  };

  test("is shown while the model works, and stored with its answer", async () => {
    const model = await scene.api.post<{ id: string }>("/api/ai-models", {
      name: "t",
      model: "m",
      base_url: scene.models.baseUrl,
    });
    const id = await session({ model_id: model.id });
    const { cards, stop } = getCards(id);
    scene.models.script.push(
      add("boil water"),
      add("brew"),
      { kind: "tool", name: "todo_complete", args: { id: 1 } },
      { kind: "text", text: "Begun." },
    );
    const { replies } = await scene.api.post<Answered & { readonly replies: readonly { readonly id: string }[] }>(
      `/api/sessions/${id}/chat`,
      { content: "tea?" },
    );
    stop();
    expect(cards.map(({ todos, is_complete }) => [todos.length, is_complete])).toEqual([
      [1, false],
      [2, false],
      [2, false],
      [2, true],
    ]);
    expect(cards.at(-1)).toMatchObject({
      parent_message_id: replies[0]?.id,
      todos: [
        { id: 1, text: "boil water", done: true },
        { id: 2, text: "brew", done: false },
      ],
    });
    const stored = await scene.api.get<{ readonly todos: readonly object[] }>(`/api/sessions/${id}/todos`);
    expect(stored.todos).toEqual(cards.at(-1)?.todos);
    await scene.api.send("DELETE", `/api/ai-models/${model.id}`);
    await scene.api.put(`/api/sessions/${id}`, { model_id: null });
    expect(await call("todo_list", {}, id)).toMatchObject({ result: expect.stringContaining("boil water") });
    expect(await call("todo_list")).toMatchObject({ result: '{"todos":[]}' });
  });

  test("is restored when the turn fails", async () => {
    const model = await scene.api.post<{ id: string }>("/api/ai-models", {
      name: "f",
      model: "m",
      base_url: scene.models.baseUrl,
      retry_count: 0,
    });
    const id = await session({ model_id: model.id });
    scene.models.script.push(add("never"), { kind: "status", status: 400, message: "no" });
    await scene.api.send("POST", `/api/sessions/${id}/chat`, { body: { content: "tea?" } });
    scene.models.script.length = 0;
    await scene.api.send("DELETE", `/api/ai-models/${model.id}`);
    await scene.api.put(`/api/sessions/${id}`, { model_id: null });
    expect(await call("todo_list", {}, id)).toMatchObject({ result: '{"todos":[]}' });
  });
});

test("text of the model between tool calls passes the filter, and is not stored", async () => {
  const id = await session();
  const seen: unknown[] = [];
  const stop = scene.parley.host.get(LiveEvents).subscribe(({ type, session_id, payload }) => {
    if (type === "progress_message" && session_id === id) seen.push(payload);
  });
  expect(await call("send_message", { content: "half done", message_type: "success" }, id)).toMatchObject({
    status: "ok",
  });
  expect(seen).toMatchObject([{ text: "half done", level: "success" }]);
  const rule = { pattern: "plan nine", type: "keyword", filter_target: "ai", action: "recall" };
  await scene.api.post("/api/message-filter", rule);
  expect(await call("send_message", { content: "plan nine" }, id)).toMatchObject({ status: "error" });
  stop();
  expect(seen).toHaveLength(1);
});

describe("pictures", () => {
  test("are described and drawn if a model for that is configured, and drawn ones are attached to the answer", async () => {
    expect(await builtIn("generate_image")).toMatchObject({ is_offered: false });
    expect(await call("generate_image", { prompt: "an owl" })).toBeUndefined();
    for (const purpose of ["vision", "image_generation"]) {
      await scene.api.post("/api/ai-models", { name: purpose, model: "m", base_url: scene.models.baseUrl, purpose });
    }
    await eventually(async () => expect(await builtIn("generate_image")).toMatchObject({ is_offered: true }));
    await eventually(async () => expect(await builtIn("understand_image")).toMatchObject({ is_offered: true }));
    scene.models.script.push({ kind: "image", base64: PNG.toString("base64") });
    const id = await session();
    const content = '/tool generate_image {"prompt":"an owl"}';
    const { replies } = await scene.api.post<{
      replies: readonly { attachments: readonly { type: string; url: string }[] }[];
    }>(`/api/sessions/${id}/chat`, { content });
    const [picture] = replies[0]?.attachments ?? [];
    expect(picture).toMatchObject({ type: "image", mime_type: "image/png" });
    scene.models.script.push({ kind: "text", text: "an owl, as it seems" });
    const looked = await call("understand_image", { prompt: "what is it?", image_source: picture?.url });
    expect(looked).toMatchObject({ status: "ok", result: "an owl, as it seems" });
    expect(JSON.stringify(scene.models.requests.at(-1)?.body.messages)).toContain("image/png;base64,");
    expect(await call("understand_image", { prompt: "?", image_source: "file:///etc/passwd" })).toMatchObject({
      status: "error",
    });
  });
});
