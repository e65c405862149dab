import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startProcess } from "../harness/process.ts";

/** Modules of 40 MB together, which must be loaded only on first use. */
const LATER = [
  "@ai-sdk/anthropic",
  "@ai-sdk/google",
  "@ai-sdk/openai",
  "@ai-sdk/openai-compatible",
  "@larksuiteoapi/node-sdk",
  "@modelcontextprotocol/sdk",
  "@opentelemetry/sdk-trace",
  "markdown-it",
  "qrcode",
  "recheck",
  "undici",
  "zod",
];

const root = mkdtempSync(join(tmpdir(), "parley-idle-"));
const list = join(root, "loaded");
let loaded: readonly string[];

/** Module that is preloaded in each thread of the service and logs every loaded file. */
const listing = `import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";
registerHooks({
  load(url, context, next) {
    appendFileSync(${JSON.stringify(list)}, url + "\\n");
    return next(url, context);
  },
});`;

beforeAll(async () => {
  const NODE_OPTIONS = `--import=data:text/javascript;base64,${Buffer.from(listing).toString("base64")}`;
  const service = await startProcess({ root, env: { NODE_OPTIONS } });
  await service.stop();
  loaded = readFileSync(list, "utf8").split("\n");
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

it("no library is loaded before it is needed", () => {
  const packages = new Set(loaded.map((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]));
  expect(packages).toContain("@hapi/hapi");
  expect(LATER.filter((name) => packages.has(name))).toEqual([]);
});

it("a start uses one thread for each database", () => {
  expect(loaded.filter((url) => url.endsWith("-worker.ts"))).toEqual([
    expect.stringContaining("/sqlite-worker.ts"),
    expect.stringContaining("/sqlite-worker.ts"),
  ]);
});
