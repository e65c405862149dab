import {
  type Clock,
  type ConversationMove,
  type Database,
  fixedStatement,
  type InboundMessage,
  type OutboundMessage,
} from "@parley/core";
import type { TruthTables } from "./tables.ts";

/** Conversations that a platform gave another id: they stay one session (wire imB §7). */
export interface Aliases {
  load(): Promise<void>;
  /** The message as one of the conversation it belongs to, whichever id it came under. */
  resolve(message: InboundMessage): InboundMessage;
  /** Records the new id and turns what is not sent yet to it, in one transaction. Once per pair. */
  record(move: ConversationMove): Promise<void>;
}

const INSERT = `insert into alias (channel_id, old_id, new_id, session_id, created_ms) values (?, ?, ?, ?, ?)
  on conflict (channel_id, old_id) do nothing`;
const OPEN = `select id, message from outbox
  where channel_id = ? and conversation_id = ? and state in ('pending', 'failed')`;
const TURN_TO = `update outbox set conversation_id = ?, message = ? where id = ? and state in ('pending', 'failed')`;

export function createAliases(database: () => Database, clock: Clock): Aliases {
  const byOld = new Map<string, ConversationMove>();
  const byNew = new Map<string, ConversationMove>();
  const keyOf = (channelId: string, id: string) => `${channelId}\0${id}`;
  const remember = (move: ConversationMove) => {
    byOld.set(keyOf(move.channelId, move.from), move);
    byNew.set(keyOf(move.channelId, move.to), move);
  };
  return {
    async load() {
      const rows = await database().tables<TruthTables>().selectFrom("alias").selectAll().execute();
      for (const { channel_id, old_id, new_id, session_id } of rows) {
        remember({ channelId: channel_id, from: old_id, to: new_id, sessionId: session_id });
      }
    },
    resolve(message) {
      if (byOld.size === 0) return message;
      const key = keyOf(message.channelId, message.conversation.id);
      const move = byNew.get(key) ?? byOld.get(key);
      if (!move) return message;
      return { ...message, sessionId: move.sessionId, conversation: { ...message.conversation, id: move.to } };
    },
    async record(move) {
      const { channelId, from, to, sessionId } = move;
      if (from === to || byOld.has(keyOf(channelId, from))) return;
      // A conversation that moves a second time is still the session it was first.
      const first = byNew.get(keyOf(channelId, from))?.sessionId ?? sessionId;
      const open = await database().lookup<{ id: string; message: string }>(fixedStatement(OPEN, [channelId, from]));
      await database().write([
        { query: fixedStatement(INSERT, [channelId, from, to, first, clock.now()]) },
        ...open.map(({ id, message }) => ({ query: fixedStatement(TURN_TO, [to, inConversation(message, to), id]) })),
      ]);
      remember({ ...move, sessionId: first });
    },
  };
}

function inConversation(stored: string, id: string): string {
  const message = JSON.parse(stored) as OutboundMessage;
  return JSON.stringify({ ...message, conversation: { ...message.conversation, id } });
}
