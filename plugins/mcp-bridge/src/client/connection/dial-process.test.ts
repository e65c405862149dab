import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@parley/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DEFAULTS, type Entry } from "../servers/entry.ts";
import { dialProcess } from "./dial-process.ts";

const PRINT_ENVIRONMENT = `console.log(JSON.stringify({ jsonrpc: "2.0", method: "environment", params: process.env }));
  process.stdin.resume();`;

const service: Readonly<Record<string, string>> = {
  PATH: "/bin",
  LANG: "en_US.UTF-8",
  TZ: "Europe/Berlin",
  REGION: "eu",
};
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-dial-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a process with an entry's variables and returns its environment. */
async function readEnvironment(change: Partial<Entry>): Promise<object | undefined> {
  const entry: Entry = {
    ...DEFAULTS,
    created_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-01-01T00:00:00Z",
    revision: 1,
    id: "here",
    name: "Here",
    transport: "stdio",
    command: process.execPath,
    args: ["-e", PRINT_ENVIRONMENT],
    ...change,
  };
  const { transport, close } = await dialProcess(entry, {
    environment: { get: (name) => service[name], secret: () => undefined },
    folder,
    log: silentLogger,
    secrets: { getValue: (_entry, name) => `secret ${name}` },
    stdio: {
      rules: { allowed_commands: [], command_lines: [], dataFolder: folder },
      passEnv: ["REGION"],
      isEnabled: () => true,
    },
  });
  const { promise, resolve } = Promise.withResolvers<object | undefined>();
  transport.onmessage = (message) => resolve("params" in message ? message.params : undefined);
  await transport.start();
  try {
    return await promise;
  } finally {
    await close({ close: () => transport.close() });
  }
}

test("an entry's own variables win over those the process inherits", async () => {
  const found = await readEnvironment({ env: { TZ: "Asia/Shanghai", REGION: "cn" }, env_names: ["API"] });
  expect(found).toMatchObject({
    PATH: "/bin",
    LANG: "en_US.UTF-8",
    TZ: "Asia/Shanghai",
    REGION: "cn",
    API: "secret API",
  });
});
