import type { GatewayEvent } from "../../shared/api/gateway.ts";
import { toJsonObject } from "../../shared/json-object.ts";
import type { Frame } from "../../shared/live/conversation.ts";

const LEVELS: readonly GatewayEvent["level"][] = ["debug", "info", "warning", "error"];
/** Maximum rows of the list. */
export const MAX_ROWS = 200;

/** Returns the gateway event of a frame; undefined for any other frame. */
export function toGatewayEvent(frame: Frame): GatewayEvent | undefined {
  const { source, id, trace_id, status, level, channel_id, conversation_id, created_at } = frame;
  if (source !== "gateway" || typeof id !== "string" || typeof trace_id !== "string") return undefined;
  const metadata = toJsonObject(frame.metadata);
  return {
    id,
    trace_id,
    status: String(status),
    level: LEVELS.find((one) => one === level) ?? "info",
    channel_id: toTextOrNull(channel_id),
    conversation_id: toTextOrNull(conversation_id),
    error: toTextOrNull(frame.error_message) ?? toTextOrNull(frame.error),
    metadata: { ...(typeof frame.message === "string" && { message: frame.message }), ...metadata },
    created_at: String(created_at),
  };
}

/** Queries that together find all problems; `no_sender` is one of them although its level is `info`. */
export const PROBLEM_QUERIES = [{ level: "error" }, { level: "warning" }, { status: "no_sender" }] as const;

export function isProblem({ level, status }: Pick<GatewayEvent, "level" | "status">): boolean {
  return PROBLEM_QUERIES.some((one) => ("level" in one ? one.level === level : one.status === status));
}

/** Returns the live and stored events that match, each once, newest first, at most `MAX_ROWS`. */
export function mergeEvents(
  live: readonly GatewayEvent[],
  stored: readonly GatewayEvent[],
  matches: (event: GatewayEvent) => boolean,
): readonly GatewayEvent[] {
  const liveIds = new Set(live.map(({ id }) => id));
  return [...live, ...stored.filter(({ id }) => !liveIds.has(id))]
    .filter(matches)
    .toSorted((one, other) => other.created_at.localeCompare(one.created_at))
    .slice(0, MAX_ROWS);
}

function toTextOrNull(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
