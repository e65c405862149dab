import { type Attachment, fixedStatement, type InboundMessage, type OutboundMessage, type Write } from "@parley/core";
import { createStatement, type StoreDeps } from "./statement.ts";
import type { OutboxTable } from "./tables.ts";

/** A later part of an answer that is not sent, because the person wrote again. */
export interface StoppedPart {
  readonly id: string;
  readonly traceId: string;
  readonly channelId: string;
  readonly conversationId: string;
  /** Id of the stored answer, and the offset in its text at which the part begins. */
  readonly answerId: string;
  readonly from: number;
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** Stops the parts of answers that are not sent yet. */
export interface StoppedPartStore {
  /** Stops what is not sent yet of the answers of a session, with `traceId` only of that turn's. */
  stopParts(sessionId: string, traceId: string | undefined): Promise<void>;
  /** Returns the stopped parts of a session that its stored answers still contain, in order. */
  listStopped(sessionId: string): Promise<readonly StoppedPart[]>;
  /** Returns the writes after which the parts are no longer listed. */
  createSettled(ids: readonly string[]): readonly Write[];
}

// The condition of the index `outbox_later_parts`.
const LATER_PARTS = "stopped_by is not null and state in ('pending', 'cancelled')";
// A part that was tried may have arrived. The message is missing when it is a duplicate.
const STOP = `update outbox set state = 'cancelled', updated_ms = ? where session_id = ? and ${LATER_PARTS}
  and state = 'pending' and attempts = 0 and stopped_by in ('', ?) and exists (select 1 from inbox where id = ?)`;
const STOP_ALL = `update outbox set state = 'cancelled', updated_ms = ? where session_id = ? and ${LATER_PARTS}
  and state = 'pending' and attempts = 0`;
const SELECT_STOPPED = `select * from outbox where session_id = ? and ${LATER_PARTS} and state = 'cancelled'
  order by position`;
const SETTLE = "update outbox set stopped_by = null where id = ? and state = 'cancelled'";

/** Creates the write, for the transaction that stores a person's message, that stops the answers to that person. */
export function createStop(itemId: string, message: InboundMessage, now: number): readonly Write[] {
  const { kind, addressed, source, channelId, isHidden, isOperatorOnly, sessionId, sender } = message;
  const isFromPerson = source === channelId && !isHidden && !isOperatorOnly;
  if (kind !== "message" || !addressed || !isFromPerson) return [];
  return [createStatement(STOP, [now, sessionId, sender.id, itemId])];
}

export function createStoppedPartStore({ main, clock }: Pick<StoreDeps, "main" | "clock">): StoppedPartStore {
  return {
    async stopParts(sessionId, traceId) {
      const stop = traceId === undefined ? STOP_ALL : `${STOP_ALL} and trace_id = ?`;
      await main().write([
        createStatement(stop, [clock.now(), sessionId, ...(traceId === undefined ? [] : [traceId])]),
      ]);
    },
    listStopped: async (sessionId) =>
      (await main().lookup<OutboxTable>(fixedStatement(SELECT_STOPPED, [sessionId]))).map(toStoppedPart),
    createSettled: (ids) => ids.map((id) => createStatement(SETTLE, [id])),
  };
}

function toStoppedPart(row: OutboxTable): StoppedPart {
  const { text, attachments } = JSON.parse(row.message) as OutboundMessage;
  return {
    id: row.id,
    traceId: row.trace_id,
    channelId: row.channel_id,
    conversationId: row.conversation_id,
    answerId: row.answer_id ?? "",
    from: row.answer_from ?? 0,
    text,
    attachments,
  };
}
