import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Checks, Gateway } from "@parley/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DATABASE_FILE } from "../harness/chosen-storage.ts";
import { eventually } from "../harness/eventually.ts";
import { startParley } from "../harness/parley.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";
import { findPostgresPrograms, type PostgresServer, startPostgres } from "../harness/servers/postgres.ts";
import { openPostgresProxy } from "../harness/servers/postgres-proxy.ts";

const programs = findPostgresPrograms();
const ROUND_TRIP_MS = 300;

describe.skipIf(!programs)("a distant database", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(programs ?? "");
  }, 60_000);
  afterAll(() => server?.[Symbol.asyncDispose]());

  for (const nodes of [false, true]) {
    test(`a message waits for two round trips, ${nodes ? "among nodes" : "alone"}, and the distance is reported`, async () => {
      const root = mkdtempSync(join(tmpdir(), "parley-far-"));
      await using way = await openPostgresProxy(server.folder);
      const url = (await server.makeDatabase()).replace(/host=.*/, `host=${encodeURIComponent(way.folder)}`);
      writeFileSync(join(root, DATABASE_FILE), url);
      const fake = createFakeChannel();
      const config = `nodes = ${nodes}\n`;
      const parley = await startParley({ root, server: server.folder, config, plugins: [fake.plugin] });
      try {
        const api = await parley.signIn();
        await api.post("/api/channels", { id: fake.id, name: fake.id, type: fake.id, transport: "bridge" });
        const findings = async () =>
          (await Promise.all(parley.host.all(Checks).map((check) => check.run()))).flat().map(({ key }) => key);
        await eventually(() => fake.say("team-1", "hello"));
        for (let count = 0; count < 12; count += 1) await fake.say("team-1", `near ${count}`);
        const gateway = parley.host.get(Gateway);
        await gateway.idle();

        way.slow(ROUND_TRIP_MS);
        const times: number[] = [];
        for (let count = 0; count < 3; count += 1) {
          const begun = performance.now();
          await fake.say("team-1", `far ${count}`);
          times.push(performance.now() - begun);
          await gateway.idle();
        }
        // Another write may be in progress before one of them.
        expect(Math.min(...times)).toBeLessThan(2.75 * ROUND_TRIP_MS);
        await eventually(async () => expect(await findings()).toContain("storage.far"));
      } finally {
        way.slow(0);
        await parley[Symbol.asyncDispose]();
        rmSync(root, { recursive: true, force: true });
      }
    }, 120_000);
  }
});
