import {
  addUsage,
  type ChatCommand,
  type Message,
  type Models,
  type Turn,
  type TurnStage,
  type Usage,
} from "@parley/core";
import { truncateWithEllipsis } from "@parley/core/channels";
import { createBranches } from "../messages/branches.ts";
import { publishMessagesRemoved, type SessionDeps } from "../session-deps.ts";
import { sessionsTexts } from "../texts.ts";

const COMMAND = { category: "session", adminOnly: false, isGroupAdminOnly: true } as const;
const RETRY = "/retry";
const MAX_QUOTE_CHARS = 80;

/** Creates the command that takes the last question and its answers back. */
export function createUndoCommand(deps: SessionDeps): ChatCommand {
  return {
    ...COMMAND,
    name: "/undo",
    usage: "/undo",
    help: { en: "Takes back your last message and its answer", zh: "撤回最近一条消息及其回复" },
    async run(_, { session }) {
      const exchange = await findLastExchange(deps, session.id);
      const [question] = exchange;
      if (!question) return sessionsTexts.localized("undo_nothing");
      await removeMessages(deps, session, exchange);
      const text = truncateWithEllipsis(question.content.replaceAll(/\s+/g, " ").trim(), MAX_QUOTE_CHARS);
      return text === "" ? sessionsTexts.localized("undone") : sessionsTexts.localized("undone_text", { text });
    },
  };
}

/** Creates the entry of `/retry` in the list of commands; it answers only where there is nothing to retry. */
export function createRetryCommand(): ChatCommand {
  return {
    ...COMMAND,
    name: RETRY,
    usage: RETRY,
    help: { en: "Answers your last message again", zh: "重新回答最近一条消息" },
    run: async () => sessionsTexts.localized("retry_nothing"),
  };
}

/** Creates the stage that replaces `/retry` by the last question, which is then answered as in a regeneration. */
export function createRetryStage(deps: SessionDeps): TurnStage {
  return {
    id: "sessions.retry",
    phase: "command",
    usesStorage: true,
    concerns: ({ text, inbound, replies }) =>
      inbound.kind === "message" && replies.length === 0 && text.trim() === RETRY && mayUseInGroup(inbound),
    async run(turn) {
      const [question] = await findLastExchange(deps, turn.session.id);
      if (!question) return turn;
      const { content: text, attachments } = question;
      const inbound = { ...turn.inbound, kind: "regenerate", messageId: question.id, text, attachments } as const;
      return { ...turn, inbound, text, attachments };
    },
  };
}

function mayUseInGroup({ conversation, sender }: Turn["inbound"]): boolean {
  return !conversation.isGroup || sender.isAdmin;
}

/** Creates the command that shows what the conversation used so far. */
export function createStatsCommand(
  { messages, sessions }: SessionDeps,
  models: () => Pick<Models, "choose"> | undefined,
): ChatCommand {
  return {
    ...COMMAND,
    isGroupAdminOnly: false,
    name: "/stats",
    usage: "/stats",
    help: { en: "Shows messages, tokens, cost, model and character", zh: "显示消息数、token、费用、模型和角色" },
    async run(_, { session: { id } }) {
      const session = await sessions.get(id);
      let usage: Usage | undefined;
      for (const place of ["archive", "live"] as const)
        for await (const page of messages.streamPages(id, place))
          for (const message of page) if (message.usage) usage = addUsage(usage, message.usage);
      const model = await models()?.choose("chat", session.model_id);
      return sessionsTexts.localized("stats", {
        messages: session.message_count,
        archived: session.archived_message_count,
        tokens: usage?.total_tokens ?? 0,
        cost: usage?.cost ? usage.cost.toFixed(4) : "–",
        model: model?.label ?? "–",
        character: session.sender_name || "–",
      });
    },
  };
}

/** Returns the last message of a person with all that follows it; empty when there is none. */
async function findLastExchange({ messages }: SessionDeps, sessionId: string): Promise<readonly Message[]> {
  const all = await messages.liveFrom(sessionId, 0);
  const start = all.findLastIndex(({ role, kind, hidden }) => role === "user" && kind === "normal" && !hidden);
  return start < 0 ? [] : all.slice(start);
}

/** Deletes messages with everything that depends on them: branches, memories and changes of the character's state. */
async function removeMessages(deps: SessionDeps, session: Turn["session"], removed: readonly Message[]): Promise<void> {
  const { messages, database } = deps;
  const branches = createBranches(deps);
  const ids = removed.map(({ id }) => id);
  const undone = await branches.undoWrites(session, removed);
  const ended = await branches.deleteDependentWrites(session.id, ids);
  await database().write([...messages.deleteWrites(ids), ...ended, ...messages.recountWrites(session.id), ...undone]);
  publishMessagesRemoved(deps, session.id, ids, "truncated");
}
