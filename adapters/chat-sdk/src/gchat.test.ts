import { GCHAT_APP, type GchatFault, type GchatServer, startGchatServer } from "@parley/simulators";
import { channelAdapterContract, type PlatformFault } from "@parley/testing";
import { afterEach, describe } from "vitest";
import { watchTexts } from "../../../tests/harness/sent-messages.ts";
import { createTestAdapter } from "../../../tests/harness/test-adapter.ts";
import { readPackages } from "./packages/served-packages.ts";

const FAULTS: Readonly<Record<PlatformFault, GchatFault>> = {
  throttle: { kind: "status", status: 429 },
  refuse: { kind: "status", status: 403 },
  auth: { kind: "status", status: 401 },
  fail: { kind: "status", status: 503 },
  "reset-after": { kind: "reset-after" },
};
const DIRECT = "gchat:spaces/501:dm";

describe("the real Google Chat package", () => {
  const servers: GchatServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server[Symbol.asyncDispose]();
  });

  channelAdapterContract("chat-sdk:gchat", async () => {
    const server = await startGchatServer();
    servers.push(server);
    const [served] = readPackages("gchat");
    if (!served) throw new Error("gchat is not known");
    return {
      adapter: createTestAdapter(served, () => import("@chat-adapter/gchat")),
      config: { apiUrl: server.address, botUserId: GCHAT_APP.botUserId },
      secrets: {
        GOOGLE_CHAT_CREDENTIALS: GCHAT_APP.credentials,
        GOOGLE_CHAT_PROJECT_NUMBER: GCHAT_APP.projectNumber,
      },
      inboundSecretSetting: "googleChatProjectNumber_env",
      maxPart: 4_000,
      // The package does not pass on how long the platform asks to wait.
      faults: ["refuse", "auth", "fail", "reset-after"],
      async connect(link) {
        const post = async (event: object) => {
          const { body, headers } = server.createPost(event);
          await link.receive?.({ headers, body: Buffer.from(body), address: "127.0.0.1" });
        };
        const say = (id: string, text: string, more: object = {}) =>
          post(server.createMessage(DIRECT, { name: `spaces/501/messages/${id}`, text, ...more }));
        await post({ chat: { addedToSpacePayload: { space: { name: "spaces/501", type: "DM" } } } });
        return {
          conversation: DIRECT,
          say: (id, text) => say(id, text),
          ...watchTexts(server),
          other: () => post({ chat: { removedFromSpacePayload: { space: { name: "spaces/501" } } } }),
          incomplete: [
            () => post({}),
            () => post({ chat: { messagePayload: { space: { name: "spaces/501", type: "DM" }, message: {} } } }),
          ],
          echo: (id, text) => say(id, text, { sender: { name: GCHAT_APP.botUserId, type: "BOT" } }),
          async sayFile(id, name, bytes) {
            server.files.set("file-1", Buffer.from(bytes));
            const attachmentDataRef = { resourceName: "file-1" };
            await say(id, "", {
              attachment: [{ contentName: name, contentType: "application/pdf", attachmentDataRef }],
            });
          },
          fail: (fault) => void server.faults.push(FAULTS[fault]),
          hang: () => void server.faults.push({ kind: "hang" }),
          async [Symbol.asyncDispose]() {},
        };
      },
    };
  });
});
