import type { Session } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { channels } from "../../../shared/api/channels.ts";

/** Colour of messages to people on a channel; white text on it is readable. */
export const OUTSIDE_COLOR = "#a83c09";

/** The channel and chat of a conversation outside the console. */
export interface ChannelTarget {
  /** Channel id. */
  readonly id: string;
  readonly channel: string;
  /** Channel type. */
  readonly platform: string;
  /** Name of the person or group. */
  readonly name: string;
  readonly isGroup: boolean;
  /** Chat id on the platform. */
  readonly chatId: string;
}

type TargetSource = Pick<Session, "name" | "type" | "channel_id" | "conversation_id" | "user_id">;

/** Returns the channel target of a conversation; undefined for a console conversation. */
export function useChannelTarget(session: TargetSource | undefined): ChannelTarget | undefined {
  const isExternal = session !== undefined && session.channel_id !== "web";
  const list = useQuery({ queryKey: ["channel"], queryFn: channels.list, enabled: isExternal });
  if (!isExternal) return undefined;
  const { name, type, channel_id: id, conversation_id, user_id } = session;
  const channel = list.data?.items.find((one) => one.id === id);
  const isGroup = type.endsWith("_group") || (type === "channel" && user_id === null);
  return {
    id,
    channel: channel?.name ?? id,
    platform: channel?.type ?? id,
    name,
    isGroup,
    chatId: conversation_id ?? "",
  };
}
