import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SETTING_GROUPS } from "../../adapters/web/console/src/areas/settings/setting-groups.ts";
import type { Client } from "../harness/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

const repository = join(import.meta.dirname, "..", "..");
const offered = SETTING_GROUPS.flatMap(({ rows }) => rows.map(({ key }) => key));

test("every setting that the page offers is read by what it is for", () => {
  const files = globSync("{core,host,plugins,adapters}/**/src/**/*.ts", {
    cwd: repository,
    exclude: ["**/node_modules/**", "**/console/**", "**/dist/**"],
  });
  const sources = files
    .filter((path) => !/\.test\.ts$|settings-table\.ts$/.test(path))
    .map((path) => readFileSync(join(repository, path), "utf8"))
    .join("\n");
  expect(offered.length).toBeGreaterThan(8);
  expect(offered.filter((key) => !sources.includes(`"${key}"`))).toEqual([]);
});

/** The statuses of requests as other names, proxies and pages make them. */
async function reached(parley: Parley) {
  const ask = async (headers: Readonly<Record<string, string>>, localAddress = "127.0.0.1") => {
    const asking = request(new URL("/api/startup-status", parley.address), { headers, localAddress });
    asking.end();
    const [response] = await once(asking, "response");
    response.resume();
    return response;
  };
  const [published, proxied, foreign] = await Promise.all([
    ask({ host: "chat.example" }),
    ask({ host: "upstream", "x-forwarded-host": "bots.example" }, "127.0.0.7"),
    ask({ origin: "https://app.example" }),
  ]);
  return {
    public_base_url: published.statusCode === 200,
    trusted_proxies: proxied.statusCode === 200,
    cors_origins: foreign.headers["access-control-allow-origin"] === "https://app.example",
  };
}
const frontDoor = {
  public_base_url: "https://chat.example",
  trusted_proxies: ["127.0.0.7"],
  cors_origins: ["https://app.example"],
};
const all = (is: boolean) => ({ public_base_url: is, trusted_proxies: is, cors_origins: is });
const reload = (api: Client) => api.post("/api/system/reload-core", {});

test("public address, trusted proxies and other origins are in force after a restart, and go again", async () => {
  await using parley = await startParley();
  const api = await parley.signIn();
  await api.put("/api/settings", { web: frontDoor });
  expect(await reached(parley)).toEqual(all(false));
  await reload(api);
  expect(await reached(parley)).toEqual(all(true));
  await api.put("/api/settings", { web: { public_base_url: null, trusted_proxies: [], cors_origins: null } });
  await reload(api);
  expect(await reached(parley)).toEqual(all(false));
});

test("what config.ini says of them holds and is shown, until the settings page says otherwise", async () => {
  const config =
    "[web]\npublic_base_url = https://chat.example\ntrusted_proxies = 127.0.0.7\ncors_origins = https://app.example/\n";
  await using parley = await startParley({ config });
  const api = await parley.signIn();
  expect(await reached(parley)).toEqual(all(true));
  expect(await api.get("/api/settings")).toMatchObject({
    web: frontDoor,
    _meta: { sources: { "web.cors_origins": "default" } },
  });
  await api.put("/api/settings", { web: { trusted_proxies: [] } });
  await reload(api);
  expect(await reached(parley)).toEqual({ ...all(true), trusted_proxies: false });
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

test("the title is the page's, whatever signs are in it", async () => {
  await using parley = await startParley();
  const api = await parley.signIn();
  const titleOf = async () => /<title>(.*)<\/title>/.exec((await api.send("GET", "/", { token: "" })).text)?.[1];
  expect(await titleOf()).toBe("Parley");
  await api.put("/api/settings", { web: { title: "Q&A <b>$&</b>" } });
  expect(await titleOf()).toBe("Q&#38;A &#60;b&#62;$&#38;&#60;/b&#62;");
});

test("days begin in the time zone that is set", async () => {
  await using parley = await startParley();
  const api = await parley.signIn();
  await api.put("/api/settings", { timezone: "Pacific/Kiritimati" });
  const { range } = await api.get<{ range: { end_date: string } }>("/api/tokens?date_range=today");
  expect(range).toMatchObject({ timezone: "Pacific/Kiritimati" });
  expect(range.end_date).toBe(new Intl.DateTimeFormat("sv-SE", { timeZone: "Pacific/Kiritimati" }).format());
});
