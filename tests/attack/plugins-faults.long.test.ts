import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { createClient } from "../harness/http/client.ts";
import { type ParleyProcess, runParley, startProcess } from "../harness/process.ts";

const root = mkdtempSync(join(tmpdir(), "parley-faults-"));

/** Routes whose faults occur after the response. */
const FAULTS = `
import net from "node:net";
import Joi from ${JSON.stringify(import.meta.resolve("@hapi/joi"))};
const data = Joi.any();
const later = (harm) => () => { setTimeout(harm, 1); return "later"; };
const rows = {
  "/rejects": () => { void Promise.reject(new Error("nobody waits for this")); return "later"; },
  "/throws": later(() => { throw new Error("the timer went wrong"); }),
  "/blocks": later(() => { const end = Date.now() + 2500; while (Date.now() < end); }),
  "/unheard": () => { net.connect(1, "127.0.0.1"); return "later"; },
};
export default {
  id: "faulty", contract: 1,
  register({ contribute }) {
    contribute({ kind: "extension-point", id: "route-tables" }, () =>
      Object.entries(rows).map(([path, run]) => ({ method: "GET", path, summary: path, data, auth: "open", run })));
  },
  async start() { void Promise.reject(new Error("nobody waited in start")); },
};`;
const LEFT_OUT = `export default { id: "unlucky", contract: 1, register() { throw new Error("no luck"); } };`;

function install(name: string, code: string, into = root): void {
  const folder = join(into, "node_modules", name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name, version: "1.0.0", type: "module", exports: "./index.js" }),
  );
  writeFileSync(join(folder, "index.js"), code);
}

let service: ParleyProcess;

beforeAll(async () => {
  install("faulty-plugin", FAULTS);
  install("unlucky-plugin", LEFT_OUT);
  writeFileSync(join(root, "config.ini"), "[plugins]\nfaulty = faulty-plugin\nunlucky = unlucky-plugin\n");
  service = await startProcess({ root, env: { SVC_ADMIN_PASSWORD: "correct horse" } });
}, 60_000);
afterAll(async () => {
  await service.stop();
  rmSync(root, { recursive: true, force: true });
});

const call = (path: string) => createClient(service.address, "").send("GET", path);
const readLogFile = () => {
  const folder = join(root, "data", "logs");
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("");
};
const countInBoth = (line: string) =>
  eventually(() => {
    expect(service.output()).toContain(line);
    expect(readLogFile()).toContain(line);
  });

test("a plugin whose code ends the process is reported", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-exiting-"));
  install("exiting", "process.exit(3);", folder);
  writeFileSync(join(folder, "config.ini"), "[plugins]\nexiting = exiting\n");
  const child = runParley({ root: folder, args: ["--port", "0"] });
  const output = child.stderr ? text(child.stderr) : "";
  const [status] = await once(child, "exit");
  expect([status, await output]).toEqual([
    3,
    expect.stringMatching(/a plugin ended the service: its code called process\.exit\s+plugin: "exiting"\s+code: 3/),
  ]);
  const looks = [["check"], ["check-package", join("node_modules", "exiting"), "--no-tests"]].map(async (args) => {
    const look = runParley({ root: folder, args });
    const [stdout, [code]] = await Promise.all([look.stdout ? text(look.stdout) : "", once(look, "exit")]);
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining("it calls process.exit(3), which would end the service"),
    ]);
  });
  await Promise.all(looks);
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  [
    "loops",
    "function spin() { for (;;); }\nspin();",
    /^plugin 'endless' does not come back from its import: [\s\S]+ at spin /,
    1,
  ],
  [
    "waits in the system",
    "import { readSync } from 'node:fs';\nreadSync(0, Buffer.alloc(1));",
    /^one of the plugins 'endless'/,
    "SIGKILL",
  ],
])("a package that %s during its import is reported, and the process ends", async (_what, code, message, ends) => {
  const folder = mkdtempSync(join(tmpdir(), "parley-endless-"));
  install("endless", code, folder);
  writeFileSync(join(folder, "config.ini"), "[plugins]\nendless = endless\n");
  const host = JSON.stringify(import.meta.resolve("../../host/src/host.ts"));
  const options = '{ ownsProcess: true, packages: ["endless"], importWithinMs: 3_000, flags: { port: 0 } }';
  const program = join(folder, "program.mjs");
  writeFileSync(program, `import { startHost } from ${host};\nawait startHost(${options});`);
  const args = ["--conditions=@parley/source", program];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["pipe", "ignore", "pipe"] });
  const [output, [status, signal]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  expect(output).toMatch(message);
  expect(output).toContain("has not come back from its import within 3 s: the process ends");
  expect(status ?? signal).toBe(ends);
  rmSync(folder, { recursive: true, force: true });
});

describe("on stderr and in the log file", () => {
  test("a skipped plugin is named with the reason", async () => {
    await countInBoth("plugin 'unlucky' is left out: register failed: no luck");
  });

  test("a promise rejected during its start is reported, and the service runs", async () => {
    await countInBoth("a promise was rejected and not handled");
    expect(service.output()).toContain("nobody waited in start");
  });

  test("repeated promise rejections are reported, and the service runs", async () => {
    expect((await call("/rejects")).status).toBe(200);
    await countInBoth("nobody waits for this");
  });

  test("an error in a plugin's timer is reported, and the service runs without interruption", async () => {
    expect((await call("/throws")).status).toBe(200);
    await countInBoth("an exception was not caught; the service continues");
  });

  test("a blocked event loop is reported with its duration", async () => {
    expect((await call("/blocks")).status).toBe(200);
    await eventually(() =>
      expect(service.output()).toMatch(
        /the event loop was blocked: nothing was answered in that time\s+blocked_ms: [1-9]\d{3}/,
      ),
    );
  });

  test("an error event without a listener ends the service gracefully, with code 1", async () => {
    expect((await call("/unheard")).status).toBe(200);
    expect(await service.ended).toBe(1);
    const output = service.output();
    expect(output).toContain("an exception was not caught; the service stops");
    expect(output).toMatch(/suspects: \[\s+"faulty",\s+"unlucky"\s+\]/);
    expect(output).toContain("ECONNREFUSED");
    expect(output).toMatch(/the service stops\s+reason: "a fault"/);
  });
});
