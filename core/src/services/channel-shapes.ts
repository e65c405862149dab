import { answered, shape } from "../http/answers.ts";
import type { ChannelStatus } from "./channels.ts";

const { flag, texts, time, text, word, orNull } = answered;

/** How a channel is, as answers show it. */
export const channelStatusShape = shape<ChannelStatus>(
  {
    state: word("running", "stopped", "starting", "error", "disabled"),
    connected: flag,
    last_error: orNull(text),
    last_inbound_at: orNull(time),
    last_outbound_at: orNull(time),
    warnings: texts,
  },
  "ChannelStatus",
);
