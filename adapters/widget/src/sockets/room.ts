import type { ChannelConfig, ChannelIo, OutboundMessage, Receipt, ReplyDraft } from "@parley/core";
import { toFileView } from "../history.ts";
import type { WidgetSettings } from "../settings.ts";
import { CLOSE_CODES, type Connection } from "./connection.ts";
import type { ServerFrame } from "./protocol.ts";
import { createReplyDraft } from "./reply-draft.ts";

/** The open sockets of one channel, and its answers on their way. */
export interface Room {
  readonly channel: ChannelConfig;
  readonly settings: WidgetSettings;
  readonly io: ChannelIo;
  /** Connections of all pages, also those without a visitor so far. */
  readonly connections: Set<Connection>;
  list(visitorId: string): readonly Connection[];
  /** Sends a frame to every page of a visitor. */
  broadcast(
    visitorId: string,
    frame: ServerFrame,
    options?: { readonly except?: Connection; readonly traceId?: string },
  ): void;
  /** Shows an answer on the visitor's pages; without any it is in the history when they return. */
  deliver(message: OutboundMessage): Receipt;
  openDraft(visitorId: string, onShown: (draftId: string) => void): ReplyDraft;
  /** Returns the unfinished answers of a visitor as far as they were shown. */
  listDrafts(visitorId: string): readonly ServerFrame[];
  /** Closes all connections; pages reconnect. */
  close(): void;
}

/** Rooms of the channels that are connected in this process, by channel id. */
export type Rooms = Map<string, Room>;

export interface RoomOptions {
  readonly channel: ChannelConfig;
  readonly settings: WidgetSettings;
  readonly io: ChannelIo;
  /** Returns the current time in milliseconds. */
  readonly now: () => number;
}

export function createRoom({ channel, settings, io, now }: RoomOptions): Room {
  const connections = new Set<Connection>();
  const drafts = new Map<string, { readonly visitorId: string; readonly text: () => string }>();
  const list = (visitorId: string) => [...connections].filter((one) => one.visitorId === visitorId);
  const room: Room = {
    channel,
    settings,
    io,
    connections,
    list,
    broadcast(visitorId, frame, { except, traceId } = {}) {
      for (const one of list(visitorId)) if (one !== except) one.send(frame, traceId);
    },
    deliver(message) {
      const { deliveryId, conversation, traceId } = message;
      room.broadcast(conversation.id, toMessageFrame(message, io, now()), { traceId });
      const isSeen = list(conversation.id).some((one) => one.isOpen());
      return { platformMessageId: deliveryId, quality: isSeen ? "confirmed" : "accepted" };
    },
    openDraft(visitorId, onShown) {
      return createReplyDraft({
        send: (frame) => room.broadcast(visitorId, frame),
        onShown(id, text) {
          drafts.set(id, { visitorId, text });
          onShown(id);
        },
        onEnd: (id) => void drafts.delete(id),
      });
    },
    listDrafts: (visitorId) =>
      [...drafts]
        .filter(([, draft]) => draft.visitorId === visitorId)
        .map(([id, { text }]) => ({ type: "delta", id, from: 0, text: text() })),
    close() {
      for (const connection of connections) connection.close(CLOSE_CODES.goingAway, "the channel restarts");
      connections.clear();
    },
  };
  return room;
}

function toMessageFrame(message: OutboundMessage, io: Pick<ChannelIo, "files">, nowMs: number): ServerFrame {
  const { deliveryId, text, attachments, elements = [], completes } = message;
  return {
    type: "message",
    id: deliveryId,
    role: "assistant",
    text,
    files: attachments.flatMap((one) => toFileView(one, io.files)),
    ...(elements.length > 0 && { elements }),
    time: new Date(nowMs).toISOString(),
    ...(completes !== undefined && { completes }),
  };
}
