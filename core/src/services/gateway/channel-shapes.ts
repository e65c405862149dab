import { answerFields, failureDetailShape, shape } from "../../http/response-schemas.ts";
import type { ChannelStatus } from "./channels.ts";

const { flag, texts, time, text, word, orNull, listOf } = answerFields;

/** Schema of a channel's status. */
export const channelStatusShape = shape<ChannelStatus>(
  {
    state: word("running", "stopped", "starting", "error", "disabled"),
    connected: flag,
    held_elsewhere: flag.optional(),
    last_error: orNull(text),
    last_error_detail: orNull(failureDetailShape),
    receives: flag.optional(),
    last_rejected_at: orNull(time).optional(),
    last_inbound_at: orNull(time),
    last_outbound_at: orNull(time),
    warnings: texts,
    warning_details: listOf(orNull(failureDetailShape)).optional(),
  },
  "ChannelStatus",
);
