import Joi from "@hapi/joi";
import { definePlugin, SettingDefinitions, Settings, setting, silentLogger, TIME_ZONE } from "@parley/core";
import { describe, expect, test } from "vitest";
import { startOperations } from "../test-setup.ts";

interface View {
  readonly revision: number;
  readonly timezone: string;
  readonly lucky?: Readonly<Record<string, unknown>>;
  readonly _meta: { readonly sources: Readonly<Record<string, string>> };
}

const CHANCE = setting({
  key: "lucky.chance",
  schema: Joi.number().min(0).max(1).strict().default(0.3),
  env: "LUCKY_CHANCE",
  group: "general",
  title: { en: "Chance", zh: "概率" },
});
const ON = setting({ ...CHANCE, key: "lucky.on", schema: Joi.boolean().strict().default(false), env: "LUCKY" });
const lucky = definePlugin({
  id: "lucky",
  register({ contribute }) {
    contribute(SettingDefinitions, () => CHANCE);
    contribute(SettingDefinitions, () => ON);
  },
});

describe("settings", () => {
  test("the file comes before the environment, and the environment before the default", async () => {
    await using running = await startOperations({
      environment: { LUCKY: "true", LUCKY_CHANCE: "0.9" },
      plugins: [lucky],
    });
    running.file.edit({ lucky: { chance: 0.1 } });
    const shown = await running.call<View>("GET /api/settings");
    expect([shown.lucky, shown.timezone]).toEqual([{ on: true, chance: 0.1 }, "UTC"]);
    expect(shown._meta.sources).toMatchObject({
      "lucky.chance": "file",
      "lucky.on": "env",
      timezone: "default",
    });
  });

  test("a change takes effect at once, for plugins too", async () => {
    await using running = await startOperations();
    const seen: unknown[] = [];
    const settings = running.get(Settings);
    settings.watch(TIME_ZONE, (zone) => seen.push([zone, settings.get(TIME_ZONE)]));
    await running.call("PUT /api/settings", { body: { updates: { check: true } } });
    await running.call("PUT /api/settings", { body: { timezone: "Asia/Shanghai" } });
    expect(seen).toEqual([["Asia/Shanghai", "Asia/Shanghai"]]);
    expect(running.events.published.at(-1)?.payload).toMatchObject({ kind: "settings", action: "updated" });
  });

  test("a manual edit is announced to plugins and has a new revision, and an equal file keeps its revision", async () => {
    await using running = await startOperations();
    const changes: string[] = [];
    const { revision } = await running.call<View>("GET /api/settings");
    running.get(Settings).watch(TIME_ZONE, (zone) => changes.push(zone));
    running.file.edit({ timezone: "Asia/Tokyo" });
    const edited = await running.call<View>("GET /api/settings");
    expect(edited).toMatchObject({ timezone: "Asia/Tokyo" });
    expect(edited.revision).not.toBe(revision);
    await using other = await startOperations();
    other.file.edit({ timezone: "Asia/Tokyo" });
    expect(await other.call("GET /api/settings")).toMatchObject({ revision: edited.revision });
    expect(changes).toEqual(["Asia/Tokyo"]);
  });

  test("objects are merged, null removes, unknown keys stay in the file and nowhere else", async () => {
    await using running = await startOperations({ plugins: [lucky] });
    running.file.edit({ mine: { other: 1 }, lucky: { chance: 0.1, on: true, of_before: 1 } });
    const shown = await running.call<View>("PUT /api/settings", { body: { lucky: { chance: null } } });
    expect(running.file.read()).toEqual({ mine: { other: 1 }, lucky: { on: true, of_before: 1 } });
    expect([shown.lucky, "mine" in shown]).toEqual([{ chance: 0.3, on: true }, false]);
  });

  test("values that are read and sent back change nothing", async () => {
    await using running = await startOperations();
    running.file.edit({ features: { ai: false } });
    const before = await running.call<View>("GET /api/settings");
    expect(await running.call("PUT /api/settings", { body: before })).toEqual(before);
    expect(running.file.read()).toEqual({ features: { ai: false } });
    expect(running.events.published).toEqual([]);
  });

  test("the host's own part of the file is neither shown nor changed", async () => {
    await using running = await startOperations();
    const plugins = { acme: { enabled: false } };
    running.file.edit({ plugins });
    expect(await running.call("PUT /api/settings", { body: { timezone: "Asia/Tokyo" } })).not.toHaveProperty("plugins");
    expect(running.file.read()).toEqual({ plugins, timezone: "Asia/Tokyo" });
    const change = running.call("PUT /api/settings", { body: { plugins: {} } });
    await expect(change).rejects.toMatchObject({ code: "bad_request" });
  });

  test.each([
    ["a value out of range", { lucky: { chance: 2 } }, /^lucky\.chance: /],
    ["a number as text", { lucky: { chance: "1" } }, /^lucky\.chance: /],
    ["a zone nobody knows", { timezone: "Mars/Olympus" }, /^timezone: /],
    ["a secret", { mine: { token: "x" } }, /^mine\.token: /],
    ["a word that is no setting", { lucky: { chanse: 1 } }, /^lucky\.chanse: .* did you mean lucky\.chance\?$/],
    ["a word where settings stand", { lucky: "none" }, /^lucky: must be of type object$/],
    ["a list where settings stand", { lucky: [] }, /^lucky: must be of type object$/],
    ["nothing", {}, /./],
  ])("%s is rejected, together with the rest of the request", async (_what, body, message) => {
    await using running = await startOperations({ plugins: [lucky] });
    const wanted = Object.keys(body).length > 0 ? { ...body, updates: { check: true } } : body;
    const change = running.call("PUT /api/settings", { body: wanted });
    await expect(change).rejects.toMatchObject({ code: "bad_request", message: expect.stringMatching(message) });
    expect(running.file.read()).toEqual({});
  });

  test("of two changes on the same revision one wins", async () => {
    await using running = await startOperations();
    const { revision } = await running.call<View>("GET /api/settings");
    const change = (timezone: string) => running.call("PUT /api/settings", { body: { timezone }, ifMatch: revision });
    const results = await Promise.allSettled([change("Asia/Tokyo"), change("Asia/Seoul")]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(running.file.read()).toEqual({ timezone: "Asia/Tokyo" });
  });

  test("an unreadable file is reported, and not overwritten", async () => {
    await using running = await startOperations();
    running.file.breakIt("Unexpected token");
    const change = running.call("PUT /api/settings", { body: { timezone: "Asia/Tokyo" } });
    await expect(change).rejects.toMatchObject({ code: "conflict" });
  });

  test("an invalid value leaves the default in effect and is reported once", async () => {
    const warned: unknown[] = [];
    const log = { ...silentLogger, warn: (_message: string, fields?: object) => void warned.push(fields) };
    await using running = await startOperations({ log });
    running.file.edit({ timezone: 5 });
    const settings = running.get(Settings);
    expect([settings.get(TIME_ZONE), settings.get(TIME_ZONE)]).toEqual(["UTC", "UTC"]);
    expect(warned).toHaveLength(1);
  });

  test("a listener that throws does not prevent the others from being notified", async () => {
    await using running = await startOperations();
    const changes: string[] = [];
    running.get(Settings).watch(TIME_ZONE, () => {
      throw new Error("no");
    });
    running.get(Settings).watch(TIME_ZONE, (zone) => changes.push(zone));
    await running.call("PUT /api/settings", { body: { timezone: "Asia/Tokyo" } });
    expect(changes).toEqual(["Asia/Tokyo"]);
  });
});
