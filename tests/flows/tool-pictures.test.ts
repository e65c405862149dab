import Joi from "@hapi/joi";
import { definePlugin, type Tool, type ToolPart, Tools, toolParts } from "@parley/core";
import { type RecordedEvent, type ReplayServer, startReplayServer } from "@parley/simulators";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { PNG } from "../harness/files/sample-files.ts";
import type { Client } from "../harness/http/client.ts";
import { type McpHttpServer, startMcpHttpServer } from "../harness/mcp/mcp-http-server.ts";
import { type Parley, startParley } from "../harness/parley.ts";

const REMOTE = "mcp__mcp_connect__look";
const picture = (bytes: Uint8Array = PNG): ToolPart => ({ type: "image", data: bytes, mimeType: "image/png" });
/** Makes a unique picture that can be found in a request. */
const createPicture = (index: number) => Buffer.concat([PNG, Buffer.from(`picture ${index}`)]);
let returns: () => unknown;

const camera = definePlugin({
  id: "camera",
  register({ contribute }) {
    contribute(
      Tools,
      (): Tool => ({
        name: "take_screenshot",
        purpose: "Takes a screenshot.",
        args: Joi.object().unknown(),
        scope: "gateway.read",
        risk: "read",
        audience: ["ai"],
        run: async () => returns(),
      }),
    );
  },
});

let models: ReplayServer;
let before: number;
let remote: McpHttpServer;
/** Names of the other server's tools that fail. */
const failing = new Set<string>();
let parley: Parley;
let api: Client;

beforeAll(async () => {
  models = await startReplayServer();
  const data = PNG.toString("base64");
  const look = [
    { type: "text", text: "the page" },
    { type: "image", data, mimeType: "image/png" },
  ] as const;
  remote = await startMcpHttpServer(undefined, { look: [...look] }, failing);
  parley = await startParley({
    plugins: [camera],
    config: `[mcp]\nenabled = true\ntransport = stdio\nconnect_url = ${remote.address}\n[plugin.chat]\nname_sessions = false\n`,
  });
  api = await parley.signIn();
  await api.post("/api/mcp-servers/mcp_connect/connect", {});
});
afterAll(async () => {
  for (const one of [parley, remote, models]) await one[Symbol.asyncDispose]();
});
beforeEach(() => {
  failing.clear();
  models.answers.length = 0;
  before = models.calls.length;
  returns = () => toolParts([{ type: "text", text: "the page" }, picture()]);
});

