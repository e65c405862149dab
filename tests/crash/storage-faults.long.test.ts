import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Message } from "@parley/core";
import { createGate, type Receiver, startModelServer, startReceiver } from "@parley/simulators";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type Client, createClient } from "../harness/http/client.ts";
import { type ParleyProcess, startProcess } from "../harness/process.ts";

const PASSWORD = "correct horse";
const SECRET = "sesame";
const SOON = { timeout: 15_000, interval: 100 };

let root: string;
let service: ParleyProcess;
let receiver: Receiver;
let api: Client;
let count = 0;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "parley-faults-"));
  writeFileSync(
    join(root, "config.ini"),
    "[plugin.gateway]\nlimit_user_per_minute = 0\n[log]\nlevel = error\nfile = off\n",
  );
  receiver = await startReceiver();
  await start();
  const auth = { type: "static", secret_env: "SVC_WEBHOOK_SECRET" };
  const config = { auth, outbound_url: receiver.address };
  await api.post("/api/channels", { id: "shop", name: "shop", type: "generic", transport: "webhook", config });
});
const start = async () => {
  const env = { SVC_ADMIN_PASSWORD: PASSWORD, SVC_WEBHOOK_SECRET: SECRET };
  service = await startProcess({ root, env, isBoundByRights: true });
  const open = createClient(service.address, "");
  const { token } = await open.post<{ token: string }>("/api/login", { username: "admin", password: PASSWORD });
  api = open.as(token);
};
afterAll(async () => {
  await service.stop();
  await receiver[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});
beforeEach(() => {
  count += 1;
});
afterEach(() => {
  limitFiles(undefined);
  allowWriting(true);
});

const say = (text: string, id: string) =>
  fetch(`${service.address}/api/gateway/shop/webhook`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-svc-token": SECRET },
    body: JSON.stringify({ event_id: id, conversation_id: `c${count}`, user_id: "u", text }),
  });
const answersTo = (text: string) => receiver.shown(`c${count}`).filter((answer) => answer.includes(text));
const readHistory = async () =>
  (await api.get<{ items: readonly Message[] }>(`/api/sessions/shop%3Ac${count}/messages`)).items;
const readHealth = () =>
  api.get<{ status: string; components: { storage: { status: string } } }>("/api/gateway/health");
/** Limits the size of the service's files, as on a full disk; undefined lifts the limit. */
const limitFiles = (bytes: number | undefined) =>
  execFileSync("prlimit", [`--pid=${service.child.pid}`, `--fsize=${bytes ?? "unlimited"}:`]);

/** Allows or denies writing to the data folder and everything in it. */
const allowWriting = (isAllowed: boolean) =>
  execFileSync("chmod", ["-R", isAllowed ? "u+w" : "a-w", join(root, "data")]);

describe("a read-only folder", () => {
  const rename = (name: string) => api.put("/api/channels/shop", { name });
  const nameOf = async () => {
    const { items } = await api.get<{ items: readonly { id: string; name: string }[] }>("/api/channels");
    return items.find(({ id }) => id === "shop")?.name;
  };

  test("changes nothing, reports that, and accepts changes when it is writable again", async () => {
    allowWriting(false);
    await expect(rename("other")).rejects.toThrow(/503.*the file cannot be written at the moment/);
    expect(await nameOf()).toBe("shop");
    allowWriting(true);
    await rename("other");
    expect(await nameOf()).toBe("other");
  });

  test("prevents the next start with the reason; acknowledged messages are answered once it can start", async () => {
    await api.post("/api/gateway/worker/stop", {});
    allowWriting(false);
    const { status } = await say("in between", `rights-${count}`);
    service.child.kill("SIGKILL");
    await service.ended;
    await expect(start()).rejects.toThrow(/Parley cannot start.*data/s);
    allowWriting(true);
    await start();
    // Open files can still be written, so the message may have been accepted.
    if (status !== 200) expect((await say("in between", `rights-${count}`)).status).toBe(200);
    await vi.waitFor(() => expect(answersTo("in between")).toHaveLength(1), SOON);
    expect((await readHistory()).map(({ role }) => role)).toEqual(["user", "assistant"]);
  });
});

describe("a full disk", () => {
  test("prevents acknowledgements, and recovery is automatic when there is space", async () => {
    limitFiles(4096);
    const rejected = await say("while full", `full-${count}`);
    expect(rejected.status).toBe(503);
    expect(Number(rejected.headers.get("retry-after"))).toBeGreaterThan(0);
    limitFiles(undefined);
    await vi.waitFor(async () => expect((await say("while full", `full-${count}`)).status).toBe(200), SOON);
    await vi.waitFor(() => expect(answersTo("while full")).toHaveLength(1), SOON);
    expect((await readHistory()).map(({ role }) => role)).toEqual(["user", "assistant"]);
  });
});

