import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Message } from "@parley/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { setFailPoint, signIn, startKillable } from "./killable.ts";

/** Places where the process may die between a message and its reply; the short list has the first ones and those with partial effects. */
const SHORT = ["committed-inbox", "user-recorded", "model-done", "reply-recorded", "intent-written"] as const;
const LONG = ["recorded", "acked", "leased", "filtered", "model-start", "reply-filtered"] as const;
const points = process.env.PARLEY_LONG === "1" ? [...SHORT, ...LONG] : SHORT;

let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "parley-effects-"));
  const counting = join(dirname(import.meta.filename), "counting-plugin.ts");
  writeFileSync(join(root, "config.ini"), `[plugins]\ncounting = ${counting}\n\n[log]\nlevel = warn\n`);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const aim = (point: string) => setFailPoint(root, point);

const start = () => startKillable(root);

test("an effect is written, and a mood changes, exactly once for each answer, wherever the process is killed", async () => {
  const sessions: string[] = [];
  let character = "";
  // Like a platform, repeats a message until it is acknowledged.
  const say = (api: Client, id: string) =>
    api.post(`/api/sessions/${id}/chat`, { content: "good job", temp_id: "one" });
  const sayAgain = async (api: Client) => {
    const last = sessions.at(-1);
    if (last !== undefined) await say(api, last);
  };
  for (const point of points) {
    const dying = await start();
    const api = await signIn(dying);
    await sayAgain(api);
    if (character === "") character = (await api.post<{ id: string }>("/api/characters", { name: "Mira" })).id;
    const { id } = await api.post<{ id: string }>("/api/sessions", { character_id: character });
    sessions.push(id);
    aim(point);
    // The service is killed before the question arrives, or before its acknowledgement is sent.
    say(api, id).catch(() => {});
    expect(await dying.ended, point).toBe("SIGKILL");
  }
  const living = await start();
  const api = await signIn(living);
  await sayAgain(api);
  for (const id of sessions) {
    const { items } = await api.get<{ items: readonly Message[] }>(`/api/sessions/${id}/messages`);
    expect(items.map(({ role }) => role)).toEqual(["user", "assistant"]);
    const state = await api.get(`/api/characters/${character}/state?session_id=${id}`);
    expect(state).toMatchObject({ mood: "开心", energy: 70, revision: 1 });
    const timeline = await api.get(`/api/sessions/${id}/runtime-timeline`);
    expect(timeline).toMatchObject({ total: 1, items: [{ message_id: items[1]?.id }] });
  }
  // All messages are of one person, so each answer adds 2.
  const bond = await api.get(`/api/characters/${character}/relationships`);
  expect(bond).toMatchObject({ affection: 50 + 2 * sessions.length, revision: sessions.length });
  expect(await api.get("/api/counted")).toEqual(Object.fromEntries(sessions.map((id) => [id, 1])));
  expect(await living.stop()).toBe(0);
}, 180_000);
