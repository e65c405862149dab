import { AppError, type Clock, type Database, notFound } from "@parley/core";
import type { RunningGateway } from "./gateway.ts";
import type { GatewayTables } from "./tables.ts";

const TTL_MS = 10 * 60_000;
/** It may have arrived: to send it again takes a person's word. */
const UNCERTAIN = "outcome_unknown";

/** What was given up, and how it is taken up again (gateway-delivery §6). */
export interface DeadLetters {
  /** Back to `pending`, once: what is not dead is a `conflict`. */
  retry(itemId: string, isConfirmed: boolean): Promise<{ readonly item_id: string; readonly status: "pending" }>;
}

export interface DeadLettersParts {
  readonly database: () => Database;
  readonly gateway: () => Pick<RunningGateway, "resend" | "rerun">;
  readonly clock: Clock;
}

export function createDeadLetters({ database, gateway, clock }: DeadLettersParts): DeadLetters {
  const tables = () => database().tables<GatewayTables>();
  const notDead = (id: string, state: string) => new AppError("conflict", `'${id}' is ${state}, not dead`);

  const resend = async (id: string, isConfirmed: boolean): Promise<boolean> => {
    const row = await tables().selectFrom("outbox").selectAll().where("id", "=", id).executeTakeFirst();
    if (!row) return false;
    if (row.state !== "dead") throw notDead(id, row.state);
    if (row.cause === UNCERTAIN && !isConfirmed) {
      throw new AppError("confirmation_required", "it may have arrived already: confirm: true sends it again");
    }
    const now = clock.now();
    const change = { state: "pending", cause: null, attempts: 0, throttles: 0, next_ms: now } as const;
    const query = tables()
      .updateTable("outbox")
      .set({ ...change, expires_ms: now + TTL_MS, updated_ms: now })
      .where("id", "=", id)
      .where("state", "=", "dead");
    await database().write([{ query, expect: 1 }]);
    gateway().resend({
      id,
      channelId: row.channel_id,
      conversationId: row.conversation_id,
      message: JSON.parse(row.message),
      state: "pending",
      attempts: 0,
      throttles: 0,
      nextMs: now,
      expiresMs: now + TTL_MS,
    });
    return true;
  };
  const rerun = async (id: string): Promise<boolean> => {
    const row = await tables().selectFrom("inbox").selectAll().where("id", "=", id).executeTakeFirst();
    if (!row) return false;
    if (row.state !== "dead") throw notDead(id, row.state);
    const now = clock.now();
    const item = tables()
      .updateTable("inbox")
      .set({ state: "waiting", cause: null, runs: 0, lease_owner: null, received_ms: now, updated_ms: now })
      .where("id", "=", id)
      .where("state", "=", "dead");
    const turn = tables().deleteFrom("turn").where("trace_id", "=", row.trace_id);
    await database().write([{ query: item, expect: 1 }, { query: turn }]);
    gateway().rerun({
      id,
      traceId: row.trace_id,
      channelId: row.channel_id,
      sessionId: row.session_id,
      receivedMs: now,
      isFirst: false,
    });
    return true;
  };
  return {
    async retry(itemId, isConfirmed) {
      const isFound = (await resend(itemId, isConfirmed)) || (await rerun(itemId));
      if (!isFound) throw notFound("dead letter", itemId);
      return { item_id: itemId, status: "pending" };
    },
  };
}
