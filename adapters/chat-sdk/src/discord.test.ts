import type { ChannelAdapter } from "@parley/core";
import {
  createDiscordMessage,
  DISCORD_APP,
  type DiscordFault,
  type DiscordServer,
  startDiscordServer,
  toDiscordThrottled,
} from "@parley/simulators";
import { channelAdapterContract, type PlatformFault } from "@parley/testing";
import { afterEach, describe } from "vitest";
import { watchSent } from "../../../tests/harness/sent-messages.ts";
import { createTestAdapter } from "../../../tests/harness/test-adapter.ts";
import { readPackages } from "./packages/served-packages.ts";

const FAULTS: Readonly<Record<PlatformFault, DiscordFault>> = {
  throttle: { kind: "error", status: 429, body: toDiscordThrottled(1) },
  refuse: { kind: "error", status: 403, body: { message: "Missing Access", code: 50_001 } },
  auth: { kind: "error", status: 401, body: { message: "401: Unauthorized", code: 0 } },
  fail: { kind: "error", status: 503 },
  "reset-after": { kind: "reset-after" },
};
const DIRECT = "discord:@me:501";
const THREAD = "discord:G1:C77:T9";

/** Creates the adapter over the real package; the addresses that it does not let us choose lead to the fake platform. */
function createDiscordAdapter(server: DiscordServer): ChannelAdapter {
  const [served] = readPackages("discord");
  if (!served) throw new Error("discord is not known");
  const adapter = createTestAdapter(served, () => import("@chat-adapter/discord"));
  return {
    ...adapter,
    open(channel, io, signal) {
      const toFake: typeof io.fetch = (input, init) => {
        const url = new URL(String(input instanceof Request ? input.url : input));
        return io.fetch(url.hostname.endsWith("discordapp.com") ? new URL(url.pathname, server.address) : input, init);
      };
      return adapter.open(channel, { ...io, fetch: toFake }, signal);
    },
  };
}

describe("the real Discord package", () => {
  const servers: DiscordServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server[Symbol.asyncDispose]();
  });

  channelAdapterContract("chat-sdk:discord", async () => {
    const server = await startDiscordServer();
    servers.push(server);
    return {
      adapter: createDiscordAdapter(server),
      config: { apiUrl: server.address },
      secrets: {
        DISCORD_BOT_TOKEN: DISCORD_APP.token,
        DISCORD_PUBLIC_KEY: DISCORD_APP.publicKey,
        DISCORD_APPLICATION_ID: DISCORD_APP.applicationId,
      },
      inboundSecretSetting: "publicKey_env",
      maxPart: 2_000,
      // The gateway's connection repeats what was not stored to who resumes.
      acknowledges: false,
      async connect(link, up) {
        const ping = server.createPost({ type: 1 });
        await link.receive?.({ headers: ping.headers, body: Buffer.from(ping.body), address: "127.0.0.1" });
        await up();
        await server.waitFor(() => server.ready.size > 0);
        const say = (conversation: string, id: string, text: string, more: object = {}) =>
          server.say(conversation, text, { id, ...more });
        return {
          conversation: DIRECT,
          say: (id, text) => say(DIRECT, id, text),
          ...watchSent(server),
          other: () => server.push("PRESENCE_UPDATE", { user: { id: "1" } }),
          incomplete: [
            () => server.push("MESSAGE_CREATE", { id: "1", content: "from nowhere" }),
            () => server.push("MESSAGE_CREATE", { ...createDiscordMessage(DIRECT, "2", "nobody"), author: null }),
            () => server.push("MESSAGE_CREATE", { ...createDiscordMessage(DIRECT, "3", "odd"), author: { id: 7 } }),
            () => server.push("MESSAGE_CREATE", {}),
          ],
          echo: (id, text) => say(DIRECT, id, text, { author: { id: DISCORD_APP.applicationId, username: "parley" } }),
          sayInGroup: (id, text, isMention) =>
            say(THREAD, id, isMention ? `<@${DISCORD_APP.applicationId}> ${text}` : text),
          async sayFile(id, name, bytes) {
            server.files.set(name, Buffer.from(bytes));
            const url = `https://cdn.discordapp.com/attachments/${name}`;
            const attachments = [{ id: "1", filename: name, content_type: "application/pdf", size: bytes.length, url }];
            await say(DIRECT, id, "", { attachments });
          },
          fail: (fault) => void server.faults.push(FAULTS[fault]),
          hang: () => void server.faults.push({ kind: "hang" }),
          async drop() {
            const { resumed } = server.counts();
            server.drop();
            await server.waitFor(() => server.counts().resumed > resumed);
          },
          async [Symbol.asyncDispose]() {},
        };
      },
    };
  });
});
