import { answered, channelStatusShape, listData, shape } from "@parley/core";

const { id, text, flag, record, word, orNull } = answered;
const transport = word("webhook", "websocket", "bridge", "polling");
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

export const toggledChannel = shape({ id, enabled: flag, status: channelStatusShape });
export const testedChannel = shape({ platform_message_id: orNull(text), quality: text });
export const presetList = listData(
  shape(
    {
      id,
      name: text,
      description: text,
      type: id,
      transport,
      channel: shape({ id, name: text, type: id, transport, config: record, enabled: flag, capabilities }),
      installed: flag,
    },
    "ChannelPreset",
  ),
);
