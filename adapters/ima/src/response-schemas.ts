import { messageShape, sessionShape } from "@parley/core";
import { answerFields, listData, shape } from "@parley/core/http";

const { id, text, time, flag, count, word, orNull } = answerFields;
const type = word("private", "group");
const summary = { session_id: id, last_message: text, last_time: orNull(time), message_count: count };

export const userList = listData(shape({ user_id: text, nickname: text, ...summary }, "ImaUser"));
export const groupList = listData(
  shape({ group_id: text, group_name: text, ...summary, member_count: orNull(count) }, "ImaGroup"),
);
export const messageList = listData(messageShape, { imA_type: type, imA_id: text, session_id: orNull(id) });
export const clearData = shape({ deleted: count, session_deleted: flag });
export const sessionList = listData(
  shape(
    {
      id,
      name: text,
      type,
      imA_id: text,
      message_count: count,
      last_message: text,
      created_at: time,
      archived: flag,
    },
    "ImaSession",
  ),
);
export const syncData = shape({ added: count, skipped: count, filtered: count, message_count: count });
export const sendData = shape({
  message: orNull(messageShape),
  delivery: orNull(shape({ id, status: word("pending", "delivered", "expired") })),
  blocked: flag,
});
export const linkData = shape({ session_id: id, exists: flag, session: sessionShape });