const toEvent = (data: { readonly type: string; readonly [key: string]: unknown }): RecordedEvent => ({
  event: data.type,
  data,
});
const usage = { input_tokens: 1, output_tokens: 1 };
const chunk = (delta: object, finish_reason?: string) => ({
  data: { choices: [{ index: 0, delta, ...(finish_reason && { finish_reason }) }] },
});
const blocks = (block: object, delta: object, stop_reason: string) => [
  toEvent({ type: "message_start", message: { id: "m", model: "m", role: "assistant", content: [], usage } }),
  toEvent({ type: "content_block_start", index: 0, content_block: block }),
  toEvent({ type: "content_block_delta", index: 0, delta }),
  toEvent({ type: "content_block_stop", index: 0 }),
  toEvent({ type: "message_delta", delta: { stop_reason }, usage }),
  toEvent({ type: "message_stop" }),
];
const items = (item: object, ...between: readonly RecordedEvent[]) => [
  toEvent({ type: "response.created", response: { id: "r", created_at: 1, model: "m" } }),
  toEvent({ type: "response.output_item.added", output_index: 0, item: { ...item, arguments: "" } }),
  ...between,
  toEvent({ type: "response.output_item.done", output_index: 0, item }),
  toEvent({ type: "response.completed", response: { usage } }),
];
const gemini = (part: object) => [
  { data: { candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP" }] } },
];

interface Protocol {
  readonly model: string;
  readonly calls: (tool: string, id: string) => RecordedEvent[];
  readonly says: (text: string) => RecordedEvent[];
}

/** Tool call and text in the format of each protocol's provider. */
const PROTOCOLS: Readonly<Record<string, Protocol>> = {
  openai_chat: {
    model: "gpt-4o",
    calls: (name, id) => [
      chunk({ tool_calls: [{ index: 0, id, type: "function", function: { name, arguments: "{}" } }] }),
      chunk({}, "tool_calls"),
      { data: "[DONE]" },
    ],
    says: (text) => [chunk({ content: text }), chunk({}, "stop"), { data: "[DONE]" }],
  },
  openai_responses: {
    model: "gpt-4o",
    calls: (name, id) =>
      items({ type: "function_call", id: `f${id}`, call_id: id, name, arguments: "{}", status: "completed" }),
    says: (text) =>
      items(
        { type: "message", id: "m", role: "assistant", content: [] },
        toEvent({ type: "response.output_text.delta", item_id: "m", output_index: 0, content_index: 0, delta: text }),
      ),
  },
  anthropic_messages: {
    model: "claude-sonnet-4-5",
    calls: (name, id) =>
      blocks({ type: "tool_use", id, name, input: {} }, { type: "input_json_delta", partial_json: "{}" }, "tool_use"),
    says: (text) => blocks({ type: "text", text: "" }, { type: "text_delta", text }, "end_turn"),
  },
  gemini_generate: {
    model: "gemini-2.5-flash",
    calls: (name) => gemini({ functionCall: { name, args: {} } }),
    says: (text) => gemini({ text }),
  },
  gemini_generate_3: {
    model: "gemini-3-pro-preview",
    calls: (name) => gemini({ functionCall: { name, args: {} }, thoughtSignature: "c2ln" }),
    says: (text) => gemini({ text }),
  },
};

/** Starts a conversation with a model of a protocol; returns it with the scripted responses of its provider. */
async function startConversation(id: string) {
  const protocol = PROTOCOLS[id];
  if (!protocol) throw new Error(id);
  const model = await api.post<{ id: string }>("/api/ai-models", {
    name: `${id} ${models.address}`,
    model: protocol.model,
    protocol: id.replace("_3", ""),
    base_url: models.address,
    api_key: "sk-1234567890",
  });
  const session = await api.post<{ id: string }>("/api/sessions", { model_id: model.id });
  const provider = {
    calls: (tool: string, call: string) => models.answers.push({ events: protocol.calls(tool, call) }),
    says: (text: string) => models.answers.push({ events: protocol.says(text) }),
    rejects: (message: string) => models.answers.push({ status: 400, body: { error: { message } } }),
  };
  const say = async (content: string) => {
    const path = `/api/sessions/${session.id}/chat`;
    const { replies } = await api.post<{ replies: readonly { content: string }[] }>(path, { content });
    return replies[0]?.content;
  };
  return { requests: () => models.calls.slice(before).map(({ raw }) => raw.toString()), say, provider };
}

const countPictures = (request: string | undefined, bytes: Buffer = PNG) =>
  (request ?? "").split(bytes.toString("base64").slice(0, 90)).length - 1;

describe.each(Object.keys(PROTOCOLS))("with %s", (id) => {
  test.each(["take_screenshot", REMOTE])("a model with vision is shown the result of %s, once", async (tool) => {
    const { requests, say, provider } = await startConversation(id);
    provider.calls(tool, "c1");
    provider.says("A white page.");
    expect(await say("What do you see?")).toBe("A white page.");
    expect(requests().map((one) => countPictures(one))).toEqual([0, 1]);
    expect(requests()[1]).toContain("the page");
    provider.says("You are welcome.");
    expect(await say("Thank you.")).toBe("You are welcome.");
    expect(countPictures(requests()[2])).toBe(0);
  });

  test("a model with vision is shown the picture of another server's error", async () => {
    failing.add("look");
    const { requests, say, provider } = await startConversation(id);
    provider.calls(REMOTE, "c1");
    provider.says("An error page.");
    expect(await say("What do you see?")).toBe("An error page.");
    expect(requests().map((one) => countPictures(one))).toEqual([0, 1]);
    expect(requests()[1]).toContain("upstream_failed: the page");
  });

  test("a model that rejects pictures gets their location instead, also the next time", async () => {
    const { requests, say, provider } = await startConversation(id);
    provider.calls("take_screenshot", "c1");
    provider.rejects("this model does not take images");
    provider.says("I cannot see it.");
    expect(await say("What do you see?")).toBe("I cannot see it.");
    provider.calls("take_screenshot", "c2");
    provider.says("Nor this time.");
    expect(await say("And now?")).toBe("Nor this time.");
    expect(requests().map((one) => countPictures(one))).toEqual([0, 1, 0, 0, 0]);
    const named = /the page\\n\[image, image\/png, 1 KiB: kept as \/static\/files\/[^\]]+\]/;
    for (const at of [2, 4]) expect(requests()[at]).toMatch(named);
  });

  test("only the newest of many pictures are shown, with the same limit as for people's pictures", async () => {
    let taken = 0;
    returns = () => {
      taken += 4;
      return toolParts([3, 2, 1, 0].map((before) => picture(createPicture(taken - before))));
    };
    const { requests, say, provider } = await startConversation(id);
    for (const call of ["c1", "c2", "c3"]) provider.calls("take_screenshot", call);
    provider.says("Many pages.");
    expect(await say("What do you see?")).toBe("Many pages.");
    const last = requests().at(-1) ?? "";
    const all = Array.from({ length: 12 }, (_, index) => index + 1);
    expect(all.filter((one) => last.includes(createPicture(one).toString("base64")))).toEqual([
      5, 6, 7, 8, 9, 10, 11, 12,
    ]);
  });
});
