import { AppError, BY_SERVICE, type ToldFailure, toldFailure } from "@parley/core";
import type { Adding } from "../adding.ts";
import type { SessionParts } from "../parts.ts";
import { markNotSent, placeOf, queuing } from "../said-as-bot.ts";
import { sessionFailure } from "../said-failures.ts";
import { idOfTemp } from "../said-once.ts";
import { isDenied } from "./audience.ts";
import type { Recipient } from "./schema.ts";
import type { BroadcastStore, StoredBroadcast } from "./store.ts";

export interface SendingParts {
  readonly parts: SessionParts;
  readonly adding: Adding;
  readonly store: BroadcastStore;
}

/** Thrown out of the write when no more is to be sent. */
const HALTED = new Error("the broadcast was stopped");

/** What another try cannot mend; all else fails the job, which runs again. */
const FINAL = new Set(["not_found", "bad_request", "conflict", "too_large", "permission_denied"]);

/**
 * Says it to one of them: the message, what is to be sent and that it was are one write, which is left out when the
 * broadcast was stopped, or this was done, before. False: no more is sent.
 */
export async function sendTo(sending: SendingParts, broadcast: StoredBroadcast, to: Recipient): Promise<boolean> {
  const { parts, store } = sending;
  const failed = async (error: ToldFailure) => {
    await parts.database().write([store.ending(broadcast.id, to, "failed", error)]);
    return true;
  };
  try {
    const rules = await said(sending, broadcast, to);
    return rules
      ? await failed(toldFailure(sessionFailure("conflict", "withheld", { rules: rules.join(", ") })))
      : true;
  } catch (error) {
    if (error === HALTED) return false;
    if (!AppError.is(error) || !(FINAL.has(error.code) || isUnconnected(error))) throw error;
    return failed(toldFailure(error));
  }
}

const isUnconnected = ({ detail }: AppError) => detail?.key === "named_channel_not_connected";

/** The rules that withhold it; undefined: it is on its way. */
async function said({ parts, adding, store }: SendingParts, broadcast: StoredBroadcast, to: Recipient) {
  const session = await parts.sessions.get(to.session_id);
  const place = placeOf(parts, session);
  if (isDenied(session, parts.channels())) throw sessionFailure("conflict", "denied");
  const writes = async () => {
    const { state, run } = await store.get(broadcast.id);
    if (state !== "running" || run !== broadcast.run) throw HALTED;
    return store.sending(broadcast, to);
  };
  const draft = {
    content: broadcast.text,
    role: "assistant",
    sender: broadcast.created_by,
    attachments: [],
    hidden: false,
    deliver: true,
    metadata: { sent_by_operator: true, broadcast_id: broadcast.id },
    temp_id: broadcast.id,
  } as const;
  const queued = queuing(parts, session, place, () => undefined, { traceId: to.trace_id, writes, order: BY_SERVICE });
  const { stored, isNew } = await adding(session.id, draft, queued);
  // It was said before, and what became of that is asked for.
  if (!isNew) await parts.database().write([store.ending(broadcast.id, to, "sent", null)]);
  return stored.blocked ? stored.rule_ids : undefined;
}

/** Finds out what became of it; true once that is known. */
export async function settle(
  { parts, store }: SendingParts,
  broadcast: Pick<StoredBroadcast, "id">,
  to: Recipient,
  signal: AbortSignal,
): Promise<boolean> {
  const end = await parts
    .gateway()
    .sendingEnd(to.trace_id, signal)
    .catch((error) => {
      if (!AppError.is(error) || error.code !== "not_found") throw error;
      return { status: "dead" as const, error: null };
    });
  if (end.status === "pending") return false;
  if (end.status === "delivered") {
    await parts.database().write([store.ending(broadcast.id, to, "delivered", null)]);
    return true;
  }
  const error = end.error ?? toldFailure(sessionFailure("upstream_failed", "unknown_end"));
  const [message] = await parts.messages.byIds([idOfTemp(to.session_id, broadcast.id)]);
  if (message && !message.error) await markNotSent(parts, message, error);
  await parts.database().write([store.ending(broadcast.id, to, "failed", error)]);
  return true;
}
