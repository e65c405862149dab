import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { startModelServer } from "@parley/simulators";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { createClient } from "../harness/http/client.ts";
import { findFreePort } from "../harness/http/free-port.ts";
import { runParley, startProcess } from "../harness/process.ts";

const repository = dirname(dirname(import.meta.dirname));
const PASSWORD = "correct horse";
const env = { SVC_ADMIN_PASSWORD: PASSWORD };

let root: string;
const started: ChildProcess[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "parley-process-"));
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
  rmSync(root, { recursive: true, force: true });
});

const signIn = async (address: string) => {
  const open = createClient(address, "");
  const { token } = await open.post<{ token: string }>("/api/login", { username: "admin", password: PASSWORD });
  return open.as(token);
};
const waitForOutcome = async (child: ChildProcess) => {
  let text = "";
  const isReady = new Promise<"ready">((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (some) => {
        text += some;
        if (/^ready /m.test(text)) resolve("ready");
      });
  });
  const ended = once(child, "close").then(([code]) => code as number);
  return { end: await Promise.race([isReady, ended]), text: () => text };
};
const readProcessFile = (pid: number | string, name: string) => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return undefined;
  }
};
const isRunning = (pid: number) => readProcessFile(pid, "stat")?.includes(") Z ") === false;

describe("the lock of a data folder", () => {
  test("rejects a second process with the number and address of the first, by any path, and leaves nothing", async () => {
    const service = await startProcess({ root });
    started.push(service.child);
    symlinkSync(join(root, "data"), join(root, "alias"));
    const second = await waitForOutcome(runParley({ root, args: ["--port", "0", "--data-dir", "alias"] }));
    expect(second.end).toBe(1);
    expect(second.text()).toContain(
      `another Parley (process ${service.child.pid}, at ${new URL(service.address).host})`,
    );
    expect(second.text()).not.toContain("resources are still open after the stop");
    expect(await service.stop()).toBe(0);
  });

  test("admits one of four processes that start at once", async () => {
    const four = Array.from({ length: 4 }, () => runParley({ root, args: ["--port", "0"] }));
    started.push(...four);
    const ends = await Promise.all(four.map(waitForOutcome));
    expect(ends.map(({ end }) => end).sort()).toEqual([1, 1, 1, "ready"]);
    for (const { end, text } of ends) if (end === 1) expect(text()).toContain("another Parley");
  });

  test("is not blocked by a killed process that was not reaped", async () => {
    const main = join(repository, "host", "cli", "src", "main.ts");
    // `sleep` never reaps its children, like the first program of many containers.
    const command = `"${process.execPath}" --conditions=@parley/source "${main}" --port 0 & echo "pid $!"; exec sleep 60`;
    const parent = spawn("sh", ["-c", command], { cwd: root, stdio: ["ignore", "pipe", "ignore"] });
    started.push(parent);
    const { text } = await waitForOutcome(parent);
    const pid = Number(/pid (\d+)/.exec(text())?.[1]);
    process.kill(pid, "SIGKILL");
    await eventually(() => expect(readFileSync(`/proc/${pid}/stat`, "utf8")).toContain(") Z "));
    const next = await startProcess({ root });
    expect(await next.stop()).toBe(0);
  });
});

describe("file permissions", () => {
  const loose = (folder: string): readonly string[] =>
    [folder, ...readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name))].filter(
      (path) => (lstatSync(path).mode & 0o077) !== 0,
    );

  test("allow access for the owner only, for every stored file", async () => {
    const data = join(root, "data");
    mkdirSync(join(data, "logs"), { recursive: true });
    writeFileSync(join(data, "settings.json"), "{}");
    writeFileSync(join(data, "logs", "parley-2020-01-01.log"), "old");
    for (const path of [data, join(data, "logs")]) chmodSync(path, 0o755);
    for (const name of ["settings.json", "logs/parley-2020-01-01.log"]) chmodSync(join(data, name), 0o644);
    const service = await startProcess({ root, env });
    expect(service.output()).toContain("the data folder was readable for other users of this machine");
    const api = await signIn(service.address);
    const { id } = await api.post<{ id: string }>("/api/sessions", {});
    await api.post(`/api/sessions/${id}/chat`, { content: "private" });
    const form = new FormData();
    form.append("file", new Blob(["private"]), "note.txt");
    const headers = { authorization: `Bearer ${api.token}` };
    expect((await fetch(`${service.address}/api/upload`, { method: "POST", headers, body: form })).status).toBe(200);
    await api.put("/api/settings", { chat: { turn_timeout_s: 100 } });
    expect(readdirSync(data).length).toBeGreaterThan(8);
    expect(loose(data)).toEqual([]);
    expect(await service.stop()).toBe(0);
    expect(loose(data)).toEqual([]);
  });
});

