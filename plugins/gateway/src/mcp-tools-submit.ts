import {
  type Accepted,
  type Channels,
  explained,
  type Gateway,
  type InboundMessage,
  notFound,
  sessionIdOf,
} from "@parley/core";
import { refuseConsole } from "./mcp-tools-direct.ts";
import { gatewayFailure } from "./said-failures.ts";

export interface SubmittedEvent {
  readonly channel_id: string;
  readonly raw_event: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly remote_addr: string;
}

/** Hands an event to its channel's adapter, as if the platform had sent it. */
export type Submit = (event: SubmittedEvent) => Promise<Readonly<Record<string, unknown>>>;

interface Noted {
  accepted: Accepted | undefined;
  conversationId: string | null;
}

export function createSubmit(gateway: Pick<Gateway, "accept">, channels: () => Channels | undefined): Submit {
  return async ({ channel_id, raw_event, headers, remote_addr }) => {
    refuseConsole(channel_id);
    const channel = channels()?.get(channel_id);
    if (!channel) throw notFound("channel", channel_id);
    if (!channel.enabled) throw explained("conflict", "named_channel_off", { id: channel_id });
    const noted: Noted = { accepted: undefined, conversationId: null };
    const accept = async (message: InboundMessage): Promise<Accepted> => {
      const sender = { ...message.sender, isProgram: true };
      const accepted = await gateway.accept({ ...message, source: "mcp", sender });
      noted.accepted = accepted;
      noted.conversationId = message.conversation.id;
      return accepted;
    };
    const link = channels()?.link(channel_id);
    if (link?.receive) {
      const body = Buffer.from(JSON.stringify(raw_event));
      await link.receive({ headers: lowerCase(headers), body, address: remote_addr, isVerified: true, accept });
    } else await accept(plainMessage(channel_id, raw_event));
    return resultOf(channel_id, noted);
  };
}

/** What the result object says when an event came to nothing, to a copy or to a turn. */
function resultOf(channelId: string, { accepted, conversationId }: Noted) {
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

/** For channels without a webhook: a text, who says it and where. */
function plainMessage(channelId: string, event: Readonly<Record<string, unknown>>): InboundMessage {
  const text = textOf(event, "text");
  if (text === "") throw gatewayFailure("bad_request", "needed_text", {}, { field: "raw_event.text" });
  const conversationId = textOf(event, "conversation_id") || textOf(event, "sender_id");
  if (conversationId === "") throw gatewayFailure("bad_request", "needed", {}, { field: "raw_event.conversation_id" });
  const senderId = textOf(event, "sender_id") || "mcp_user";
  const messageId = textOf(event, "message_id");
  return {
    channelId,
    sessionId: sessionIdOf(channelId, conversationId),
    conversation: { id: conversationId, isGroup: event.is_group === true },
    kind: "message",
    sender: { id: senderId, name: textOf(event, "sender_name") || senderId, isAdmin: false },
    text,
    attachments: [],
    addressed: true,
    source: "mcp",
    ...(messageId !== "" && { platformMessageId: messageId, dedupeKey: messageId }),
    raw: event,
  };
}

function textOf(event: Readonly<Record<string, unknown>>, key: string): string {
  const value = event[key];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function lowerCase(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
