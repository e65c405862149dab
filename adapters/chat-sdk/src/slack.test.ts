import type { ChannelAdapter } from "@parley/core";
import { createSlackMessage, SLACK_APP, type SlackFault, type SlackServer, startSlackServer } from "@parley/simulators";
import { channelAdapterContract, type PlatformFault } from "@parley/testing";
import { afterEach, describe } from "vitest";
import { watchSent } from "../../../tests/harness/sent-messages.ts";
import { createTestAdapter } from "../../../tests/harness/test-adapter.ts";
import { readPackages } from "./packages/served-packages.ts";

const FAULTS: Readonly<Record<PlatformFault, SlackFault>> = {
  throttle: { kind: "throttle", seconds: 1 },
  refuse: { kind: "error", error: "not_in_channel" },
  auth: { kind: "error", error: "token_revoked" },
  fail: { kind: "status", status: 503 },
  "reset-after": { kind: "reset-after" },
};
const DIRECT = "slack:D501:";
const THREAD = "slack:C77:1700.000001";

/** Creates the adapter over the real package; files of Slack's own host come from the fake one. */
function createSlackAdapter(server: SlackServer): ChannelAdapter {
  const [served] = readPackages("slack");
  if (!served) throw new Error("slack is not known");
  const adapter = createTestAdapter(served, () => import("@chat-adapter/slack"));
  return {
    ...adapter,
    open(channel, io, signal) {
      const fetch: typeof io.fetch = (input, init) => {
        const url = new URL(String(input instanceof Request ? input.url : input));
        const isFile = url.hostname === "files.slack.com";
        return io.fetch(isFile ? new URL(url.pathname, server.address) : input, init);
      };
      return adapter.open(channel, { ...io, fetch }, signal);
    },
  };
}

describe("the real Slack package", () => {
  const servers: SlackServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server[Symbol.asyncDispose]();
  });

  channelAdapterContract("chat-sdk:slack", async () => {
    const server = await startSlackServer();
    servers.push(server);
    return {
      adapter: createSlackAdapter(server),
      config: { apiUrl: server.address },
      secrets: { SLACK_BOT_TOKEN: SLACK_APP.token, SLACK_SIGNING_SECRET: SLACK_APP.signingSecret },
      inboundSecretSetting: "signingSecret_env",
      maxPart: 12_000,
      async connect(link) {
        const post = async (event: object) => {
          const { body, headers } = server.createPost(event);
          await link.receive?.({ headers, body: Buffer.from(body), address: "127.0.0.1" });
        };
        await post({ type: "url_verification", challenge: "c" });
        const toTs = (id: string) => `1700.${id.padStart(6, "0")}`;
        const say = (conversation: string, id: string, text: string, more: object = {}) =>
          post({ ...createSlackMessage(conversation, toTs(id), text), ...more });
        return {
          conversation: DIRECT,
          say: (id, text) => say(DIRECT, id, text),
          ...watchSent(server),
          other: () => post({ type: "channel_rename", channel: { id: "C77" } }),
          incomplete: [
            () => post({ type: "message", text: "from nowhere", user: "U1", ts: "1700.1" }),
            () => post({ type: "message" }),
            () => post({}),
          ],
          echo: (id, text) => say(DIRECT, id, text, { user: SLACK_APP.userId, bot_id: SLACK_APP.botId }),
          sayInGroup: (id, text, isMention) =>
            say(THREAD, id, "", { text: isMention ? `<@${SLACK_APP.userId}> ${text}` : text }),
          async sayFile(id, name, bytes) {
            server.files.set("kit", Buffer.from(bytes));
            const url_private = "https://files.slack.com/files-pri/kit";
            const file = { id: "F1", name, mimetype: "application/pdf", size: bytes.length, url_private };
            await say(DIRECT, id, "", { subtype: "file_share", files: [file] });
          },
          fail: (fault) => void server.faults.push({ method: "chat.postMessage", fault: FAULTS[fault] }),
          hang: () => void server.faults.push({ method: "chat.postMessage", fault: { kind: "hang" } }),
          async [Symbol.asyncDispose]() {},
        };
      },
    };
  });
});
