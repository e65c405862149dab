import { Settings, silentLogger } from "@parley/core";
import { describe, expect, test } from "vitest";
import { startOperations } from "./test-setup.ts";

interface View {
  readonly revision: number;
  readonly timezone: string;
  readonly features: Readonly<Record<string, unknown>>;
  readonly _meta: { readonly sources: Readonly<Record<string, string>> };
}

describe("settings", () => {
  test("the file comes before the environment, and the environment before the default", async () => {
    await using running = await startOperations({
      environment: { SVC_STICKER_ENABLED: "true", SVC_STICKER_PROBABILITY: "0.9" },
    });
    running.file.edit({ features: { sticker_probability: 0.1 } });
    const { features, timezone, _meta } = await running.call<View>("GET /api/settings");
    expect([features.sticker_probability, features.sticker, timezone]).toEqual([0.1, true, "UTC"]);
    expect(_meta.sources).toMatchObject({
      "features.sticker_probability": "file",
      "features.sticker": "env",
      timezone: "default",
    });
  });

  test("a change is in force at once, for plugins too", async () => {
    await using running = await startOperations();
    const seen: unknown[] = [];
    const settings = running.get(Settings);
    settings.get("timezone");
    settings.onChange(() => seen.push(settings.get("timezone")));
    await running.call("PUT /api/settings", { body: { timezone: "Asia/Shanghai" } });
    expect(seen).toEqual(["Asia/Shanghai"]);
    expect(running.events.published.at(-1)?.payload).toMatchObject({ kind: "settings", action: "updated" });
  });

  test("a change by hand is told to plugins and counts as a revision", async () => {
    await using running = await startOperations();
    let told = 0;
    const { revision } = await running.call<View>("GET /api/settings");
    running.get(Settings).onChange(() => {
      told += 1;
    });
    running.file.edit({ timezone: "Asia/Tokyo" });
    expect(await running.call("GET /api/settings")).toMatchObject({ timezone: "Asia/Tokyo", revision: revision + 1 });
    expect(told).toBe(1);
  });

  test("objects are merged, null removes, unknown keys stay", async () => {
    await using running = await startOperations();
    running.file.edit({ mine: { kept: 1 }, chat: { turn_timeout_s: 60, auto_state_interval: 5 } });
    await running.call("PUT /api/settings", { body: { chat: { turn_timeout_s: null }, mine: { also: 2 } } });
    expect(running.file.read()).toEqual({ mine: { kept: 1, also: 2 }, chat: { auto_state_interval: 5 } });
  });

  test("what was read and is sent back changes nothing", async () => {
    await using running = await startOperations();
    running.file.edit({ features: { ai: false } });
    const before = await running.call<View>("GET /api/settings");
    expect(await running.call("PUT /api/settings", { body: before })).toEqual(before);
    expect(running.file.read()).toEqual({ features: { ai: false } });
    expect(running.events.published).toEqual([]);
  });

  test("the host's own part of the file is neither shown nor touched", async () => {
    await using running = await startOperations();
    const plugins = { acme: { enabled: false } };
    running.file.edit({ plugins });
    expect(await running.call("PUT /api/settings", { body: { language: "en" } })).not.toHaveProperty("plugins");
    expect(running.file.read()).toEqual({ plugins, language: "en" });
    const change = running.call("PUT /api/settings", { body: { plugins: {} } });
    await expect(change).rejects.toMatchObject({ code: "bad_request" });
  });

  test.each([
    ["a value out of range", { gateway: { concurrency: 65 } }, /^gateway\.concurrency: /],
    ["a number as text", { gateway: { concurrency: "8" } }, /^gateway\.concurrency: /],
    ["a zone nobody knows", { timezone: "Mars/Olympus" }, /^timezone: /],
    ["a secret", { mine: { token: "x" } }, /^mine\.token: /],
    ["nothing", {}, /./],
  ])("%s is refused, and all else of the same request with it", async (_what, body, message) => {
    await using running = await startOperations();
    const wanted = Object.keys(body).length > 0 ? { ...body, language: "en" } : body;
    const change = running.call("PUT /api/settings", { body: wanted });
    await expect(change).rejects.toMatchObject({ code: "bad_request", message: expect.stringMatching(message) });
    expect(running.file.read()).toEqual({});
  });

  test("of two changes on the same revision one wins", async () => {
    await using running = await startOperations();
    const { revision } = await running.call<View>("GET /api/settings");
    const change = (language: string) => running.call("PUT /api/settings", { body: { language }, ifMatch: revision });
    const results = await Promise.allSettled([change("en"), change("de")]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(running.file.read()).toEqual({ language: "en" });
  });

  test("a file that cannot be read is said so, and not overwritten", async () => {
    await using running = await startOperations();
    running.file.breakIt("Unexpected token");
    const change = running.call("PUT /api/settings", { body: { language: "en" } });
    await expect(change).rejects.toMatchObject({ code: "conflict" });
  });

  test("an unusable value leaves the default in force and is reported once", async () => {
    const warned: unknown[] = [];
    const log = { ...silentLogger, warn: (_message: string, fields?: object) => void warned.push(fields) };
    await using running = await startOperations({ log });
    running.file.edit({ timezone: 5 });
    const settings = running.get(Settings);
    expect([settings.get("timezone"), settings.get("timezone")]).toEqual(["UTC", "UTC"]);
    expect(warned).toHaveLength(1);
  });

  test("a key that the table does not have is a mistake of the plugin that asks", async () => {
    await using running = await startOperations();
    expect(() => running.get(Settings).get("no.such")).toThrow("no.such");
  });
});
