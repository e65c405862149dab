import { type Clock, createSlidingWindow, type InboundMessage } from "@parley/core";

const MINUTE_MS = 60_000;

/** Messages a minute; 0: no limit. */
export interface Limits {
  readonly user: number;
  readonly conversation: number;
  readonly channel: number;
}

/** Counts what comes in on channels. */
export interface RateLimits {
  /** Milliseconds until the channel may hand over one more; 0: now. Counts it then. */
  channelWaitMs(message: InboundMessage): number;
  /** Which limit an answerable message is over; it is counted when it is over none. */
  over(message: InboundMessage): "user" | "conversation" | undefined;
  /** It was a copy of an earlier message, and is not counted after all. */
  takeBack(message: InboundMessage): void;
  /** True once a minute for each user: a notice is due. */
  mayTell(message: InboundMessage): boolean;
}

export function createRateLimits(clock: Clock, limitsOf: (channelId: string) => Limits): RateLimits {
  const window = createSlidingWindow(MINUTE_MS, () => clock.monotonic());
  const within = (key: string, most: number) => most === 0 || window.waitMs(key, most) === 0;
  const keysOf = ({ channelId, conversation, sender }: InboundMessage) => ({
    ofUser: `user ${channelId} ${sender.id}`,
    ofConversation: `conversation ${channelId} ${conversation.id}`,
  });
  return {
    channelWaitMs({ channelId }) {
      const { channel } = limitsOf(channelId);
      const key = `channel ${channelId}`;
      const waitMs = channel === 0 ? 0 : window.waitMs(key, channel);
      if (waitMs === 0 && channel > 0) window.count(key);
      return waitMs;
    },
    over(message) {
      const { user, conversation: most } = limitsOf(message.channelId);
      const { ofUser, ofConversation } = keysOf(message);
      if (!within(ofUser, user)) return "user";
      if (!within(ofConversation, most)) return "conversation";
      if (user > 0) window.count(ofUser);
      if (most > 0) window.count(ofConversation);
      return undefined;
    },
    takeBack(message) {
      const { ofUser, ofConversation } = keysOf(message);
      window.uncount(ofUser);
      window.uncount(ofConversation);
    },
    mayTell({ channelId, sender }) {
      const key = `notice ${channelId} ${sender.id}`;
      if (!within(key, 1)) return false;
      window.count(key);
      return true;
    },
  };
}
