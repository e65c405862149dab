import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Memory } from "@parley/core";
import type { List } from "@parley/core/http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { setFailPoint, signIn, startKillable } from "./killable.ts";

/** Places where the process may die between a message and its memories. */
const SHORT = ["reply-recorded", "job-claimed", "job-ran"] as const;
const LONG = ["user-recorded", "model-done", "intent-written", "job-ended"] as const;
const POINTS = process.env.PARLEY_LONG === "1" ? [...SHORT, ...LONG] : SHORT;

let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "parley-memories-"));
  writeFileSync(join(root, "config.ini"), "[log]\nlevel = warn\n");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const aim = (point: string) => setFailPoint(root, point);

const start = () => startKillable(root);

test("facts are remembered exactly once, wherever the process is killed", async () => {
  const createMessage = (city: number) => `I moved to City ${city}. I like dish number ${city}.`;
  let character = "";
  let session = "";
  // Like a platform, repeats a message until it is acknowledged.
  const say = (api: Client, at: number) =>
    api.post(`/api/sessions/${session}/chat`, { content: createMessage(at), temp_id: `said-${at}` });
  const remembered = async (api: Client, count: number) => {
    const { items } = await api.get<List<Memory>>(`/api/memory?character_id=${character}&replaced=true&limit=500`);
    const dishes = Array.from({ length: count }, (_, at) => `Likes dish number ${at}`);
    const cities = Array.from({ length: count }, (_, at) => `Lives in City ${at}`);
    expect(items.map(({ content }) => content).toSorted()).toEqual([...dishes, ...cities].toSorted());
    // One city is current, the others are its replaced versions.
    const addresses = items.filter(({ content, replaced_by }) => content.startsWith("Lives") && replaced_by === null);
    expect(addresses.map(({ content }) => content)).toEqual([`Lives in City ${count - 1}`]);
  };
  for (const [at, point] of POINTS.entries()) {
    const dying = await start();
    const api = await signIn(dying);
    if (character === "") {
      character = (await api.post<{ id: string }>("/api/characters", { name: "Mira" })).id;
      session = (await api.post<{ id: string }>("/api/sessions", { character_id: character })).id;
    }
    if (at > 0) {
      await say(api, at - 1);
      await eventually(() => remembered(api, at));
    }
    aim(point);
    say(api, at).catch(() => {});
    expect(await dying.ended, point).toBe("SIGKILL");
  }
  const living = await start();
  const api = await signIn(living);
  await say(api, POINTS.length - 1);
  await eventually(() => remembered(api, POINTS.length));
  expect(await living.stop()).toBe(0);
}, 180_000);
