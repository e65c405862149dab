import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { checkReachability, PROXY_SETTINGS } from "../harness/http/proxy-settings.ts";
import { startParley } from "../harness/parley.ts";

const all = (is: boolean) => ({ public_base_url: is, trusted_proxies: is, cors_origins: is });
const reload = (api: Client) => api.post("/api/system/reload-core", {});

test("public address, trusted proxies and other origins apply after a restart, and can be removed", async () => {
  await using parley = await startParley();
  const api = await parley.signIn();
  await api.put("/api/settings", { web: PROXY_SETTINGS });
  expect(await checkReachability(parley.address)).toEqual(all(false));
  await reload(api);
  expect(await checkReachability(parley.address)).toEqual(all(true));
  await api.put("/api/settings", { web: { public_base_url: null, trusted_proxies: [], cors_origins: null } });
  await reload(api);
  expect(await checkReachability(parley.address)).toEqual(all(false));
});

test("values of config.ini apply and are shown, until the settings page overrides them", async () => {
  const config =
    "[web]\npublic_base_url = https://chat.example\ntrusted_proxies = 127.0.0.7\ncors_origins = https://app.example/\n";
  await using parley = await startParley({ config });
  const api = await parley.signIn();
  expect(await checkReachability(parley.address)).toEqual(all(true));
  expect(await api.get("/api/settings")).toMatchObject({
    web: PROXY_SETTINGS,
    _meta: { sources: { "web.cors_origins": "default" } },
  });
  await api.put("/api/settings", { web: { trusted_proxies: [] } });
  await reload(api);
  expect(await checkReachability(parley.address)).toEqual({ ...all(true), trusted_proxies: false });
});

test.each([
  ["trusted_proxies", ["10.0.0.0/99"]],
  ["trusted_proxies", ["proxy.lan"]],
  ["cors_origins", ["*"]],
  ["cors_origins", ["https://app.example/path"]],
])("%s rejects a value without an effect: %j", async (key, value) => {
  await using parley = await startParley();
  const api = await parley.signIn();
  const answer = await api.send("PUT", "/api/settings", { body: { web: { [key]: value } } });
  expect(answer).toMatchObject({ status: 400, json: { error: expect.stringContaining(`web.${key}`) } });
});

test.each([
  [{ web: { titel: "Mine" } }, "web.titel: is not a setting; did you mean web.title?"],
  [{ mine: { own: 1 } }, "mine.own: is not a setting of any enabled plugin"],
  [{ language: "en" }, "language: is not a setting"],
  [{ bot_id: 7 }, "bot_id: is not a setting"],
  [{ theme: ["dark"] }, "theme: is not a setting"],
  [{ "web.title": "Mine" }, "web.title: must be nested"],
  [{ features: { knowledge: "yes" } }, "features.knowledge: must be a boolean"],
  [{ features: { knowlege: true } }, "features.knowlege: is not a setting; did you mean features.knowledge?"],
])("an unknown key is rejected, with a suggestion: %j", async (body, says) => {
  await using parley = await startParley();
  const api = await parley.signIn();
  const before = await api.get<object>("/api/settings");
  const rejected = await api.send("PUT", "/api/settings", { body: { ...body, timezone: "Asia/Tokyo" } });
  expect(rejected).toMatchObject({ status: 400, json: { error: expect.stringContaining(says) } });
  expect(await api.get("/api/settings")).toEqual(before);
});

test("settings of an earlier version do not prevent a start, and are left out of answers and packages", async () => {
  await using parley = await startParley();
  const file = join(parley.host.data, "settings.json");
  writeFileSync(file, JSON.stringify({ language: 5, bot_id: {}, theme: ["x"], timezone: "Asia/Tokyo" }));
  await parley.host.control.reload();
  const api = await parley.signIn();
  const shown = await api.get<object>("/api/settings");
  expect(shown).toMatchObject({ timezone: "Asia/Tokyo" });
  for (const key of ["language", "bot_id", "theme"]) expect(shown).not.toHaveProperty(key);
  expect(await api.put("/api/settings", shown)).toEqual(shown);
  await api.put("/api/settings", { timezone: "Asia/Seoul" });
  // The values are still there after a downgrade, or when a plugin is switched on again.
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ language: 5, timezone: "Asia/Seoul" });
});

test("the title appears on the page, whatever characters it contains", async () => {
  await using parley = await startParley();
  const api = await parley.signIn();
  const getTitle = async () => /<title>(.*)<\/title>/.exec((await api.send("GET", "/", { token: "" })).text)?.[1];
  expect(await getTitle()).toBe("Parley");
  await api.put("/api/settings", { web: { title: "Q&A <b>$&</b>" } });
  expect(await getTitle()).toBe("Q&amp;A &lt;b&gt;$&amp;&lt;/b&gt;");
});
