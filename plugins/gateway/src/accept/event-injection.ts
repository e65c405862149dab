import { type Accepted, type Channels, type Gateway, type InboundMessage, notFound, toSharedError } from "@parley/core";
import { sessionIdOf } from "@parley/core/channels";
import { rejectConsoleChannel } from "../mcp-actions.ts";
import { gatewayTexts } from "../texts.ts";

export interface InjectedEvent {
  readonly channel_id: string;
  readonly raw_event: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly remote_addr: string;
}

/** Passes an event to its channel's adapter, as if the platform had sent it. */
export type InjectEvent = (event: InjectedEvent) => Promise<Readonly<Record<string, unknown>>>;

interface InjectionResult {
  accepted: Accepted | undefined;
  conversationId: string | null;
}

export function createEventInjector(
  gateway: Pick<Gateway, "accept">,
  channels: () => Channels | undefined,
): InjectEvent {
  return async ({ channel_id, raw_event, headers, remote_addr }) => {
    rejectConsoleChannel(channel_id);
    const channel = channels()?.get(channel_id);
    if (!channel) throw notFound("channel", channel_id);
    if (!channel.enabled) throw toSharedError("conflict", "named_channel_off", { id: channel_id });
    const result: InjectionResult = { accepted: undefined, conversationId: null };
    const accept = async (message: InboundMessage): Promise<Accepted> => {
      const sender = { ...message.sender, isProgram: true };
      const accepted = await gateway.accept({ ...message, source: "mcp", sender });
      result.accepted = accepted;
      result.conversationId = message.conversation.id;
      return accepted;
    };
    const link = channels()?.link(channel_id);
    if (link?.receive) {
      const body = Buffer.from(JSON.stringify(raw_event));
      await link.receive({ headers: toLowerCaseKeys(headers), body, address: remote_addr, isVerified: true, accept });
    } else await accept(toPlainMessage(channel_id, raw_event));
    return toToolResult(channel_id, result);
  };
}

/** Builds the tool result for an event that was ignored, recognized as a duplicate, or queued. */
function toToolResult(channelId: string, { accepted, conversationId }: InjectionResult) {
  const { traceId = null, itemId, duplicated = false, queued = false, queueSize } = accepted ?? {};
  return {
    ok: true,
    trace_id: traceId,
    channel_id: channelId,
    conversation_id: conversationId,
    status: duplicated ? "duplicated" : queued ? "queued" : "ignored",
    error: null,
    ignored: !duplicated && !queued,
    duplicated,
    queued,
    data: queued ? { item_id: itemId, queue_size: queueSize } : null,
  };
}

/** Builds the message of a channel without a webhook from the event's text, sender and conversation. */
function toPlainMessage(channelId: string, event: Readonly<Record<string, unknown>>): InboundMessage {
  const text = readText(event, "text");
  if (text === "") throw gatewayTexts.error("bad_request", "needed_text", {}, { field: "raw_event.text" });
  const conversationId = readText(event, "conversation_id") || readText(event, "sender_id");
  if (conversationId === "")
    throw gatewayTexts.error("bad_request", "needed", {}, { field: "raw_event.conversation_id" });
  const senderId = readText(event, "sender_id") || "mcp_user";
  const messageId = readText(event, "message_id");
  return {
    channelId,
    sessionId: sessionIdOf(channelId, conversationId),
    conversation: { id: conversationId, isGroup: event.is_group === true },
    kind: "message",
    sender: { id: senderId, name: readText(event, "sender_name") || senderId, isAdmin: false },
    text,
    attachments: [],
    addressed: true,
    source: "mcp",
    ...(messageId !== "" && { platformMessageId: messageId, dedupeKey: messageId }),
    raw: event,
  };
}

function readText(event: Readonly<Record<string, unknown>>, key: string): string {
  const value = event[key];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function toLowerCaseKeys(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