describe("the starter of a service", () => {
  const startByNpm = async () => {
    const args = ["start", "--", "--port", "0", "--data-dir", join(root, "data")];
    const npm = spawn("npm", args, { cwd: repository, stdio: ["ignore", "pipe", "pipe"] });
    started.push(npm);
    const { end, text } = await waitForOutcome(npm);
    expect(end, text()).toBe("ready");
    const { pid } = JSON.parse(readFileSync(join(root, "data", "instance.json"), "utf8"));
    return { npm, pid: pid as number, text };
  };

  // Both signals end npm, and the shell in between notifies nobody.
  test.each(process.env.PARLEY_LONG === "1" ? (["SIGKILL", "SIGTERM"] as const) : (["SIGKILL"] as const))(
    "npm that alone gets %s ends the service gracefully",
    async (signal) => {
      const { npm, pid, text } = await startByNpm();
      npm.kill(signal);
      await eventually(() => expect(isRunning(pid)).toBe(false));
      expect(text()).toMatch(/the service stops\s+reason: "SIGTERM"/);
    },
  );

  test("npm that ends before the service has started leaves no process that starts it", async () => {
    const data = join(root, "data");
    const npm = spawn("npm", ["start", "--", "--port", "0", "--data-dir", data], { cwd: repository, stdio: "ignore" });
    started.push(npm);
    const isBootstrap = (line = "") => line.includes("bootstrap.mjs") && line.includes(data);
    const running = () => readdirSync("/proc").filter((pid) => isBootstrap(readProcessFile(pid, "cmdline")));
    await eventually(() => expect(running()).not.toEqual([]));
    npm.kill("SIGTERM");
    await eventually(() => expect(running()).toEqual([]));
    expect(existsSync(join(data, "instance.json"))).toBe(false);
  });

  test("npm ends with 1 when the service could not start", async () => {
    const args = ["start", "--", "--config", join(root, "none.ini")];
    const npm = spawn("npm", args, { cwd: repository, stdio: ["ignore", "ignore", "pipe"] });
    started.push(npm);
    let text = "";
    npm.stderr.on("data", (piece) => {
      text += piece;
    });
    const [code] = await once(npm, "close");
    expect(text).toContain("none.ini does not exist");
    expect(code).toBe(1);
  });

  test("any process in between may be killed too", async () => {
    const { pid, text } = await startByNpm();
    const parent = Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[1]);
    process.kill(parent, "SIGKILL");
    await eventually(() => expect(isRunning(pid)).toBe(false));
    expect(text()).toMatch(/the service stops\s+reason: "the program that started this one is gone"/);
  });
});

