import { expect, test } from "vitest";
import type { Client } from "../harness/client.ts";
import { FRONT_DOOR, reached } from "../harness/front-door.ts";
import { startParley } from "../harness/parley.ts";

const all = (is: boolean) => ({ public_base_url: is, trusted_proxies: is, cors_origins: is });
const reload = (api: Client) => api.post("/api/system/reload-core", {});

test("public address, trusted proxies and other origins are in force after a restart, and go again", async () => {
  await using parley = await startParley();
  const api = await parley.signIn();
  await api.put("/api/settings", { web: FRONT_DOOR });
  expect(await reached(parley.address)).toEqual(all(false));
  await reload(api);
  expect(await reached(parley.address)).toEqual(all(true));
  await api.put("/api/settings", { web: { public_base_url: null, trusted_proxies: [], cors_origins: null } });
  await reload(api);
  expect(await reached(parley.address)).toEqual(all(false));
});

test("what config.ini says of them holds and is shown, until the settings page says otherwise", async () => {
  const config =
    "[web]\npublic_base_url = https://chat.example\ntrusted_proxies = 127.0.0.7\ncors_origins = https://app.example/\n";
  await using parley = await startParley({ config });
  const api = await parley.signIn();
  expect(await reached(parley.address)).toEqual(all(true));
  expect(await api.get("/api/settings")).toMatchObject({
    web: FRONT_DOOR,
    _meta: { sources: { "web.cors_origins": "default" } },
  });
  await api.put("/api/settings", { web: { trusted_proxies: [] } });
  await reload(api);
  expect(await reached(parley.address)).toEqual({ ...all(true), trusted_proxies: false });
});

test.each([
  ["trusted_proxies", ["10.0.0.0/99"]],
  ["trusted_proxies", ["proxy.lan"]],
  ["cors_origins", ["*"]],
  ["cors_origins", ["https://app.example/path"]],
])("%s cannot be what would have no effect: %j", async (key, value) => {
  await using parley = await startParley();
  const api = await parley.signIn();
  const answer = await api.send("PUT", "/api/settings", { body: { web: { [key]: value } } });
  expect(answer).toMatchObject({ status: 400, json: { error: expect.stringContaining(`web.${key}`) } });
});

test("what is no setting is kept, and said", async () => {
  await using parley = await startParley();
  const api = await parley.signIn();
  const body = { web: { titel: "Mine" }, mine: { own: 1 } };
  expect(await api.send("PUT", "/api/settings", { body })).toMatchObject({
    status: 200,
    json: { data: body, message: "kept, but no setting: web.titel (did you mean web.title?), mine.own" },
  });
  const gone = { web: { titel: null, title: "Mine" }, mine: null };
  expect(await api.send("PUT", "/api/settings", { body: gone })).toMatchObject({ json: { message: "" } });
});

test("the title is the page's, whatever signs are in it", async () => {
  await using parley = await startParley();
  const api = await parley.signIn();
  const titleOf = async () => /<title>(.*)<\/title>/.exec((await api.send("GET", "/", { token: "" })).text)?.[1];
  expect(await titleOf()).toBe("Parley");
  await api.put("/api/settings", { web: { title: "Q&A <b>$&</b>" } });
  expect(await titleOf()).toBe("Q&#38;A &#60;b&#62;$&#38;&#60;/b&#62;");
});
