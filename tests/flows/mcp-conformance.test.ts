import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import Joi from "@hapi/joi";
import {
  AppError,
  definePlugin,
  type McpPromptMessage,
  McpPrompts,
  McpResources,
  type ToolContext,
  type ToolPart,
  Tools,
  toolParts,
} from "@parley/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findFreePort } from "../harness/http/free-port.ts";
import { type Parley, startParley } from "../harness/parley.ts";

// The protocol's conformance suite against the service; a plugin offers the tools, resources and prompts it names.
const SUITE = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"));
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);
const text = (content: string): ToolPart => ({ type: "text", text: content });
const image: ToolPart = { type: "image", data: PIXEL, mimeType: "image/png" };
const document = (uri: string): ToolPart => ({ type: "resource", uri, mimeType: "text/plain", text: "A document." });

const RUNS: Readonly<Record<string, (context: ToolContext) => Promise<unknown>>> = {
  test_simple_text: async () => toolParts([text("This is a simple text response for testing.")]),
  test_image_content: async () => toolParts([image]),
  test_audio_content: async () => toolParts([{ type: "audio", data: PIXEL, mimeType: "audio/wav" }]),
  test_embedded_resource: async () => toolParts([document("test://embedded-resource")]),
  test_multiple_content_types: async () => toolParts([text("Several:"), image, document("test://mixed")]),
  test_tool_with_logging: reportProgress,
  test_tool_with_progress: reportProgress,
  test_error_handling: () => Promise.reject(new AppError("conflict", "it fails on purpose")),
};

async function reportProgress({ progress }: ToolContext): Promise<unknown> {
  for (const message of ["started", "half way", "done"]) {
    progress(message);
    await wait(10);
  }
  return toolParts([text("done")]);
}

const createMessages = (...content: readonly ToolPart[]): readonly McpPromptMessage[] =>
  content.map((part) => ({ role: "user", content: part }));
const argument = (name: string) => ({ name, description: name, required: true });

const suite = definePlugin({
  id: "suite",
  register({ contribute }) {
    for (const [name, run] of Object.entries(RUNS)) {
      contribute(Tools, () => ({
        ...row(name),
        args: Joi.object({}),
        run: (_: unknown, context: ToolContext) => run(context),
      }));
    }
    contribute(Tools, () => ({
      ...row("json_schema_2020_12_tool"),
      args: Joi.object().unknown(),
      inputSchema: {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        $defs: { address: { type: "object", properties: { street: { type: "string" } } } },
        properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
        additionalProperties: false,
      },
      run: async () => "done",
    }));
    const resource = { scope: "gateway.read", name: "A resource" } as const;
    contribute(McpResources, () => ({
      ...resource,
      uri: "test://static-text",
      mimeType: "text/plain",
      read: async () => "text",
    }));
    contribute(McpResources, () => ({
      ...resource,
      uri: "test://static-binary",
      mimeType: "image/png",
      read: async () => PIXEL,
    }));
    const prompt = (
      name: string,
      args: readonly string[],
      messages: (given: Readonly<Record<string, string>>) => readonly McpPromptMessage[],
    ) => contribute(McpPrompts, () => ({ name, description: name, arguments: args.map(argument), messages }));
    prompt("test_simple_prompt", [], () => createMessages(text("This is a simple prompt for testing.")));
    prompt("test_prompt_with_arguments", ["arg1", "arg2"], ({ arg1, arg2 }) =>
      createMessages(text(`arg1='${arg1}', arg2='${arg2}'`)),
    );
    prompt("test_prompt_with_embedded_resource", ["resourceUri"], ({ resourceUri = "" }) =>
      createMessages(document(resourceUri), text("Go on.")),
    );
    prompt("test_prompt_with_image", [], () => createMessages(image, text("Look.")));
  },
});

function row(name: string) {
  return { name, purpose: name, scope: "gateway.read", risk: "read", audience: ["mcp"] } as const;
}

const SCENARIOS = [
  "server-initialize",
  "logging-set-level",
  "ping",
  "tools-list",
  "tools-call-simple-text",
  "tools-call-image",
  "tools-call-audio",
  "tools-call-embedded-resource",
  "tools-call-mixed-content",
  "tools-call-with-logging",
  "tools-call-with-progress",
  "tools-call-error",
  "json-schema-2020-12",
  "server-sse-multiple-streams",
  "resources-list",
  "resources-read-text",
  "resources-read-binary",
  "prompts-list",
  "prompts-get-simple",
  "prompts-get-with-args",
  "prompts-get-embedded-resource",
  "prompts-get-with-image",
  "dns-rebinding-protection",
];

/** Unsupported features with reasons. */
const NOT_OFFERED: Readonly<Record<string, string>> = {
  "completion-complete": "no arguments are completed",
  "tools-call-sampling": "the service asks clients for nothing",
  "tools-call-elicitation": "the service asks clients for nothing",
  "elicitation-sep1034-defaults": "the service asks clients for nothing",
  "elicitation-sep1330-enums": "the service asks clients for nothing",
  "server-sse-polling": "answers are not stored for a second reading",
  "resources-templates-read": "addresses with wildcards are not matched",
  "resources-subscribe": "resources are read when they are wanted",
  "resources-unsubscribe": "resources are read when they are wanted",
};

let parley: Parley;
let address: string;
const results = mkdtempSync(join(tmpdir(), "mcp-conformance-"));

beforeAll(async () => {
  const port = await findFreePort();
  address = `http://127.0.0.1:${port}/mcp`;
  const config = `[mcp]\nenabled = true\ntransport = streamable-http\nport = ${port}\nhttp_auth = off_on_loopback\n`;
  parley = await startParley({ plugins: [suite], config });
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  rmSync(results, { recursive: true, force: true });
});

async function run(...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [SUITE, ...args], { cwd: results, stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      out += chunk;
    });
  }
  await once(child, "close");
  return out;
}

test("every scenario of the suite is either run or listed with the reason", async () => {
  const listed = [...(await run("list", "--server")).matchAll(/^ +- ([\w-]+)/gm)].map(([, name]) => name);
  expect(listed.sort()).toEqual([...SCENARIOS, ...Object.keys(NOT_OFFERED)].sort());
});

test("the server conforms", { timeout: 120_000 }, async () => {
  const out = await run("server", "--url", address, "--suite", "all", "--output-dir", results);
  const failed = [...out.matchAll(/^✗ ([\w-]+): (.*)$/gm)].map(([, name = "", why]) => ({ name, why }));
  expect(out).toContain("=== SUMMARY ===");
  expect(failed.filter(({ name }) => !(name in NOT_OFFERED))).toEqual([]);
});
