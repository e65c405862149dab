import { type ChannelIo, type ChannelLink, type LinkState, silentLogger } from "@parley/core";
import { describe, expect, test } from "vitest";
import { createEchoAdapter, type EchoManner, echoed } from "../../../tests/harness/plugins/echo-adapter.ts";
import { createTestAdapter } from "../../../tests/harness/test-adapter.ts";
import { readPackages } from "./packages/served-packages.ts";

const CAPABILITIES = {
  supports_stream: false,
  supports_progress_updates: false,
  supports_file_send: true,
  supports_stop: false,
};
const never = new AbortController().signal;

/** Opens a channel over a package of somebody else; returns what it has accepted and reported, too. */
async function openEcho(manner: EchoManner, library: Readonly<Record<string, unknown>> = { createEchoAdapter }) {
  const [served] = readPackages("@acme/chat-adapter-echo");
  if (!served) throw new Error("the package is not read");
  const adapter = createTestAdapter(served, async () => library);
  const accepted: string[] = [];
  const states: LinkState[] = [];
  const io: ChannelIo = {
    async accept({ text }) {
      accepted.push(text);
      return { traceId: "gw", itemId: "qi", duplicated: false, queued: true, queueSize: 1 };
    },
    moved: async () => {},
    report: (state) => void states.push(state),
    secret: (variable) => (variable === "ECHO_WORD" ? "sesame" : undefined),
    fetch,
    files: {
      open: async () => {
        throw new Error("there are no files");
      },
      link: (url) => url,
    },
    log: silentLogger,
  };
  const config = { options: { word_env: "ECHO_WORD", manner } };
  const channel = {
    id: "echo",
    name: "Echo",
    type: adapter.type,
    transport: "webhook",
    enabled: true,
    config,
    capabilities: CAPABILITIES,
  };
  return { adapter, accepted, states, link: await adapter.open(channel, io, never) };
}

const post = (link: ChannelLink, text: string, word = "sesame") =>
  link.receive?.({
    headers: { "x-word": word, "content-type": "application/json" },
    body: Buffer.from(JSON.stringify({ id: `m-${text}`, thread: "echo:1", text })),
    address: "127.0.0.1",
  });
const createMessage = (text: string) => ({
  deliveryId: "dlv_1",
  traceId: "gw_1",
  channelId: "echo",
  sessionId: "echo:echo:1",
  conversation: { id: "echo:1", isGroup: false },
  text,
  attachments: [],
  part: 1,
  parts: 1,
});

describe("a package of another vendor", () => {
  test("is a channel type of its own, with its options and secrets", async () => {
    const { adapter, accepted, link, states } = await openEcho("right");
    expect([adapter.type, adapter.idempotency]).toEqual(["chat-sdk:echo", "none"]);
    expect(await post(link, "hello")).toMatchObject({ status: 200, body: "ok" });
    expect(accepted).toEqual(["hello"]);
    await expect(post(link, "evil", "wrong")).rejects.toMatchObject({ code: "unauthorized" });
    expect(await link.send(createMessage("hi"), never)).toEqual({ platformMessageId: "e1", quality: "confirmed" });
    expect(echoed.at(-1)).toBe("hi");
    expect(states.at(-1)).toMatchObject({ connected: true, warnings: [expect.stringContaining("network client")] });
  });

  test("that throws at every call is not acknowledged, and its sends have an unknown outcome", async () => {
    const { accepted, link } = await openEcho("throws");
    await expect(post(link, "hello")).rejects.toMatchObject({ code: "unavailable", message: /the package is broken/ });
    await expect(link.send(createMessage("hi"), never)).rejects.toMatchObject({
      failure: "ambiguous",
      message: expect.stringContaining("the package is broken"),
    });
    expect(accepted).toEqual([]);
  });

  test("that blocks is not acknowledged within three seconds, and its sends end with their signal", async () => {
    const { accepted, link } = await openEcho("blocks");
    const begun = performance.now();
    await expect(post(link, "hello")).rejects.toMatchObject({ code: "unavailable" });
    expect(performance.now() - begun).toBeLessThan(3_000);
    await expect(link.send(createMessage("hi"), AbortSignal.timeout(50))).rejects.toMatchObject({
      failure: "ambiguous",
    });
    expect(accepted).toEqual([]);
    await link[Symbol.asyncDispose]();
  });

  test("that returns a field of another type has its message rejected, and a send without a receipt", async () => {
    const { accepted, link } = await openEcho("odd");
    await expect(post(link, "hello")).rejects.toMatchObject({ code: "bad_request", message: /"id"/ });
    expect(await link.send(createMessage("hi"), never)).toEqual({ quality: "accepted" });
    expect(accepted).toEqual([]);
  });

  test("that is no adapter is named", async () => {
    await expect(openEcho("right", {})).rejects.toThrow("@acme/chat-adapter-echo is no adapter of the Chat SDK");
    const library = { createEchoAdapter: () => ({ initialize: async () => {} }) };
    await expect(openEcho("right", library)).rejects.toThrow("it lacks handleWebhook");
  });
});

test("packages are known by their own name and by a short one, each once", () => {
  const served = readPackages("slack, @chat-adapter/slack, @acme/chat-sdk-adapter-line,, ./odd-adapter.ts");
  expect(served.map(({ word, package: name, known }) => [word, name, known !== undefined])).toEqual([
    ["slack", "@chat-adapter/slack", true],
    ["line", "@acme/chat-sdk-adapter-line", false],
    ["odd", "./odd-adapter.ts", false],
  ]);
});

test("an option that is a JSON object names the variable whose value is none", () => {
  const [served] = readPackages("gchat");
  const readSecret = (variable: string) => (variable === "GOOGLE_CHAT_CREDENTIALS" ? "{" : "4711");
  const config = { credentials_env: "GOOGLE_CHAT_CREDENTIALS", googleChatProjectNumber_env: "NUMBER" };
  expect(() => served?.settings.read(config, readSecret)).toThrow("GOOGLE_CHAT_CREDENTIALS is no JSON object");
});