describe("a closed terminal", () => {
  test("ends the service gracefully, also when its signal arrives twice", async () => {
    const service = await startProcess({ root });
    service.child.kill("SIGHUP");
    service.child.kill("SIGTERM");
    service.child.kill("SIGTERM");
    expect(await service.ended).toBe(0);
  });

  test("with a reader that stops reading does not end the service", async () => {
    const child = runParley({ root, env, args: ["--port", "0"] });
    started.push(child);
    const line = new Promise<string>((resolve) => {
      if (child.stdout) createInterface({ input: child.stdout }).once("line", resolve);
    });
    await line;
    child.stdout?.destroy();
    child.stderr?.destroy();
    await eventually(() => expect(readFileSync(join(root, "data", "instance.json"), "utf8")).toContain("127.0.0.1"));
    const { address } = JSON.parse(readFileSync(join(root, "data", "instance.json"), "utf8"));
    await eventually(async () => expect((await fetch(`http://${address}/api/startup-status`)).status).toBe(200));
    expect((await (await signIn(`http://${address}`)).send("GET", "/api/sessions")).status).toBe(200);
    child.kill("SIGTERM");
    expect((await once(child, "exit"))[0]).toBe(0);
  });

  test("with a reader that accepts nothing does not end the service either", async () => {
    const main = join(repository, "host", "cli", "src", "main.ts");
    const command = `exec "${process.execPath}" --conditions=@parley/source "${main}" --port 0 > /dev/full 2> /dev/full`;
    const child = spawn("sh", ["-c", command], { cwd: root, stdio: "ignore" });
    started.push(child);
    const address = () => JSON.parse(readFileSync(join(root, "data", "instance.json"), "utf8")).address;
    await eventually(async () => {
      const { ready } = await createClient(`http://${address()}`, "").get<{ ready: boolean }>("/api/startup-status");
      expect(ready).toBe(true);
    });
    child.kill("SIGTERM");
    expect((await once(child, "exit"))[0]).toBe(0);
  });
});

describe("a plugin that ends the process", () => {
  test.each(["process.exit(0)", "Promise.resolve().then(() => process.exit())"])(
    "by %s is named, and the code is that of a failure",
    async (code) => {
      const plugin = `export default { contract: 1, id: "leaver", register() {}, async start() { setTimeout(() => { ${code}; }, 300); } };`;
      writeFileSync(join(root, "package.json"), '{ "name": "operator", "type": "module" }');
      writeFileSync(join(root, "leaver.mjs"), plugin);
      writeFileSync(join(root, "config.ini"), "[plugins]\nleaver = ./leaver.mjs\n");
      const child = runParley({ root, args: ["--port", "0"] });
      started.push(child);
      const { text } = await waitForOutcome(child);
      if (child.exitCode === null) await once(child, "close");
      expect(text()).toMatch(/a plugin ended the service: its code called process\.exit\s+plugin: "leaver"/);
      expect(child.exitCode).toBe(1);
    },
  );
});

describe("a plugin that leaves a timer when it is imported", () => {
  test.each([
    ["a check", ["check"], 0, "everything fits together"],
    ["a list of the plugins", ["plugins"], 0, "ticker"],
    ["a start that fails", ["--host", "192.0.2.1", "--port", "1"], 1, "Parley cannot start"],
  ] as const)("does not prevent the end of %s", async (_what, args, code, line) => {
    const plugin = 'setInterval(() => {}, 1_000); export default { contract: 1, id: "ticker", register() {} };';
    writeFileSync(join(root, "package.json"), '{ "name": "operator", "type": "module" }');
    writeFileSync(join(root, "ticker.mjs"), plugin);
    writeFileSync(join(root, "config.ini"), "[plugins]\nticker = ./ticker.mjs\n");
    const child = runParley({ root, args });
    started.push(child);
    const { end, text } = await waitForOutcome(child);
    expect(text()).toContain(line);
    expect(end).toBe(code);
  });
});

