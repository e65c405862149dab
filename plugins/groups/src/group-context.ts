import type { PromptSource } from "@parley/core";
import type { RecentTalk, RememberedLine } from "./recent-talk.ts";

const MAX_LINES = 30;
const MAX_LINE_CHARS = 500;

/** Creates the prompt source for talk around the bot that is in no stored conversation. */
export function createGroupContext(talk: RecentTalk, now: () => number): PromptSource {
  const listUnstored = (sessionId: string) => talk.list(sessionId, now()).filter(({ isStored }) => !isStored);
  return {
    id: "groups.context",
    title: { en: "Recent talk in the group", zh: "群里最近的对话" },
    priority: 62,
    place: "before-user",
    isExternal: true,
    concerns: ({ inbound, session, replies }) =>
      inbound.conversation.isGroup && replies.length === 0 && listUnstored(session.id).length > 0,
    async collect({ session }) {
      const lines = listUnstored(session.id).slice(-MAX_LINES).map(toTextLine);
      return { text: `Said in this group lately:\n${lines.join("\n")}`, isData: true };
    },
  };
}

function toTextLine({ sender, senderId, text }: RememberedLine): string {
  return `${sender || senderId}: ${text.slice(0, MAX_LINE_CHARS)}`;
}
