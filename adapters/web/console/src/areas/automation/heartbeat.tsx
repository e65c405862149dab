import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { formatTime, Loaded } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { showToast } from "../../shared/ui/feedback/toasts.tsx";
import { ConversationField, ConversationsField } from "../../shared/ui/form/conversation-field.tsx";
import { NumberField, SwitchField, TextareaField, TextField } from "../../shared/ui/form/fields.tsx";
import { Form, FormErrors } from "../../shared/ui/form/form.tsx";
import { useRecordForm } from "../../shared/ui/form/use-record-form.ts";
import { automation, type Heartbeat, type HeartbeatDraft, type HeartbeatText, QUERY_KEYS } from "./api.ts";
import { RunList } from "./runs/run-list.tsx";
import { RunStatusBadge } from "./runs/status-badges.tsx";
import { useTexts } from "./texts.ts";

/** Maximum targets, as in the service. */
const MAX_TARGETS = 50;

interface HeartbeatProps {
  readonly openRun: (runId: string) => void;
}

/** The heartbeat: schedule, checks, recipients and past results. */
export function HeartbeatTab({ openRun }: HeartbeatProps) {
  const { t } = useTexts();
  const query = useQuery({ queryKey: ["heartbeat", "config"], queryFn: automation.getHeartbeat });
  return (
    <Stack gap="lg" maw="46rem">
      <Text size="sm" c="dimmed">
        {t("heartbeatHint")}
      </Text>
      <Loaded query={query}>
        {(heartbeat) => (
          <>
            <HeartbeatConfig heartbeat={heartbeat} openRun={openRun} />
            <HeartbeatTextLoader file={heartbeat.content_file} />
          </>
        )}
      </Loaded>
      <section aria-labelledby="heartbeat-runs">
        <Title order={2} size="h4" id="heartbeat-runs" mb="xs">
          {t("tab_runs")}
        </Title>
        <RunList openRun={openRun} ownerId="heartbeat" />
      </section>
    </Stack>
  );
}

interface HeartbeatConfigProps extends HeartbeatProps {
  readonly heartbeat: Heartbeat;
}

function toDraft(heartbeat: Heartbeat | undefined): HeartbeatDraft {
  const { enabled = false, interval_minutes = 60, content_file = "", target_session_id = null } = heartbeat ?? {};
  return { enabled, interval_minutes, content_file, target_session_id, targets: heartbeat?.targets ?? [] };
}

function HeartbeatConfig({ heartbeat, openRun }: HeartbeatConfigProps) {
  const { t, language } = useTexts();
  const { status, next_run } = heartbeat;
  const { props, field, isChanged, isBusy, toHandler } = useRecordForm({
    queryKeys: QUERY_KEYS,
    record: heartbeat,
    id: "heartbeat",
    toDraft,
    read: automation.getHeartbeat,
    change: (_, draft, ifMatch) => automation.changeHeartbeat(draft, ifMatch),
    onSaved: () => showToast({ text: t("saved", { name: t("tab_heartbeat") }) }),
  });
  const minutes = field("interval_minutes");
  const target = field("target_session_id");
  return (
    <Form {...props}>
      <Stack gap="sm">
        <Group gap="xs">
          <RunStatusBadge status={status} />
          {next_run !== null && (
            <Text size="sm">
              {t("next")}: {formatTime(next_run, language)}
            </Text>
          )}
        </Group>
        <SwitchField label={t("enabled")} {...field("enabled")} testId="heartbeat-enabled" />
        <NumberField
          label={t("minutes")}
          min={1}
          max={10_080}
          {...minutes}
          onChange={(value) => minutes.onChange(value || 60)}
        />
        <TextField label={t("file")} {...field("content_file")} />
        <ConversationField
          {...target}
          value={target.value ?? ""}
          onChange={(id) => target.onChange(id || null)}
          hint={t("conversationHint")}
        />
        <ConversationsField
          label={t("targets")}
          hint={t("targetsHint")}
          maxCount={MAX_TARGETS}
          extras={{ web: t("targetWeb") }}
          {...field("targets")}
        />
        <FormErrors />
        <Group gap="xs">
          <Button type="submit" loading={isBusy} disabled={!isChanged} data-testid="save-heartbeat">
            {t("save")}
          </Button>
          <Button
            variant="light"
            leftSection={<Icon name="play" size={16} />}
            loading={isBusy}
            onClick={toHandler(async () => openRun((await automation.runTask("heartbeat")).run_id))}
          >
            {t("run")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

function HeartbeatTextLoader({ file }: { readonly file: string }) {
  const query = useQuery({ queryKey: ["heartbeat", "text", file], queryFn: () => automation.getHeartbeatText(file) });
  return <Loaded query={query}>{(text) => <HeartbeatTextForm key={text.file} text={text} />}</Loaded>;
}

function HeartbeatTextForm({ text }: { readonly text: HeartbeatText }) {
  const { t } = useTexts();
  const { file } = text;
  const { props, field, isChanged, isBusy } = useRecordForm({
    queryKeys: QUERY_KEYS,
    record: text,
    id: file,
    toDraft: (stored) => ({ content: stored?.content ?? "" }),
    read: () => automation.getHeartbeatText(file),
    change: (_, { content }, ifMatch) => automation.saveHeartbeatText(file, content, ifMatch),
    onSaved: () => showToast({ text: t("saved", { name: file }) }),
  });
  return (
    <Form {...props}>
      <TextareaField
        minRows={4}
        maxRows={24}
        label={`${t("heartbeatText")} (${file})`}
        description={t("heartbeatTextHint")}
        {...field("content")}
        testId="heartbeat-text"
      />
      <FormErrors />
      <Button type="submit" mt="xs" loading={isBusy} disabled={!isChanged} data-testid="save-heartbeat-text">
        {t("save")}
      </Button>
    </Form>
  );
}
