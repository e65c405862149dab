import { Fieldset, Stack, Text } from "@mantine/core";
import type { Session } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { channels } from "../../../shared/api/channels.ts";
import { selectFields, toFormSchema } from "../../../shared/forms/schema.ts";
import { SchemaFields } from "../../../shared/forms/schema-form.tsx";
import { useTexts } from "../texts.ts";

type Values = Readonly<Record<string, unknown>>;

/** Settings with fields of their own in the dialog. */
const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set(["model_id", "character_id"]);

interface OwnSettingsProps {
  readonly session: Session;
  /** Changed settings; null: the channel's. */
  readonly changed: Values;
  readonly onChange: (changed: Values) => void;
}

/** When and how the bot answers in this conversation, where that differs from its channel. */
export function OwnSettings({ session, changed, onChange }: OwnSettingsProps) {
  const { t } = useTexts();
  const { data } = useQuery({ queryKey: ["channel"], queryFn: channels.list });
  const channel = data?.items.find(({ id }) => id === session.channel_id);
  const schema = selectFields(
    toFormSchema(channel?.config_schema),
    (key) => key in session && !SHOWN_ELSEWHERE.has(key) && (isGroup(session) || !isForGroups(key)),
  );
  const fields = Object.keys(schema.properties ?? {});
  if (fields.length === 0) return null;
  const values: Values = { ...session, ...Object.fromEntries((session.from_channel ?? []).map((key) => [key, null])) };
  const shown = Object.fromEntries(
    fields.map((key) => [key, (key in changed ? changed[key] : values[key]) ?? undefined]),
  );
  return (
    <Fieldset legend={t("ownSettings")} data-testid="own-settings">
      <Stack gap="sm">
        <Text size="xs" c="dimmed">
          {t("ownSettingsHint")}
        </Text>
        <SchemaFields
          schema={withoutDefaults(schema)}
          values={shown}
          onChange={(key, value) => onChange({ ...changed, [key]: value })}
        />
      </Stack>
    </Fieldset>
  );
}

function isForGroups(key: string): boolean {
  return key.startsWith("group_");
}

/** True for a group on a platform; only private conversations have a user. */
function isGroup({ channel_id, conversation_id, user_id }: Session): boolean {
  return channel_id !== "web" && conversation_id !== null && user_id === null;
}

/** Removes defaults, because an empty field takes the channel's value. */
function withoutDefaults(schema: ReturnType<typeof toFormSchema>) {
  const fields = Object.entries(schema.properties ?? {}).map(([key, { default: _default, ...field }]) => [key, field]);
  return { ...schema, properties: Object.fromEntries(fields) };
}