describe("a database locked by another program", () => {
  const hold = () => {
    const other = new DatabaseSync(join(root, "data", "parley.db"), { timeout: 5_000 });
    other.exec("BEGIN IMMEDIATE");
    return () => {
      other.exec("ROLLBACK");
      other.close();
    };
  };

  test("rejects in time; a message stored later is recognised as the platform's repeat", async () => {
    const release = hold();
    const began = performance.now();
    const rejected = await say("while held", `held-${count}`);
    expect(rejected.status).toBe(503);
    expect(performance.now() - began).toBeLessThan(4_000);
    release();
    await vi.waitFor(async () => expect((await say("while held", `held-${count}`)).status).toBe(200), SOON);
    await vi.waitFor(() => expect(answersTo("while held").length).toBeGreaterThan(0), SOON);
    await vi.waitFor(async () => {
      expect(await api.get("/api/gateway/queue/status")).toMatchObject({ queue_size: 0 });
    }, SOON);
    expect(answersTo("while held")).toHaveLength(1);
  });

  test("delays acknowledged messages from the web like those of a channel", async () => {
    const models = await startModelServer();
    const gate = createGate();
    models.script.push({ kind: "held", pieces: ["answered ", "after all"], gate });
    const { id } = await api.post<{ id: string }>("/api/ai-models", {
      name: "m",
      model: "m",
      base_url: models.baseUrl,
    });
    await api.post(`/api/ai-models/${id}/apply`, {});
    try {
      const session = await api.post<{ id: string }>("/api/sessions", { name: "web" });
      const asked = models.nextRequest();
      const answer = api.post(`/api/sessions/${session.id}/chat`, { content: "while held" });
      await asked;
      const release = hold();
      gate.next();
      gate.next();
      // The end of the turn is rejected, and its failure is stored once the storage works again.
      await vi.waitFor(async () => expect((await readHealth()).components.storage.status).toBe("degraded"), SOON);
      release();
      await answer;
      const texts = async () =>
        (await api.get<{ items: readonly Message[] }>(`/api/sessions/${session.id}/messages`)).items;
      await vi.waitFor(
        async () => expect((await texts()).map(({ role }) => role)).toEqual(["user", "assistant"]),
        SOON,
      );
    } finally {
      // A model in use cannot be deleted, and would answer in later tests.
      await api.post(`/api/ai-models/${id}/toggle`, { enabled: false });
      expect((await api.send("DELETE", `/api/ai-models/${id}`)).status).toBe(200);
      await models[Symbol.asyncDispose]();
    }
  }, 60_000);

  test("causes no duplicate of a delivered answer whose receipt could not be stored", async () => {
    const posts: string[] = [];
    let release = () => {};
    const platform = createServer((request, response) => {
      posts.push(String(request.headers["idempotency-key"]));
      request.resume();
      // The first send is rejected; the next one is marked as in progress by a separate write.
      if (posts.length === 2) release = hold();
      response.writeHead(posts.length === 1 ? 503 : 200).end();
    });
    platform.listen(0, "127.0.0.1");
    await once(platform, "listening");
    const config = { outbound_url: `http://127.0.0.1:${(platform.address() as AddressInfo).port}/` };
    await api.put("/api/channels/shop", { config });
    try {
      const before = service.output().length;
      expect((await say("taken once", `once-${count}`)).status).toBe(200);
      const isRejected = () => service.output().slice(before).includes("a delivery could not be processed");
      await vi.waitFor(() => expect(isRejected()).toBe(true), SOON);
      release();
      // The next reply is sent only after the receipt of the first one.
      expect((await say("the next one", `after-${count}`)).status).toBe(200);
      await vi.waitFor(() => expect(new Set(posts).size).toBe(2), SOON);
      expect(posts.filter((key) => key === posts[0])).toHaveLength(2);
    } finally {
      await api.put("/api/channels/shop", { config: { outbound_url: receiver.address } });
      platform.close();
    }
  }, 60_000);

  test("preserves acknowledged messages, reports the problem, and answers them in order afterwards", async () => {
    await api.post("/api/gateway/worker/stop", {});
    const texts = ["first", "second", "third"];
    for (const text of texts) expect((await say(text, `${text}-${count}`)).status).toBe(200);
    const release = hold();
    await api.post("/api/gateway/worker/start", {});
    await vi.waitFor(async () => expect((await readHealth()).components.storage.status).toBe("degraded"), SOON);
    expect(receiver.shown(`c${count}`)).toEqual([]);
    release();
    await vi.waitFor(() => expect(receiver.shown(`c${count}`)).toHaveLength(3), SOON);
    expect(receiver.shown(`c${count}`)).toEqual(texts.map((text) => expect.stringContaining(text)));
    expect((await readHistory()).map(({ role }) => role)).toEqual(texts.flatMap(() => ["user", "assistant"]));
    await vi.waitFor(async () => expect((await readHealth()).components.storage.status).toBe("ok"), SOON);
    expect(await api.get("/api/gateway/queue/status")).toMatchObject({ queue_size: 0 });
  }, 60_000);
});
