import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { createClient } from "../harness/http/client.ts";
import { runParley, startProcess } from "../harness/process.ts";

const PASSWORD = "correct horse";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "parley-disk-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Returns the output of a start that fails. */
const startAndFail = async (...limits: string[]) => {
  // Node writes its compile cache at exit, where the file size limit would end the process by a signal.
  const env = { NODE_DISABLE_COMPILE_CACHE: "1" };
  const child = runParley({ root, args: ["--port", "0"], limits, env });
  let text = "";
  child.stderr?.on("data", (some) => {
    text += some;
  });
  expect((await once(child, "close"))[0]).toBe(1);
  return text.slice(text.indexOf("Parley cannot start"));
};

describe("a full disk", () => {
  test("is reported once in the log, in health and in metrics, and so is the recovery", async () => {
    const service = await startProcess({ root, env: { SVC_ADMIN_PASSWORD: PASSWORD } });
    const open = createClient(service.address, "");
    const { token } = await open.post<{ token: string }>("/api/login", { username: "admin", password: PASSWORD });
    const api = open.as(token);
    const { id } = await api.post<{ id: string }>("/api/sessions", {});
    const say = () => api.send("POST", `/api/sessions/${id}/messages`, { body: { content: "hello" } });
    /** Simulates a full disk: no file may grow beyond this size. */
    const limit = (bytes: string) => execFileSync("prlimit", [`--pid=${service.child.pid}`, `--fsize=${bytes}:`]);
    const count = (text: string) => service.output().split(text).length - 1;
    const storage = async () => {
      const gateway = await api.get<{ status: string; components: { storage: object } }>("/api/gateway/health");
      const { phase, components } = await api.get<{ phase: string; components: readonly { name: string }[] }>(
        "/api/startup-status",
      );
      return { gateway, phase, own: components.find(({ name }) => name === "storage") };
    };
    const metric = async (name: string) => {
      const text = await (await fetch(`${service.address}/metrics`)).text();
      return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1]);
    };

    expect(await storage()).toMatchObject({ gateway: { components: { storage: { status: "ok" } } }, phase: "ready" });
    expect(await metric("storage_write_failures_total")).toBe(0);
    expect(await metric("storage_disk_free_bytes")).toBeGreaterThan(1_000);

    limit("4096");
    for (let tries = 0; tries < 3; tries += 1) expect((await say()).status).toBe(503);
    const reason = /nothing can be stored: .*parley\.db: .+ \(\d+ bytes free\)/;
    expect(service.output()).toMatch(
      /nothing can be stored\s+plugin: "storage"\s+reason: ".*parley\.db: .+ \(\d+ bytes free\)/,
    );
    expect(count("parley.db: ")).toBe(1);
    const expected = {
      gateway: { status: "degraded", components: { storage: { status: "degraded" } } },
      phase: "degraded",
      own: { state: "degraded", error: expect.stringMatching(reason) },
    };
    await eventually(async () => expect(await storage()).toMatchObject(expected));
    expect(await metric("storage_write_failures_total")).toBeGreaterThanOrEqual(3);

    limit("unlimited");
    await eventually(async () => expect((await say()).status).toBe(200));
    await eventually(async () => expect(await storage()).toMatchObject({ gateway: { status: "ok" }, phase: "ready" }));
    expect(service.output()).toContain("storing works again");
    expect(await service.stop()).toBe(0);
  });

  test("is reported with the path and the reason by a start that needs space", async () => {
    expect(await startAndFail("--fsize=0")).toMatch(new RegExp(`${root}.*\\(\\d+ bytes free\\)`));
    expect(await startAndFail("--fsize=8192")).toMatch(
      new RegExp(`${root}.*\\.db: .*(full|I/O error).*\\(\\d+ bytes free\\)`),
    );
  });
});

test("too few file descriptors are reported as such, and nobody is advised to move a database", async () => {
  const output = await startAndFail("--nofile=32");
  expect(output).toMatch(/EMFILE|too many open files/);
  expect(output).not.toMatch(/restore a backup|cannot be used|\.recover/i);
});
