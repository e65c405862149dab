import {
  BY_SERVICE,
  type ChannelAdapter,
  type Channels,
  type Clock,
  type Gateway,
  isGroupId,
  isGroupSession,
  type MessageFilter,
  notFound,
  type Sessions,
  type TaskOrder,
  toSharedError,
} from "@parley/core";
import { sessionIdOf } from "@parley/core/channels";
import type { Reports } from "./observe/reports.ts";
import { gatewayTexts } from "./texts.ts";

export interface SendTextArguments {
  readonly channel_id: string;
  readonly conversation_id: string;
  readonly content: string;
}

export interface StartTaskArguments {
  readonly task_kind: TaskOrder["kind"];
  readonly task_id: string;
  readonly trigger_source: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface SendTextDeps {
  readonly gateway: Gateway;
  readonly channels: () => Channels | undefined;
  readonly adapters: () => readonly ChannelAdapter[];
  readonly filter: () => MessageFilter | undefined;
  readonly sessions: Pick<Sessions, "find">;
}

/** Sends a text without a turn. The filter rules for AI replies apply to it. */
export async function sendText(
  { gateway, channels, adapters, filter, sessions }: SendTextDeps,
  message: SendTextArguments,
) {
  const { channel_id: id, conversation_id, content } = message;
  rejectConsoleChannel(id);
  const channel = channels()?.get(id);
  if (!channel) throw notFound("channel", id);
  if (!channel.enabled) throw toSharedError("conflict", "named_channel_off", { id });
  if (!channels()?.link(id)) throw toSharedError("unavailable", "named_channel_not_connected", { id });
  const sessionId = sessionIdOf(id, conversation_id);
  const screened = await filter()?.apply({
    text: content,
    target: "ai",
    sessionId,
    channelId: id,
    hasAttachments: false,
  });
  if (screened?.blocked) throw gatewayTexts.error("conflict", "withheld", { rules: screened.rules.join(", ") });
  const session = await sessions.find(sessionId);
  const isGroup = session ? isGroupSession(session) : isGroupId(adapters(), channel.type, conversation_id);
  const { traceId, deliveryIds } = await gateway.deliver({
    channelId: id,
    sessionId,
    conversation: { id: conversation_id, isGroup },
    text: screened?.text ?? content,
    attachments: [],
    // The tool guard has already checked the permissions and the confirmation of this tool.
    order: BY_SERVICE,
  });
  const [delivery_id = null] = deliveryIds;
  return { trace_id: traceId, delivery_id, status: "pending" };
}

/** Throws `bad_request` for the console, which reads stored messages and has endpoints for sending. */
export function rejectConsoleChannel(channelId: string): void {
  if (channelId === "web") throw gatewayTexts.error("bad_request", "console_channel", {}, { field: "channel_id" });
}

/** Starts a recorded task. */
export async function startTask(
  gateway: Gateway,
  { task_kind: kind, task_id: taskId, trigger_source, metadata }: StartTaskArguments,
) {
  const { traceId, runId } = await gateway.submit({ kind, taskId, trigger: trigger_source, metadata });
  return { trace_id: traceId, run_id: runId, status: "queued" };
}

export interface StatusDeps {
  readonly reports: Reports;
  readonly channels: () => Channels | undefined;
  readonly clock: Clock;
  readonly isHistoryEnabled: boolean;
  readonly worker: () => string;
  readonly startedMs: number;
}

/** Collects the status of the gateway in the format of the tool `gateway_get_status`. */
export async function getStatus({ reports, channels, clock, isHistoryEnabled, worker, startedMs }: StatusDeps) {
  const { status_breakdown: queue } = await reports.queue();
  const list = channels()?.list() ?? [];
  return {
    mode: "embedded",
    storage: "sqlite",
    log_service: { enabled: isHistoryEnabled },
    worker_running: worker() === "running",
    uptime_s: Math.floor((clock.now() - startedMs) / 1000),
    channels: list.map(({ id, type, enabled }) => ({ id, type, enabled, state: channels()?.status(id).state })),
    queue: { pending: queue.pending, processing: queue.processing, dead: queue.dead },
  };
}
