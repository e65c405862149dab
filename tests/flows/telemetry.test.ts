import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Gateway } from "@parley/core";
import { type ModelServer, startModelServer } from "@parley/simulators";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startParley } from "../harness/parley.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";

/** A span in the JSON encoding of OTLP. */
interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
  readonly status?: { readonly code?: number };
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { readonly key: string; readonly value: object }[] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

let collector: Server;
let models: ModelServer;
let url: string;
const exports: { readonly path: string | undefined; readonly body: Export }[] = [];
const texts: string[] = [];

beforeEach(async () => {
  exports.length = 0;
  texts.length = 0;
  models = await startModelServer();
  collector = createServer(async (request, response) => {
    const chunks = await Array.fromAsync(request);
    const text = Buffer.concat(chunks).toString();
    texts.push(text);
    exports.push({ path: request.url, body: JSON.parse(text) });
    response.setHeader("content-type", "application/json");
    response.end("{}");
  }).listen(0, "127.0.0.1");
  await once(collector, "listening");
  url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});
afterEach(async () => {
  collector.closeAllConnections();
  collector.close();
  await models[Symbol.asyncDispose]();
});

const spans = () =>
  exports.flatMap(({ body }) => body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((one) => one.spans)));
const attributes = (span: Span | undefined) =>
  Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]));

/** Runs one turn with a tool call; everything is exported when the service has stopped. */
async function runTurn(config: string): Promise<string> {
  const fake = createFakeChannel();
  await using parley = await startParley({ plugins: [fake.plugin], config });
  const api = await parley.signIn();
  const model = { name: "m", model: "m", base_url: models.baseUrl };
  const { id } = await api.post<{ id: string }>("/api/ai-models", model);
  await api.post(`/api/ai-models/${id}/apply`, {});
  await api.post("/api/channels", { id: fake.id, name: "Fake", type: fake.id, transport: "bridge" });
  await api.put("/api/channels/fake", { capabilities: { supports_tools: true } });
  models.script.push({ kind: "tool", name: "roll_dice", args: { dice: 1 } }, { kind: "text", text: "A private word." });
  const { traceId } = await fake.say("42", "my private question");
  await parley.host.get(Gateway).idle();
  return traceId;
}

describe("with a collector", () => {
  test("a message is one tree of spans, from its acceptance to its delivery", async () => {
    const traceId = await runTurn(`[telemetry]\notlp_url = ${url}\nservice_name = parley-test\n`);
    expect(exports[0]?.path).toBe("/v1/traces");
    const all = spans().filter((span) => attributes(span)["parley.trace_id"] === traceId);
    expect(new Set(all.map((span) => span.traceId)).size).toBe(1);
    const findSpans = (name: string) => all.filter((span) => span.name === name);
    const getParent = (span: Span | undefined) => all.find(({ spanId }) => spanId === span?.parentSpanId)?.name;
    const [root] = all.filter(({ parentSpanId }) => !parentSpanId);
    expect(root?.name).toBe("accept");
    expect(all.filter(({ parentSpanId }) => !parentSpanId)).toHaveLength(1);
    for (const name of ["queue", "turn", "deliver"]) expect(findSpans(name).map(getParent)).toEqual(["accept"]);
    for (const phase of ["screen", "command", "record-user", "context", "answer", "screen-reply", "decorate"])
      expect(findSpans(phase).map(getParent)).toEqual(["turn"]);
    expect(findSpans("model chat").map(getParent)).toEqual(["answer", "answer"]);
    expect(findSpans("tool roll_dice").map(getParent)).toEqual(["answer"]);
    expect(attributes(findSpans("model chat")[0])).toMatchObject({
      model: "m",
      ending: "done",
      tool_calls: expect.anything(),
    });
    expect(attributes(findSpans("deliver")[0])).toMatchObject({ state: "delivered", "parley.channel": "fake" });
    for (const { traceId: id, spanId, startTimeUnixNano, endTimeUnixNano } of all) {
      expect(id).toMatch(/^[0-9a-f]{32}$/);
      expect(spanId).toMatch(/^[0-9a-f]{16}$/);
      expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
    }
    expect(new Set(all.map(({ spanId }) => spanId)).size).toBe(all.length);
    expect(texts.join()).toContain("parley-test");
    expect(texts.join()).not.toContain("private");
  });

  test("that is unavailable nothing is delayed", async () => {
    await runTurn("[telemetry]\notlp_url = http://127.0.0.1:9\n");
    expect(exports).toEqual([]);
  });
});

test("without an address nothing is exported", async () => {
  await runTurn("");
  expect(exports).toEqual([]);
});

test("an invalid address is reported at the start", async () => {
  await expect(startParley({ config: "[telemetry]\notlp_url = nowhere\n" })).rejects.toThrow("otlp_url");
});
