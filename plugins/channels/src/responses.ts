import { channelStatusShape } from "@parley/core";
import { answerFields, listData, shape, warningFields } from "@parley/core/http";
import type { SecretVariable } from "./config/secret-variables.ts";

const { id, text, flag, record, word, orNull, time } = answerFields;
const transport = text;
const capabilities = shape(
  {
    supports_stream: flag,
    supports_progress_updates: flag,
    supports_file_send: flag,
    supports_stop: flag,
    supports_tools: flag.optional(),
  },
  "Capabilities",
);

export const toggleData = shape({ id, enabled: flag, status: channelStatusShape });
export const testMessageData = shape({ platform_message_id: orNull(text), quality: text });
export const checkData = shape({ account: text, ...warningFields });
/** A variable that settings name. */
export const secretVariableData = shape<SecretVariable>(
  { name: text, setting: text, source: orNull(word("kept", "environment")), kept_at: orNull(time) },
  "NamedSecret",
);
export const presetList = listData(
  shape(
    {
      id,
      name: text,
      title: orNull(answerFields.localized),
      description: text,
      type: id,
      transport,
      channel: shape({ id, name: text, type: id, transport, config: record, enabled: flag, capabilities }),
      installed: flag,
    },
    "ChannelPreset",
  ),
);
