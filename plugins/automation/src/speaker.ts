import {
  AppError,
  assertMaySpeak,
  type ChannelAdapter,
  type Channels,
  derivedId,
  type Gateway,
  isGroupId,
  isGroupSession,
  type MessageFilter,
  notFound,
  type OfferedElements,
  type Sessions,
  type SpeakOrder,
} from "@parley/core";
import { canonicalSessionId } from "@parley/core/channels";
import { automationTexts } from "./texts.ts";

export const TARGET_TYPES = ["none", "session", "imA_group", "imA_private"] as const;
export type TargetType = (typeof TARGET_TYPES)[number];

export interface Target {
  readonly target_type?: TargetType | undefined;
  readonly target_id?: string | undefined;
}

/** A message that the service itself sends, with its deduplication key. */
export interface OutgoingText {
  /** Deduplication key: of equal keys only the first message is stored. */
  readonly key: string;
  readonly text: string;
  readonly source: "workflow" | "task_center" | "heartbeat";
  /** Elements below the text; only for people on a platform. */
  readonly offered?: OfferedElements;
}

/** Sends messages of runs to conversations. */
export interface Speaker {
  /** Stores a message in the conversation and queues its delivery on a platform; returns the message's id. */
  say(sessionId: string, text: OutgoingText, order: SpeakOrder): Promise<string>;
  /** Rejects with `bad_request` for an unreachable conversation, `permission_denied` if `order` may not reach it. */
  check(sessionId: string, field: string, order: SpeakOrder): Promise<void>;
}

export interface SpeakerDeps {
  readonly sessions: () => Sessions;
  readonly gateway: () => Gateway;
  readonly channels: () => Channels | undefined;
  readonly adapters: () => readonly ChannelAdapter[];
  readonly filter: () => MessageFilter | undefined;
}

/** Returns the session of a target; undefined for no target. Throws `bad_request` for a type without an id. */
export function toTargetSession({ target_type = "none", target_id = "" }: Target): string | undefined {
  if (target_type === "none") return undefined;
  if (target_id === "")
    throw automationTexts.error("bad_request", "no_target_id", { type: target_type }, { field: "target_id" });
  if (target_type === "session") return canonicalSessionId(target_id);
  return `imA:${target_type === "imA_group" ? "group" : "private"}:${target_id}`;
}

export function createSpeaker({ sessions, gateway, channels, adapters, filter }: SpeakerDeps): Speaker {
  /** Finds the channel of a conversation; without messages, by its id up to the first colon. */
  const findDestination = async (sessionId: string) => {
    const session = await sessions().find(sessionId);
    if (session) {
      const { id, channel_id: channelId, conversation_id } = session;
      return { id, channelId, conversation: conversation_id, isGroup: isGroupSession(session), session };
    }
    const [channelId = "", ...rest] = sessionId.split(":");
    const channel = channels()?.get(channelId);
    if (rest.length === 0 || !channel) throw notFound("session", sessionId);
    const conversation = rest.join(":");
    return {
      id: sessionId,
      channelId,
      conversation,
      isGroup: isGroupId(adapters(), channel.type, conversation),
      session,
    };
  };
  return {
    async say(sessionId, { key, text, source, offered }, order) {
      const { id, channelId, conversation, isGroup, session } = await findDestination(sessionId);
      const isOnPlatform = channelId !== "web" && conversation !== null;
      if (isOnPlatform) {
        assertMaySpeak({ channelId }, order);
        if (!channels()?.get(channelId)?.enabled)
          throw automationTexts.error("conflict", "channel_off", { id: channelId });
        if (!channels()?.link(channelId)) throw automationTexts.error("unavailable", "channel_away", { id: channelId });
      }
      if (offered && !isOnPlatform) throw automationTexts.error("bad_request", "choice_needs_channel");
      const stored = session
        ? await sessions().record(id, {
            role: "assistant",
            content: text,
            attachments: [],
            sender: session.sender_name,
            senderId: null,
            source,
            platformMessageId: key,
          })
        : undefined;
      const filterResult =
        stored ?? (await filter()?.apply({ text, target: "ai", sessionId: id, channelId, hasAttachments: false }));
      if (filterResult?.blocked) throw automationTexts.error("conflict", "withheld");
      const visibleText =
        stored?.message?.content ?? (filterResult && "text" in filterResult ? filterResult.text : text);
      if (isOnPlatform) {
        const message = {
          channelId,
          sessionId: id,
          conversation: { id: conversation, isGroup },
          text: visibleText,
          attachments: [],
          order,
          ...offered,
        };
        await gateway().deliver(message);
      }
      return stored?.message?.id ?? derivedId("msg", key);
    },
    async check(sessionId, field, order) {
      try {
        assertMaySpeak(await findDestination(sessionId), order);
      } catch (error) {
        if (AppError.is(error) && error.code === "not_found") {
          throw automationTexts.error("bad_request", "no_conversation", { id: sessionId }, { field });
        }
        throw error;
      }
    },
  };
}
