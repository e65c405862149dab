import { answerFields, shape } from "@parley/core/http";

const { id, text, anything, time, flag, count, word, orNull, either } = answerFields;
const state = word("stopped", "connecting", "connected", "reconnecting", "error");

export const acknowledged = {
  "application/json": either(shape({ ok: flag }), shape({ challenge: anything })),
};
export const startSocketData = shape({ channel_id: id, state, started: flag });
export const stopSocketData = shape({ channel_id: id, state: word("stopped"), stopped: flag });
export const socketStatusData = shape({
  channel_id: id,
  enabled: flag,
  state,
  connected: flag,
  connected_at: orNull(time),
  last_event_at: orNull(time),
  reconnects: count,
  last_error: orNull(text),
});
