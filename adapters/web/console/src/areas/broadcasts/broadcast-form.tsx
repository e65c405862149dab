import { Alert, Button, Group, List, MultiSelect, Stack, Text } from "@mantine/core";
import { useDebouncedValue, useDisclosure } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Failure } from "../../shared/ui/common.tsx";
import { ConfirmDialog } from "../../shared/ui/feedback/confirm.tsx";
import { CancelButton } from "../../shared/ui/form/cancel-button.tsx";
import { ConversationsField } from "../../shared/ui/form/conversation-field.tsx";
import { NumberField, SelectField, TextareaField, TextField } from "../../shared/ui/form/fields.tsx";
import { Form, FormControl, FormErrors } from "../../shared/ui/form/form.tsx";
import { useRecordForm } from "../../shared/ui/form/use-record-form.ts";
import { useChannelChoices, useChannelName } from "../../shared/ui/text/use-channel-name.ts";
import { type Audience, broadcasts, type Preview, QUERY_KEYS } from "./api.ts";
import { useTexts } from "./texts.ts";

interface Draft {
  readonly text: string;
  readonly channels: readonly string[];
  readonly sessions: readonly string[];
  readonly kind: Audience["kind"];
  readonly tag: string;
  readonly folder: string;
  readonly days: number | undefined;
  readonly perMinute: number | undefined;
}

const NEW_BROADCAST: Draft = {
  text: "",
  channels: [],
  sessions: [],
  kind: "all",
  tag: "",
  folder: "",
  days: undefined,
  perMinute: 60,
};

const NO_FILTERS = {};

/** Converts the draft; undefined without any recipient. */
function toAudience({ channels: channelIds, sessions, kind, tag, folder, days }: Draft): Audience | undefined {
  if (channelIds.length + sessions.length === 0) return undefined;
  return {
    kind,
    ...(channelIds.length > 0 && { channel_ids: [...channelIds] }),
    ...(sessions.length > 0 && { session_ids: [...sessions] }),
    ...(tag.trim() !== "" && { tag: tag.trim() }),
    ...(folder.trim() !== "" && { folder: folder.trim() }),
    ...(days !== undefined && { active_days: days }),
  };
}

/** The form of a new broadcast: text, recipients and a preview of them; asks for confirmation before it sends. */
export function BroadcastForm({ onDone }: { readonly onDone: () => void }) {
  const { t } = useTexts();
  // Every press sends the same id, so that a repeated one does not start a second broadcast.
  const [tempId] = useState(() => crypto.randomUUID());
  const [isAsking, question] = useDisclosure(false);
  const { props, draft, update, field, isBusy, save } = useRecordForm({
    queryKeys: QUERY_KEYS,
    toDraft: () => NEW_BROADCAST,
    create: async ({ text, perMinute = 60 }) => {
      if (!audience) return;
      await broadcasts.start({ text, audience, per_minute: perMinute, expected: count, temp_id: tempId });
      onDone();
    },
  });
  const audience = toAudience(draft);
  const [debouncedAudience] = useDebouncedValue(JSON.stringify(audience ?? null), 300);
  const preview = useQuery({
    queryKey: ["broadcast_preview", debouncedAudience],
    queryFn: () => broadcasts.preview(JSON.parse(debouncedAudience)),
    enabled: debouncedAudience !== "null",
    placeholderData: keepPreviousData,
    retry: false,
  });
  const isCurrent = debouncedAudience === JSON.stringify(audience ?? null) && !preview.isFetching;
  const count = audience && isCurrent ? (preview.data?.total ?? 0) : 0;
  return (
    <Form {...props} onSubmit={question.open}>
      <Stack gap="sm">
        <TextareaField label={t("text")} {...field("text")} required data-autofocus testId="broadcast-text" />
        <AudienceFields draft={draft} onChange={update} />
        {audience ? (
          <AudiencePreview preview={preview.data} error={preview.error} />
        ) : (
          <Text size="sm" c="dimmed">
            {t("selectRecipients")}
          </Text>
        )}
        <FormErrors />
        <Group justify="flex-end">
          <CancelButton />
          <Button
            type="submit"
            loading={isBusy}
            disabled={count === 0 || draft.text.trim() === ""}
            data-testid="send-broadcast"
          >
            {t("send", { count })}
          </Button>
        </Group>
      </Stack>
      <ConfirmDialog
        isOpen={isAsking}
        close={question.close}
        label={t("sendNow", { count })}
        what={draft.text}
        text={t("sendHint")}
        run={save}
      />
    </Form>
  );
}

interface AudienceFieldsProps {
  readonly draft: Draft;
  readonly onChange: (patch: Partial<Draft>) => void;
}

function AudienceFields({ draft, onChange }: AudienceFieldsProps) {
  const { t } = useTexts();
  const channels = useChannelChoices().filter(({ value }) => value !== "web");
  const kinds = (["all", "private", "group"] as const).map((value) => ({ value, label: t(`kind_${value}`) }));
  return (
    <>
      <FormControl name="audience">
        <MultiSelect
          label={t("to")}
          description={t("toHint")}
          value={[...draft.channels]}
          data={channels}
          onChange={(ids) => onChange({ channels: ids })}
          searchable
          data-testid="broadcast-channels"
        />
      </FormControl>
      <ConversationsField
        name="audience.session_ids"
        label={t("only")}
        hint={t("onlyHint")}
        value={draft.sessions}
        onChange={(sessions) => onChange({ sessions })}
        maxCount={200}
        extras={NO_FILTERS}
      />
      <details>
        <summary>{t("narrow")}</summary>
        <Stack gap="sm" mt="sm">
          <SelectField
            name="audience.kind"
            label={t("kind")}
            value={draft.kind}
            onChange={(kind) => onChange({ kind })}
            data={kinds}
          />
          <Group grow align="flex-start">
            <NumberField
              name="audience.active_days"
              label={t("activeDays")}
              value={draft.days}
              onChange={(days) => onChange({ days })}
              min={1}
              max={3650}
            />
            <TextField
              name="audience.tag"
              label={t("tag")}
              value={draft.tag}
              onChange={(tag) => onChange({ tag })}
              maxLength={40}
            />
            <TextField
              name="audience.folder"
              label={t("folder")}
              value={draft.folder}
              onChange={(folder) => onChange({ folder })}
              maxLength={60}
            />
          </Group>
          <NumberField
            name="per_minute"
            label={t("perMinute")}
            description={t("perMinuteHint")}
            value={draft.perMinute}
            onChange={(perMinute) => onChange({ perMinute })}
            min={1}
            max={600}
          />
        </Stack>
      </details>
    </>
  );
}

function AudiencePreview({ preview, error }: { readonly preview: Preview | undefined; readonly error: unknown }) {
  const { t } = useTexts();
  const channelName = useChannelName();
  if (error) return <Failure error={error} />;
  if (!preview) return null;
  const { total, channels, items } = preview;
  const names = items.map(({ name }) => name).join(", ");
  return (
    <Alert color={total === 0 ? "gray" : "parley"} role="status" data-testid="broadcast-preview">
      <Text size="sm" fw={600}>
        {total === 0 ? t("nobody") : t("reaches", { count: total })}
      </Text>
      <List size="sm">
        {channels.map(({ id, count, connected }) => (
          <List.Item key={id}>
            {channelName(id)}: {count} {!connected && `(${t("unconnected")})`}
          </List.Item>
        ))}
      </List>
      <Text size="xs" c="dimmed" lineClamp={3}>
        {names} {total > items.length && t("andMore", { count: total - items.length })}
      </Text>
    </Alert>
  );
}
