import { answerFields, failureDetailShape, shape } from "@parley/core/http";

const { text, count, flag } = answerFields;

export const acknowledged = { "application/json": shape({ ok: flag }) };

export const webhookData = shape({
  webhook_url: text,
  result: shape({
    url: text,
    pending_update_count: count.optional(),
    last_error_date: count.optional(),
    last_error_message: text.optional(),
    last_error_detail: failureDetailShape.optional(),
  }),
  warning: text.optional(),
});
