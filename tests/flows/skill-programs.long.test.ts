import { existsSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { LiveEvents } from "@parley/core";
import { describe, expect, test } from "vitest";
import { call, make, root, scene, session, storage, useSkills } from "./skills-setup.ts";

useSkills();

/** Calls a tool and confirms the request. */
async function callConfirmed(tool: string, args: object, id?: string) {
  const chat = id ?? (await session());
  const asked = Promise.withResolvers<string>();
  const stop = scene.parley.host.get(LiveEvents).subscribe(({ type, session_id, payload }) => {
    if (type === "exec_confirm_request" && session_id === chat) asked.resolve(String(payload.request_id));
  });
  const answering = call(tool, args, chat);
  await scene.api.post(`/api/confirmations/${await asked.promise}`, { approved: true });
  stop();
  return answering;
}

const isRoot = process.getuid?.() === 0;
const hasSandbox = existsSync("/usr/bin/bwrap") && !isRoot;
const SETTINGS = { features: { skill_scripts: true, exec_command: true } };

/** Starts a server that records connections, and creates a script that tries to connect. */
async function startListener() {
  const seen: string[] = [];
  const server = createServer((socket) => {
    seen.push("somebody");
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const dial = `require("node:net").connect(${port}, "127.0.0.1").on("connect", () => { console.log("reached"); process.exit(); }).on("error", (error) => console.log("refused", error.code));`;
  return {
    seen,
    port,
    dial,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

describe("a script", () => {
  test("is run for nobody while the setting is off", async () => {
    const { name } = await make();
    await scene.api.post(`${storage(name)}/script/run.sh`, { content: "echo hello" });
    expect(await call("run_skill_script", { name, script: "run.sh" })).toBeUndefined();
  });

  test.skipIf(hasSandbox)("is rejected with the reason where no sandbox is available", async () => {
    await scene.api.put("/api/settings", SETTINGS);
    const { name } = await make();
    await scene.api.post(`${storage(name)}/script/run.sh`, { content: "echo hello" });
    const rejected = {
      status: "error",
      result: expect.stringContaining(isRoot ? "runs as root" : "bwrap is not installed"),
    };
    expect(await callConfirmed("run_skill_script", { name, script: "run.sh" })).toMatchObject(rejected);
  });

  test.runIf(hasSandbox)("runs after a person's confirmation, in a sandbox", async () => {
    await scene.api.put("/api/settings", SETTINGS);
    const { name } = await make();
    const probe = `echo "args $1"; id -u; cat ${scene.parley.root}/config.ini; echo x > /skill/new; ls /; env; echo end`;
    await scene.api.post(`${storage(name)}/script/run.sh`, { content: probe });
    const ran = await callConfirmed("run_skill_script", { name, script: "run.sh", args: ["$(reboot)"] });
    const { exit_code, output } = JSON.parse(ran?.result ?? "null");
    expect(exit_code).toBe(0);
    expect(output).toContain("args $(reboot)");
    expect(output).toMatch(/config\.ini.*No such file/);
    expect(output).toMatch(/new.*Read-only/i);
    expect(output).not.toContain("SVC_");
    expect(output.trim().endsWith("end")).toBe(true);
    expect(existsSync(join(root(), name, "new"))).toBe(false);
    const gone = await callConfirmed("run_skill_script", { name, script: "../../x.sh" });
    expect(gone).toMatchObject({ status: "error", result: expect.stringContaining("bad_request") });
  });

  test.runIf(hasSandbox)("has no network access, not even to this machine", async () => {
    await scene.api.put("/api/settings", SETTINGS);
    await using server = await startListener();
    const { name } = await make();
    await scene.api.post(`${storage(name)}/script/dial.cjs`, { content: server.dial });
    const ran = await callConfirmed("run_skill_script", { name, script: "dial.cjs" });
    expect(JSON.parse(ran?.result ?? "null").output).toMatch(/refused E/);
    expect(server.seen).toEqual([]);
  });
});

describe("a command", () => {
  test("is offered to nobody while the setting is off", async () => {
    expect(await call("exec_command", { command: "ls" })).toBeUndefined();
  });

  test("does not run without a person's confirmation", async () => {
    await scene.api.put("/api/settings", SETTINGS);
    const chat = await session();
    const asked = Promise.withResolvers<string>();
    const stop = scene.parley.host.get(LiveEvents).subscribe(({ type, session_id, payload }) => {
      if (type === "exec_confirm_request" && session_id === chat) asked.resolve(String(payload.request_id));
    });
    const answering = call("exec_command", { command: "echo x > made.txt" }, chat);
    await scene.api.post(`/api/confirmations/${await asked.promise}`, { approved: false });
    stop();
    expect(await answering).toMatchObject({ status: "denied" });
    const { total } = await scene.api.get<{ total: number }>(`/api/sessions/${chat}/workspace/files`);
    expect(total).toBe(0);
  });

  test.runIf(hasSandbox)("works on the files of its conversation alone, and reports its changes", async () => {
    await scene.api.put("/api/settings", SETTINGS);
    const chat = await session();
    await call("workspace_create_file", { filename: "a.txt", content: "one" }, chat);
    const cards: object[] = [];
    const stop = scene.parley.host.get(LiveEvents).subscribe(({ type, session_id, payload }) => {
      if (type === "change_card" && session_id === chat) cards.push(payload);
    });
    const command = `cat a.txt; echo two >> a.txt; mkdir -p out; echo new > out/b.txt; ln -s /etc/passwd link; ls ${scene.parley.root}; env; exit 3`;
    const ran = await callConfirmed("exec_command", { command }, chat);
    stop();
    const { exit_code, output } = JSON.parse(ran?.result ?? "null");
    expect(exit_code).toBe(3);
    expect(output).toContain("one");
    expect(output).toContain("No such file");
    expect(output).not.toContain("SVC_");
    expect(cards.at(-1)).toMatchObject({
      changes: [
        { path: "a.txt", action: "edit" },
        { path: "out/b.txt", action: "upload" },
      ],
      is_complete: true,
    });
    const { items } = await scene.api.get<{ items: readonly { path: string }[] }>(
      `/api/sessions/${chat}/workspace/files?recursive=true`,
    );
    expect(items.map(({ path }) => path)).toEqual(["out", "a.txt", "out/b.txt"]);
  });

  test.runIf(hasSandbox).each([
    ["bytes", "for i in $(seq 140); do truncate -s 16M many/$i; done; sleep 20"],
    ["files", 'for i in $(seq 30); do touch $(seq -f "many/$i-%g" 500); done; sleep 20'],
  ])(
    "that fills its workspace with %s is ended, and none runs there until there is space again",
    async (_, command) => {
      await scene.api.put("/api/settings", SETTINGS);
      const chat = await session();
      const full = { status: "error", result: expect.stringMatching(/conflict.*workspace/) };
      expect(
        await callConfirmed("exec_command", { command: `mkdir many; ${command}`, timeout: 60 }, chat),
      ).toMatchObject(full);
      expect(await callConfirmed("exec_command", { command: "ls" }, chat)).toMatchObject(full);
      await scene.api.send("DELETE", `/api/sessions/${chat}/workspace/files/many?recursive=true`);
      expect(await callConfirmed("exec_command", { command: "ls" }, chat)).toMatchObject({ status: "ok" });
    },
  );

  test.runIf(hasSandbox)("ends at its time limit, and has no network access", async () => {
    await scene.api.put("/api/settings", SETTINGS);
    await using server = await startListener();
    const late = await callConfirmed("exec_command", { command: "sleep 60", timeout: 1 });
    expect(late).toMatchObject({ status: "error", result: expect.stringContaining("timed_out") });
    const dial = `python3 -c 'import socket; socket.create_connection(("127.0.0.1", ${server.port}), 2)' 2>&1 | tail -1`;
    const ran = await callConfirmed("exec_command", { command: dial });
    expect(JSON.parse(ran?.result ?? "null").output).toMatch(/Error|not found/);
    expect(server.seen).toEqual([]);
  });
});
