import { Fieldset, SimpleGrid, Stack, Text } from "@mantine/core";
import type { Session } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { channels } from "../../../shared/api/channels.ts";
import { NumberField, SwitchField, TextareaField } from "../../../shared/ui/form/fields.tsx";
import { useTexts } from "../texts.ts";

type ProactiveChat = Session["proactive_chat"];
/** Changed values of the setting; undefined: an emptied field, which keeps the stored value. */
export type ProactiveChanges = { readonly [Key in keyof ProactiveChat]?: ProactiveChat[Key] | undefined };

/** Returns the changes as the request carries them; undefined when there are none. */
export function toProactiveChat({ enabled, idle_minutes, daily_limit, prompt }: ProactiveChanges) {
  const changes: Partial<ProactiveChat> = {
    ...(enabled !== undefined && { enabled }),
    ...(idle_minutes !== undefined && { idle_minutes }),
    ...(daily_limit !== undefined && { daily_limit }),
    ...(prompt !== undefined && { prompt }),
  };
  return Object.keys(changes).length === 0 ? undefined : changes;
}

interface ProactiveSettingsProps {
  readonly session: Session;
  readonly changed: ProactiveChanges;
  readonly onChange: (changed: ProactiveChanges) => void;
}

/** The settings of when and how often the AI writes first in a conversation. */
export function ProactiveSettings({ session, changed, onChange }: ProactiveSettingsProps) {
  const { t } = useTexts();
  const { data } = useQuery({ queryKey: ["channel"], queryFn: channels.list });
  const channel = data?.items.find(({ id }) => id === session.channel_id);
  const values = { ...session.proactive_chat, ...changed };
  const field = <Key extends keyof ProactiveChat>(key: Key) => ({
    name: `proactive_chat.${key}`,
    onChange: (value: ProactiveChat[Key] | undefined) => onChange({ ...changed, [key]: value }),
    testId: `proactive-${key}`,
  });
  return (
    <Fieldset legend={t("speaksFirst")} data-testid="proactive-settings">
      <Stack gap="sm">
        <SwitchField
          label={t("speaksFirstEnabled")}
          description={channel?.can_begin === false ? t("speaksFirstImpossible") : t("speaksFirstHint")}
          {...field("enabled")}
          value={values.enabled === true}
        />
        {values.enabled && (
          <>
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <NumberField
                label={t("idleMinutes")}
                min={5}
                max={10_080}
                {...field("idle_minutes")}
                value={values.idle_minutes}
              />
              <NumberField
                label={t("dailyLimit")}
                min={1}
                max={10}
                {...field("daily_limit")}
                value={values.daily_limit}
              />
            </SimpleGrid>
            <TextareaField
              label={t("proactivePrompt")}
              description={t("proactivePromptHint")}
              {...field("prompt")}
              value={values.prompt ?? ""}
            />
            <Text size="xs" c="dimmed">
              {t("speaksFirstLimits")}
            </Text>
          </>
        )}
      </Stack>
    </Fieldset>
  );
}
