import type { OutboundMessage } from "@parley/core";
import { expect, test } from "vitest";
import type { SdkAdapter } from "../sdk/sdk-adapter.ts";
import { reconcileByHistory } from "./reconcile.ts";

const MESSAGE = {
  text: "hello",
  attachments: [],
  conversation: { id: "slack:D1:", isGroup: false },
} as unknown as OutboundMessage;

/** Creates an adapter whose history has the message, as its own only where it knows its account. */
const createAdapter = (botUserId: string | null) =>
  ({
    name: "slack",
    botUserId,
    fetchMessages: async () => ({
      messages: [
        {
          id: "1",
          threadId: "slack:D1:",
          text: "hello",
          attachments: [],
          author: { userId: "U1", userName: "parley", isMe: botUserId === "U1" },
        },
      ],
    }),
  }) as unknown as SdkAdapter;

test("a message that the history shows as the bot's own was delivered", async () => {
  expect(await reconcileByHistory(createAdapter("U1"), MESSAGE, new Set())).toBe("delivered");
  expect(await reconcileByHistory(createAdapter("U2"), MESSAGE, new Set())).toBe("absent");
});

test("nothing is decided while the package does not know its own account", async () => {
  await expect(reconcileByHistory(createAdapter(null), MESSAGE, new Set())).rejects.toMatchObject({
    failure: "not_sent",
  });
});
