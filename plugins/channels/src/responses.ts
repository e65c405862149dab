import { type ChannelCheck, channelStatusShape, type GuideStep } from "@parley/core";
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
export const checkData = shape({
  account: text,
  ...warningFields,
  checks: answerFields.listOf(
    shape<ChannelCheck>(
      {
        check: text.description("credentials, webhook, permissions or another subject"),
        state: word("ok", "failed", "unknown"),
        message: answerFields.localized,
        fix: answerFields.localized.optional(),
      },
      "ChannelCheck",
    ),
  ),
});
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
export const typeList = listData(
  shape(
    {
      type: id,
      title: orNull(answerFields.localized),
      transports: answerFields.texts,
      idempotency: word("native_key", "natural", "reconcile", "none").description(
        "How a repeated send is made safe; with none, an unknown outcome waits for a person",
      ),
      can_begin: flag.description("False when the bot can only answer there"),
      can_check: flag,
      guide: answerFields
        .listOf(
          shape<GuideStep>(
            {
              text: answerFields.localized,
              transports: answerFields.texts.optional(),
              link: text.optional(),
              copy: text.optional(),
            },
            "GuideStep",
          ),
        )
        .description(
          "Instructions for connecting the platform; {webhook_url}, {public_url} and {channel_id} in copy stand for those of the channel",
        ),
      features: orNull(
        answerFields.listOf(shape({ feature: text, title: answerFields.localized, supported: flag }, "ChannelFeature")),
      ).description("Null when the adapter does not say"),
    },
    "ChannelType",
  ),
);
