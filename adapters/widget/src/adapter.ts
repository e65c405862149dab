import {
  type ChannelAdapter,
  type ChannelConfig,
  type ChannelIo,
  type ChannelLink,
  type Clock,
  deliveryFailure,
  isStoredUrl,
} from "@parley/core";
import { widgetGuide } from "./guide.ts";
import { type WidgetSettings, widgetSettings } from "./settings.ts";
import { createRoom, type Rooms } from "./sockets/room.ts";
import { isVisitorId } from "./visitors.ts";

export interface WidgetDeps {
  readonly rooms: Rooms;
  readonly clock: Pick<Clock, "now">;
}

/** Creates the adapter of chats on websites. A page that is away misses nothing: it gets the history when it reconnects. */
export function createWidgetAdapter(deps: WidgetDeps): ChannelAdapter {
  return {
    type: "widget",
    title: { en: "Website chat", zh: "网站聊天" },
    transports: ["websocket"],
    capabilities: { supports_stream: true, supports_file_send: true },
    features: ["files_in", "files_out", "formatting", "streaming", "typing", "buttons", "lists", "cards"],
    guide: widgetGuide,
    settings: widgetSettings,
    unusedSettings: [
      "group_trigger",
      "group_probability",
      "group_cooldown_s",
      "group_hourly_limit",
      "wake_words",
      "on_unknown",
    ],
    // A page shows a message once per id.
    idempotency: "natural",
    open: (channel, io, signal) => open(deps, channel, io, signal),
  };
}

async function open(
  { rooms, clock }: WidgetDeps,
  channel: ChannelConfig,
  io: ChannelIo,
  signal: AbortSignal,
): Promise<ChannelLink> {
  signal.throwIfAborted();
  const room = createRoom({
    channel,
    settings: channel.config as unknown as WidgetSettings,
    io,
    now: () => clock.now(),
  });
  let isClosed = false;
  rooms.set(channel.id, room);
  io.report({ connected: true });
  return {
    elements: ["buttons", "select", "card"],
    showsSticker: ({ url }) => url.startsWith("https://") || isStoredUrl(url),
    async send(message, sending) {
      sending.throwIfAborted();
      if (isClosed) throw deliveryFailure("not_sent", "channel_closed", {});
      if (!isVisitorId(message.conversation.id)) throw deliveryFailure("permanent", "no_chat", {});
      return room.deliver(message);
    },
    draft: ({ id }, _replyTo, shown) => room.openDraft(id, shown),
    async typing(visitorId) {
      room.broadcast(visitorId, { type: "typing" });
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      if (rooms.get(channel.id) === room) rooms.delete(channel.id);
      room.close();
    },
  };
}