describe("a requested restart", () => {
  const restart = { confirm: true };
  const startedAt = async (address: string) => {
    const api = await signIn(address);
    return (await api.get<{ started_at: string }>("/api/startup-status")).started_at;
  };
  /** Checks the response of an operation and the state after it. */
  const expectRestart = async (address: string, output: () => string) => {
    await using models = await startModelServer();
    const api = await signIn(address);
    const model = { name: "m", model: "m", base_url: models.baseUrl };
    const { id: modelId } = await api.post<{ id: string }>("/api/ai-models", model);
    await api.post(`/api/ai-models/${modelId}/apply`, {});
    await api.put("/api/settings", { log: { levels: { host: "debug" } } });
    const { id } = await api.post<{ id: string }>("/api/sessions", { name: "kept" });
    const before = await startedAt(address);
    const gate = countHandles();
    models.script.push({ kind: "held", pieces: ["the only ", "answer"], gate });
    const asked = models.nextRequest();
    const answer = api.post(`/api/sessions/${id}/chat`, { content: "a question" });
    await asked;
    expect(await api.send("POST", "/api/system/restart", { body: {} })).toMatchObject({ status: 400 });
    const accepted = await api.send("POST", "/api/system/restart", { body: restart });
    expect(accepted).toMatchObject({ status: 202, json: { data: { asked_at: expect.any(String) } } });
    gate.open();
    await answer;
    await expect.poll(() => startedAt(address).catch(() => before), { timeout: 20_000 }).not.toBe(before);
    const { items } = await (await signIn(address)).get<{ items: readonly { content: string }[] }>(
      `/api/sessions/${id}/messages`,
    );
    expect(items.map(({ content }) => content)).toEqual(["a question", "the only answer"]);
    expect(models.requests).toHaveLength(1);
    expect(output()).toMatch(/the service stops\s+reason: "admin asked for a restart"/);
    // The plugin's log level applies from the first line on.
    expect(output()).toContain("plugin started");
  };
  const countHandles = () => {
    const opened = Promise.withResolvers<void>();
    return { next: opened.resolve, open: opened.resolve, passed: () => opened.promise };
  };

  test("ends and starts the service in the same process, and running turns are answered once", async () => {
    const service = await startProcess({ root, env, args: ["--port", String(await findFreePort())] });
    started.push(service.child);
    await expectRestart(service.address, service.output);
    expect(service.child.exitCode).toBe(null);
    expect(await service.stop()).toBe(0);
  });

  test("is supported by npm start", async () => {
    const port = await findFreePort();
    const args = ["start", "--", "--data-dir", join(root, "data"), "--port", String(port)];
    const stdio = ["ignore", "pipe", "pipe"] as const;
    const npm = spawn("npm", args, { cwd: repository, env: { ...process.env, ...env }, stdio: [...stdio] });
    started.push(npm);
    const { end, text } = await waitForOutcome(npm);
    expect(end).toBe("ready");
    await expectRestart(`http://127.0.0.1:${port}`, text);
    expect(npm.exitCode).toBe(null);
    const { pid } = JSON.parse(readFileSync(join(root, "data", "instance.json"), "utf8"));
    npm.kill("SIGTERM");
    await eventually(() => expect(isRunning(pid)).toBe(false));
  });

  test("is cancelled when a signal ends the service meanwhile", async () => {
    await using models = await startModelServer();
    const service = await startProcess({ root, env, args: ["--port", String(await findFreePort())] });
    started.push(service.child);
    const api = await signIn(service.address);
    const model = { name: "m", model: "m", base_url: models.baseUrl };
    const { id: modelId } = await api.post<{ id: string }>("/api/ai-models", model);
    await api.post(`/api/ai-models/${modelId}/apply`, {});
    const { id } = await api.post<{ id: string }>("/api/sessions", {});
    const gate = countHandles();
    models.script.push({ kind: "held", pieces: ["the only ", "answer"], gate });
    const asked = models.nextRequest();
    const answer = api.post(`/api/sessions/${id}/chat`, { content: "a question" });
    await asked;
    await api.send("POST", "/api/system/restart", { body: restart });
    await eventually(() => expect(service.output()).toMatch(/the service stops\s+reason: "admin asked for a restart"/));
    service.child.kill("SIGTERM");
    gate.open();
    await answer;
    expect(await service.ended).toBe(0);
    expect(service.output().match(/^ready /gm)).toHaveLength(1);
  });

  test("is rejected when the service would not start again, and it continues", async () => {
    const service = await startProcess({ root, env, args: ["--port", String(await findFreePort())] });
    started.push(service.child);
    const api = await signIn(service.address);
    writeFileSync(join(root, "config.ini"), "[web]\nport = many\n");
    const broken = await api.send("POST", "/api/system/restart", { body: restart });
    expect(broken).toMatchObject({ status: 409, json: { error: expect.stringContaining("port") } });
    rmSync(join(root, "config.ini"));
    expect(await service.stop()).toBe(0);
  });
});
