import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Gateway } from "@parley/core";
import { createGate, type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";
import { runParley } from "../harness/process.ts";
import { findPostgresPrograms, type PostgresServer, startPostgres } from "../harness/servers/postgres.ts";

const programs = findPostgresPrograms();

describe.skipIf(!programs)("a service on PostgreSQL", () => {
  const fake = createFakeChannel();
  let server: PostgresServer;
  let models: ModelServer;
  let parley: Parley;
  let api: Client;

  beforeAll(async () => {
    server = await startPostgres(programs ?? "", { isSafe: true });
    models = await startModelServer();
    parley = await startParley({ plugins: [fake.plugin], server: server.folder });
    api = await parley.signIn();
    await api.post("/api/channels", { id: fake.id, name: fake.id, type: fake.id, transport: "bridge" });
    const draft = { name: "scripted", model: "scripted", base_url: models.baseUrl, retry_count: 0 };
    const { id } = await api.post<{ id: string }>("/api/ai-models", draft);
    await api.post(`/api/ai-models/${id}/apply`, {});
  }, 60_000);
  afterAll(async () => {
    await parley?.[Symbol.asyncDispose]();
    await models?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });
  const sentTo = (group: string) =>
    fake.sent.filter(({ conversation }) => conversation.id === group).map((message) => message.text);

  test("shows its storage in the status", async () => {
    const { components } = await api.get<{ components: readonly { name: string; state: string }[] }>(
      "/api/startup-status",
    );
    expect(components).toContainEqual(expect.objectContaining({ name: "storage", state: "ok" }));
  });

  test("rejects messages with a delay while the database is down; then recovery is automatic", async () => {
    const { id } = await api.post<{ id: string }>("/api/sessions", {});
    await server.interrupt();
    const rejected = await api.send("POST", `/api/sessions/${id}/chat`, { body: { content: "are you there?" } });
    expect([rejected.status, rejected.headers.get("retry-after")]).toEqual([503, "1"]);
    await expect(fake.say("away", "are you there?")).rejects.toMatchObject({ code: "unavailable", retryAfterS: 1 });
    await server.resume();
    await eventually(() => fake.say("away", "and now?"));
    await eventually(() => expect(sentTo("away")).toEqual([expect.stringContaining("and now?")]));
  });

  test("answers a turn in progress during a database outage once, afterwards", async () => {
    const gate = createGate();
    models.script.push({ kind: "held", pieces: ["A ", "long ", "answer."], gate });
    const asked = models.nextRequest();
    await fake.say("held", "think about it");
    await asked;
    await server.interrupt();
    for (let piece = 0; piece < 3; piece += 1) gate.next();
    // Messages that arrive meanwhile cannot be stored.
    await expect(fake.say("held", "and?")).rejects.toMatchObject({ code: "unavailable" });
    await server.resume();
    await eventually(() => expect(sentTo("held")).toHaveLength(1));
    await parley.host.get(Gateway).idle();
    // The model may be called again, because its first answer was not stored.
    expect(sentTo("held")).toHaveLength(1);
  });

  test.each([
    ["the variable is not set", {}, /the variable PARLEY_DATABASE_URL is not set/],
    [
      "nobody listens there",
      { PARLEY_DATABASE_URL: "postgresql://parley:very-secret@127.0.0.1:1/parley" },
      /the database 'parley' at 127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED/,
    ],
  ])(
    "a start ends with one sentence, and the doctor says the same: %s",
    async (_what, env: Record<string, string>, sentence) => {
      const root = mkdtempSync(join(tmpdir(), "parley-start-"));
      try {
        writeFileSync(join(root, "config.ini"), "[plugins]\nstorage = @parley/plugin-postgres\n[log]\nfile = off\n");
        const child = runParley({ root, env, args: ["--port", "0"] });
        if (!child.stderr) throw new Error("no stderr");
        const doctor = runParley({ root, env, args: ["doctor", "--lang", "en"] });
        if (!doctor.stdout) throw new Error("no stdout");
        const [output, [code], found] = await Promise.all([
          text(child.stderr),
          once(child, "exit"),
          text(doctor.stdout),
        ]);
        expect(found.split("\n").filter((line) => line.startsWith("PROBLEM"))).toEqual([
          expect.stringMatching(sentence),
        ]);
        expect(found).not.toContain("very-secret");
        expect(code).toBe(1);
        const [, reasons = ""] = output.split("Parley cannot start:\n");
        expect(reasons.trim().split("\n")).toEqual([expect.stringMatching(sentence)]);
        expect(output).not.toContain("very-secret");
        expect(output).not.toMatch(/^\s+at /m);
      } finally {
        rmSync(root, { recursive: true, force: true });
      }
    },
  );
});
