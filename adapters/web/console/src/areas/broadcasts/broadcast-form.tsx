import { Alert, Button, Group, List, MultiSelect, Stack, Text } from "@mantine/core";
import { useDebouncedValue, useDisclosure } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CancelButton } from "../../shared/ui/cancel-button.tsx";
import { Failure, useTried } from "../../shared/ui/common.tsx";
import { ConfirmDialog } from "../../shared/ui/confirm.tsx";
import { ConversationsField } from "../../shared/ui/conversation-field.tsx";
import { ChoiceField, LongField, NumberField, TextField } from "../../shared/ui/fields.tsx";
import { At, Form, FormFailure } from "../../shared/ui/form.tsx";
import { useChannelChoices, useChannelName } from "../../shared/ui/use-channel-name.ts";
import { type Audience, broadcasts, CHANGED, type Preview } from "./api.ts";
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

const NEW: Draft = {
  text: "",
  channels: [],
  sessions: [],
  kind: "all",
  tag: "",
  folder: "",
  days: undefined,
  perMinute: 60,
};

const NO_OTHERS = {};

/** Undefined: nobody was chosen. */
function audienceOf({ channels: on, sessions, kind, tag, folder, days }: Draft): Audience | undefined {
  if (on.length + sessions.length === 0) return undefined;
  return {
    kind,
    ...(on.length > 0 && { channel_ids: [...on] }),
    ...(sessions.length > 0 && { session_ids: [...sessions] }),
    ...(tag.trim() !== "" && { tag: tag.trim() }),
    ...(folder.trim() !== "" && { folder: folder.trim() }),
    ...(days !== undefined && { active_days: days }),
  };
}

/** A new one: whom it is for, what it says, whom that reaches, and a question before anything is sent. */
export function BroadcastForm({ done }: { readonly done: () => void }) {
  const { t } = useTexts();
  const [draft, setDraft] = useState<Draft>(NEW);
  // A second press, or one after an answer that was lost, begins nothing new.
  const [tempId] = useState(() => crypto.randomUUID());
  const [isAsking, question] = useDisclosure(false);
  const { tried, isBusy, error } = useTried(CHANGED);
  const put = (patch: Partial<Draft>) => setDraft((before) => ({ ...before, ...patch }));
  const audience = audienceOf(draft);
  const [asked] = useDebouncedValue(JSON.stringify(audience ?? null), 300);
  const preview = useQuery({
    queryKey: ["broadcast_preview", asked],
    queryFn: () => broadcasts.preview(JSON.parse(asked)),
    enabled: asked !== "null",
    placeholderData: keepPreviousData,
    retry: false,
  });
  const isCurrent = asked === JSON.stringify(audience ?? null) && !preview.isFetching;
  const count = audience && isCurrent ? (preview.data?.total ?? 0) : 0;
  const begin = tried(async () => {
    if (!audience) return;
    const { text, perMinute = 60 } = draft;
    await broadcasts.begin({ text, audience, per_minute: perMinute, expected: count, temp_id: tempId });
    done();
  });
  return (
    <Form isChanged={draft !== NEW} error={error} submit={question.open}>
      <Stack gap="sm">
        <LongField
          name="text"
          label={t("text")}
          value={draft.text}
          put={(text) => put({ text })}
          required
          data-autofocus
          testId="broadcast-text"
        />
        <Who draft={draft} put={put} />
        {audience ? (
          <Reached preview={preview.data} error={preview.error} />
        ) : (
          <Text size="sm" c="dimmed">
            {t("chooseWho")}
          </Text>
        )}
        <FormFailure />
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
        run={begin}
      />
    </Form>
  );
}

interface WhoProps {
  readonly draft: Draft;
  readonly put: (patch: Partial<Draft>) => void;
}

function Who({ draft, put }: WhoProps) {
  const { t } = useTexts();
  const known = useChannelChoices().filter(({ value }) => value !== "web");
  const kinds = (["all", "private", "group"] as const).map((value) => ({ value, label: t(`kind_${value}`) }));
  return (
    <>
      <At name="audience">
        <MultiSelect
          label={t("to")}
          description={t("toHint")}
          value={[...draft.channels]}
          data={known}
          onChange={(ids) => put({ channels: ids })}
          searchable
          data-testid="broadcast-channels"
        />
      </At>
      <ConversationsField
        name="audience.session_ids"
        label={t("only")}
        hint={t("onlyHint")}
        value={draft.sessions}
        put={(sessions) => put({ sessions })}
        most={200}
        also={NO_OTHERS}
      />
      <details>
        <summary>{t("narrow")}</summary>
        <Stack gap="sm" mt="sm">
          <ChoiceField
            name="audience.kind"
            label={t("kind")}
            value={draft.kind}
            put={(kind) => put({ kind })}
            data={kinds}
          />
          <Group grow align="flex-start">
            <NumberField
              name="audience.active_days"
              label={t("activeDays")}
              value={draft.days}
              put={(days) => put({ days })}
              min={1}
              max={3650}
            />
            <TextField
              name="audience.tag"
              label={t("tag")}
              value={draft.tag}
              put={(tag) => put({ tag })}
              maxLength={40}
            />
            <TextField
              name="audience.folder"
              label={t("folder")}
              value={draft.folder}
              put={(folder) => put({ folder })}
              maxLength={60}
            />
          </Group>
          <NumberField
            name="per_minute"
            label={t("perMinute")}
            description={t("perMinuteHint")}
            value={draft.perMinute}
            put={(perMinute) => put({ perMinute })}
            min={1}
            max={600}
          />
        </Stack>
      </details>
    </>
  );
}

function Reached({ preview, error }: { readonly preview: Preview | undefined; readonly error: unknown }) {
  const { t } = useTexts();
  const nameOf = useChannelName();
  if (error) return <Failure error={error} />;
  if (!preview) return null;
  const { total, channels: on, items } = preview;
  const names = items.map(({ name }) => name).join(", ");
  return (
    <Alert color={total === 0 ? "gray" : "parley"} role="status" data-testid="broadcast-preview">
      <Text size="sm" fw={600}>
        {total === 0 ? t("nobody") : t("reaches", { count: total })}
      </Text>
      <List size="sm">
        {on.map(({ id, count, connected }) => (
          <List.Item key={id}>
            {nameOf(id)}: {count} {!connected && `(${t("unconnected")})`}
          </List.Item>
        ))}
      </List>
      <Text size="xs" c="dimmed" lineClamp={3}>
        {names} {total > items.length && t("andMore", { count: total - items.length })}
      </Text>
    </Alert>
  );
}
