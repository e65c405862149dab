import { type ConversationMove, fixedStatement, type OutboundMessage, type Write } from "@parley/core";
import { createStatement, getTables, type StoreDeps } from "./statement.ts";

/** Stores conversations whose platform id has changed. */
export interface AliasStore {
  list(): Promise<readonly ConversationMove[]>;
  /** Stores the new id and readdresses unsent deliveries to it, in one transaction with `also`. */
  add(move: ConversationMove, also?: readonly Write[]): Promise<void>;
}

const INSERT = `insert into alias (channel_id, old_id, new_id, session_id, created_ms) values (?, ?, ?, ?, ?)
  on conflict (channel_id, old_id) do nothing`;
const OPEN = `select id, message from outbox
  where channel_id = ? and conversation_id = ? and state in ('pending', 'failed')`;
const REDIRECT = `update outbox set conversation_id = ?, message = ? where id = ? and state in ('pending', 'failed')`;

export function createAliasStore({ main, clock }: StoreDeps): AliasStore {
  return {
    async list() {
      const rows = await getTables(main).selectFrom("alias").selectAll().execute();
      return rows.map((row) => ({
        channelId: row.channel_id,
        from: row.old_id,
        to: row.new_id,
        sessionId: row.session_id,
      }));
    },
    async add({ channelId, from, to, sessionId }, also = []) {
      const open = await main().lookup<{ id: string; message: string }>(fixedStatement(OPEN, [channelId, from]));
      await main().write([
        createStatement(INSERT, [channelId, from, to, sessionId, clock.now()]),
        ...open.map(({ id, message }) => createStatement(REDIRECT, [to, setConversationId(message, to), id])),
        ...also,
      ]);
    },
  };
}

function setConversationId(stored: string, id: string): string {
  const message = JSON.parse(stored) as OutboundMessage;
  return JSON.stringify({ ...message, conversation: { ...message.conversation, id } });
}
