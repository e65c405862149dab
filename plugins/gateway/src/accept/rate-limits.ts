import type { Clock, InboundMessage } from "@parley/core";
import { createSlidingWindow } from "@parley/core/limits";

const MINUTE_MS = 60_000;

/** Limits in messages per minute; 0 means no limit. */
export interface Limits {
  readonly user: number;
  readonly conversation: number;
  readonly channel: number;
}

/** Rate limits of inbound messages. */
export interface RateLimits {
  /** Returns the milliseconds until the channel may pass on a message; when 0, the message is counted. */
  channelWaitMs(message: InboundMessage): number;
  /** Returns the limit that an answerable message exceeds. Otherwise returns undefined and counts the message. */
  findExceeded(message: InboundMessage): "user" | "conversation" | undefined;
  /** Reverts the counts by user and conversation of a message that turned out to be a duplicate. */
  refund(message: InboundMessage): void;
  /** Returns true once a minute for each user who exceeds a limit and should be notified. */
  shouldNotify(message: InboundMessage): boolean;
  /** Adds messages that another node counted. */
  addRemote(key: string, times: number): void;
}

export interface RateLimitsDeps {
  readonly clock: Clock;
  readonly getLimits: (channelId: string) => Limits;
  /**
   * Shares counts of channels whose messages may reach any node. Other nodes receive them up to 200 ms later, so a
   * limit can be exceeded by the messages that each node receives within that time.
   */
  readonly broadcast?: ((channelId: string, key: string, by: 1 | -1) => void) | undefined;
}

export function createRateLimits({ clock, getLimits, broadcast = () => {} }: RateLimitsDeps): RateLimits {
  const window = createSlidingWindow(MINUTE_MS, () => clock.monotonic());
  const isWithin = (key: string, most: number) => most === 0 || window.waitMs(key, most) === 0;
  const count = (channelId: string, key: string) => {
    window.count(key);
    broadcast(channelId, key, 1);
  };
  const toKeys = ({ channelId, conversation, sender }: InboundMessage) => ({
    ofUser: `user ${channelId} ${sender.id}`,
    ofConversation: `conversation ${channelId} ${conversation.id}`,
  });
  return {
    channelWaitMs({ channelId }) {
      const { channel } = getLimits(channelId);
      const key = `channel ${channelId}`;
      const waitMs = channel === 0 ? 0 : window.waitMs(key, channel);
      if (waitMs === 0 && channel > 0) count(channelId, key);
      return waitMs;
    },
    findExceeded(message) {
      const { user, conversation } = getLimits(message.channelId);
      const { ofUser, ofConversation } = toKeys(message);
      if (!isWithin(ofUser, user)) return "user";
      if (!isWithin(ofConversation, conversation)) return "conversation";
      if (user > 0) count(message.channelId, ofUser);
      if (conversation > 0) count(message.channelId, ofConversation);
      return undefined;
    },
    refund(message) {
      const { ofUser, ofConversation } = toKeys(message);
      for (const key of [ofUser, ofConversation]) {
        window.uncount(key);
        broadcast(message.channelId, key, -1);
      }
    },
    shouldNotify({ channelId, sender }) {
      const key = `notice ${channelId} ${sender.id}`;
      if (!isWithin(key, 1)) return false;
      count(channelId, key);
      return true;
    },
    addRemote(key, times) {
      for (let time = 0; time < times; time += 1) window.count(key);
    },
  };
}
