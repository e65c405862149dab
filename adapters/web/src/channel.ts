import Joi from "@hapi/joi";
import { type ChannelAdapter, type CommonSetting, deliveryFailure } from "@parley/core";

/**
 * Settings hidden for the console: its users are signed in, so access, limits and language are not the channel's. It
 * sends to no platform, so no outcome is ever unknown, and shows answers while they are written.
 */
const HIDDEN_FIELDS: readonly CommonSetting[] = [
  "group_trigger",
  "group_probability",
  "group_cooldown_s",
  "group_hourly_limit",
  "reply_style",
  "wake_words",
  "language",
  "allow",
  "deny",
  "rate_limits",
  "on_unknown",
];

/** The console as a channel: replies are read from the history and the live events, so sending is already done. */
export function createWebChannel(): ChannelAdapter {
  return {
    type: "web",
    title: { en: "Web console", zh: "网页控制台" },
    transports: ["websocket"],
    capabilities: {
      supports_stream: true,
      supports_progress_updates: true,
      supports_file_send: true,
      supports_stop: true,
      supports_tools: true,
    },
    features: [
      "files_in",
      "files_out",
      "voice",
      "formatting",
      "streaming",
      "typing",
      "buttons",
      "lists",
      "cards",
      "edits",
      "deletions",
      "recall",
    ],
    settings: Joi.object({}),
    unusedSettings: HIDDEN_FIELDS,
    idempotency: "natural",
    async open() {
      let isOpen = true;
      return {
        async send({ deliveryId }) {
          if (!isOpen) throw deliveryFailure("not_sent", "channel_closed", {});
          return { platformMessageId: deliveryId, quality: "confirmed" };
        },
        async [Symbol.asyncDispose]() {
          isOpen = false;
        },
      };
    },
  };
}
