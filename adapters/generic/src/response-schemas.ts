import { answerFields, shape } from "@parley/core/http";

const { id, text, flag, count, record, word, orNull, either } = answerFields;

/** The outcome of a posted message. */
const result = shape(
  {
    ok: flag,
    trace_id: orNull(id),
    channel_id: id,
    conversation_id: orNull(text),
    status: word("queued", "built", "ignored", "duplicated", "parse_failed"),
    error: orNull(text),
    ignored: flag,
    duplicated: flag,
    queued: flag,
    data: orNull(
      either(shape({ item_id: id, queue_size: count }), shape({ response_content: text, delivery_id: orNull(id) })),
    ),
  },
  "GatewayResult",
);

/** Response to a webhook; channels of other types respond in the format of their platform. */
export const webhookResponse = { "application/json": either(result, record) };
