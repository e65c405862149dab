import { startImaBridge } from "@parley/simulators";
import { expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { startParleyWithModel } from "../harness/parley-with-model.ts";

type Statistics = Readonly<Record<string, unknown>> & { readonly token_usage: Readonly<Record<string, number>> };

test("every number of the statistics changes with the data it counts", async () => {
  await using bridge = await startImaBridge();
  await using talk = await startParleyWithModel();
  const { api, parley } = talk;
  const read = () => api.get<Statistics>("/api/stats");
  const id = async (path: string, body: object) => (await api.post<{ id: string }>(path, body)).id;

  await api.put("/api/channels/imA", { config: { ws_uri: bridge.address } });
  await api.post("/api/channels/imA/toggle", { enabled: true });
  const character = await id("/api/characters", { name: "Mira" });
  await id("/api/world-books", { name: "Lighthouse" });
  await id("/api/knowledge", { title: "Recipes", content: "Flour and water." });
  await api.post(`/api/characters/${character}/memories`, { content: "Anna likes rye bread." });
  const form = new FormData();
  form.set("file", new Blob(["item,qty\n"], { type: "text/csv" }), "notes.csv");
  const headers = { authorization: `Bearer ${api.token}` };
  expect((await fetch(`${parley.address}/api/upload`, { method: "POST", headers, body: form })).ok).toBe(true);
  const session = await id("/api/sessions", {});
  await api.post(`/api/sessions/${session}/chat`, { content: "good morning" });

  await eventually(async () => {
    const { token_usage, ...others } = await read();
    // The model of the test has no price and caches nothing.
    const { cost: _free, cache_read_tokens: _read, cache_write_tokens: _written, ...tokens } = token_usage;
    const empty = Object.entries({ ...others, ...tokens }).filter(
      ([, value]) => value === 0 || value === false || value === "not_configured",
    );
    // The uptime is 0 in the first second.
    expect(empty.filter(([name]) => name !== "uptime_s")).toEqual([]);
  });
});
