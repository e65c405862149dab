import Joi from "@hapi/joi";
import { type MessageFilter, type Sessions, type Tool, textOf, tool } from "@parley/core";
import { toolsTexts } from "../texts.ts";

const MAX_MESSAGES_READ = 200;
const MAX_THOUGHT_CHARS = 2_000;

export interface ConversationDeps {
  readonly sessions: () => Sessions;
  readonly filter: () => MessageFilter | undefined;
}

type Level = "info" | "progress" | "warning" | "success";

/** Creates the tools that send messages beside the reply, and that recall earlier reasoning. */
export function createConversationTools({ sessions, filter }: ConversationDeps): readonly Tool[] {
  const shared = { scope: "gateway.read", risk: "read", audience: ["ai"], group: "conversation" } as const;
  return [
    tool<{ readonly content: string; readonly message_type: Level }>({
      ...shared,
      name: "send_message",
      help: { en: "Tells progress before the answer; not stored.", zh: "回答之前告知进展，不会保存。" },
      purpose: "Shows your progress to the people who wait. It is not part of your answer, and is not stored.",
      args: Joi.object({
        content: textOf(2_000).trim().min(1).disallow("").required(),
        message_type: Joi.valid("info", "progress", "warning", "success").default("info"),
      }),
      async run({ content, message_type }, { sessionId, inbound, progress }) {
        if (sessionId === undefined || !inbound) throw toolsTexts.error("unavailable", "nobody_waits");
        const channelId = inbound.channelId;
        const asked = { text: content, target: "ai", sessionId, channelId, hasAttachments: false } as const;
        const screened = await filter()?.apply(asked);
        if (screened?.blocked) throw toolsTexts.error("conflict", "withheld");
        progress(screened?.text ?? content, message_type);
        return { sent: true };
      },
    }),
    tool<{ readonly limit: number }>({
      ...shared,
      name: "get_session_thinking_history",
      help: { en: "Reads the earlier reasoning of this conversation.", zh: "查看本会话中以往的思考过程。" },
      purpose: "Returns your reasoning before your last answers in this conversation, newest first.",
      args: Joi.object({ limit: Joi.number().integer().min(1).max(50).default(10) }),
      async run({ limit }, { sessionId }) {
        if (sessionId === undefined) throw toolsTexts.error("unavailable", "no_conversation");
        const { items } = await sessions().messages(sessionId, { order: "desc", limit: MAX_MESSAGES_READ, offset: 0 });
        const thoughts = items.flatMap(({ id, timestamp, thinking }) =>
          thinking ? [{ message_id: id, timestamp, thinking: thinking.slice(0, MAX_THOUGHT_CHARS) }] : [],
        );
        return { thoughts: thoughts.slice(0, limit) };
      },
    }),
  ];
}
