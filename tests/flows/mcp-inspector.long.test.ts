import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findFreePort } from "../harness/http/free-port.ts";
import { type ParleyProcess, startProcess } from "../harness/process.ts";

// The inspector of the protocol, from its command line, over both transports.
const run = promisify(execFile);
const INSPECTOR = fileURLToPath(import.meta.resolve("@modelcontextprotocol/inspector/clients/launcher/build/index.js"));
const MAIN = join(dirname(dirname(import.meta.dirname)), "host", "cli", "src", "main.ts");

let root: string;
let service: ParleyProcess;
let port: number;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "parley-inspector-"));
  port = await findFreePort();
  const config = `transport = streamable-http\nport = ${port}\nhttp_auth = off_on_loopback\n`;
  writeFileSync(join(root, "config.ini"), `[mcp]\n${config}[log]\nlevel = error\nfile = off\n`);
  service = await startProcess({ root, args: ["--mcp"] });
}, 30_000);
afterAll(async () => {
  await service.stop();
  rmSync(root, { recursive: true, force: true });
});

type Ask = (method: readonly string[]) => ReturnType<typeof inspect>;

async function inspect(target: readonly string[], method: readonly string[], cwd: string) {
  // On a busy machine a start may take longer than the default of 15 s.
  const args = [INSPECTOR, "--cli", ...target, "--connect-timeout", "60000", "--method", ...method];
  const { stdout } = await run(process.execPath, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd },
    timeout: 90_000,
  });
  return JSON.parse(stdout);
}

describe("the inspector", () => {
  const inspectOverHttp = (method: readonly string[]) =>
    inspect([`http://127.0.0.1:${port}/mcp`, "--transport", "http"], method, root);
  const inspectOverStdio = async (method: readonly string[]) => {
    const own = mkdtempSync(join(tmpdir(), "parley-inspector-stdio-"));
    try {
      return await inspect([process.execPath, "--conditions=@parley/source", MAIN, "--mcp-only"], method, own);
    } finally {
      rmSync(own, { recursive: true, force: true });
    }
  };

  const asked = {
    async tools(ask: Ask) {
      const { tools } = await ask(["tools/list"]);
      expect(tools.map(({ name }: { name: string }) => name)).toContain("gateway_get_status");
    },
    async "a call"(ask: Ask) {
      const { structuredContent } = await ask(["tools/call", "--tool-name", "gateway_get_status"]);
      expect(structuredContent).toMatchObject({ ok: true, storage: "sqlite" });
    },
    async resources(ask: Ask) {
      const { resources } = await ask(["resources/list"]);
      expect(resources.map(({ uri }: { uri: string }) => uri)).toContain("svc://gateway/status");
    },
    async prompts(ask: Ask) {
      const { prompts } = await ask(["prompts/list"]);
      expect(prompts.map(({ name }: { name: string }) => name)).toContain("diagnose_gateway_failure");
    },
  };

  test.each(Object.entries(asked))("gets %s over streamable HTTP", (_, about) => about(inspectOverHttp), 120_000);

  // The inspector starts a service for each call; both transports give the same answers.
  const isLong = process.env.PARLEY_LONG === "1";
  test.each(Object.entries(asked).filter(([what]) => isLong || what === "a call"))(
    "gets %s over stdio",
    (_, about) => about(inspectOverStdio),
    120_000,
  );
});
