import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { isDeepEqual } from "../../resource/form/fields.ts";
import { formatTime, Loaded, useAction } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { toast } from "../../shared/ui/feedback/toasts.tsx";
import { createComparison } from "../../shared/ui/form/conflict-differences.tsx";
import { ConversationField, ConversationsField } from "../../shared/ui/form/conversation-field.tsx";
import { DraftBoundary } from "../../shared/ui/form/draft-boundary.tsx";
import { getConflictRevision } from "../../shared/ui/form/edit-conflict.tsx";
import { NumberField, SwitchField, TextareaField, TextField } from "../../shared/ui/form/fields.tsx";
import { Form, FormErrors } from "../../shared/ui/form/form.tsx";
import { automation, type Heartbeat, type HeartbeatDraft, type HeartbeatText } from "./api.ts";
import { RunList } from "./runs/run-list.tsx";
import { QUERY_KEYS, RunStatusBadge } from "./schedule-fields.tsx";
import { useTexts } from "./texts.ts";

/** Maximum targets, as in the service. */
const MAX_TARGETS = 50;

interface HeartbeatProps {
  readonly open: (runId: string) => void;
}

/** The heartbeat: schedule, checks, recipients and past results. */
export function HeartbeatTab({ open }: HeartbeatProps) {
  const { t } = useTexts();
  const query = useQuery({ queryKey: ["heartbeat", "config"], queryFn: automation.heartbeat });
  return (
    <Stack gap="lg" maw="46rem">
      <Text size="sm" c="dimmed">
        {t("heartbeatHint")}
      </Text>
      <Loaded query={query}>
        {(heartbeat) => (
          <>
            <DraftBoundary latest={heartbeat} version={heartbeat.revision}>
              {(initial, release) => <HeartbeatConfig heartbeat={initial} release={release} open={open} />}
            </DraftBoundary>
            <HeartbeatTextLoader file={heartbeat.content_file} />
          </>
        )}
      </Loaded>
      <section aria-labelledby="heartbeat-runs">
        <Title order={2} size="h4" id="heartbeat-runs" mb="xs">
          {t("tab_runs")}
        </Title>
        <RunList open={open} ownerId="heartbeat" />
      </section>
    </Stack>
  );
}

interface HeartbeatConfigProps extends HeartbeatProps {
  readonly heartbeat: Heartbeat;
  readonly release: () => void;
}

function HeartbeatConfig({ heartbeat, release, open }: HeartbeatConfigProps) {
  const { t, language } = useTexts();
  const { enabled, interval_minutes, content_file, target_session_id, targets, status, next_run } = heartbeat;
  const [start] = useState<HeartbeatDraft>(() => ({
    enabled,
    interval_minutes,
    content_file,
    target_session_id,
    targets,
  }));
  const [draft, setDraft] = useState(start);
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const update = (patch: Partial<HeartbeatDraft>) => setDraft((before) => ({ ...before, ...patch }));
  const isChanged = !isDeepEqual(draft, start);
  const save = (ifMatch: number | undefined) =>
    toHandler(async () => {
      await automation.changeHeartbeat(draft, ifMatch);
      release();
      toast({ text: t("saved", { name: t("tab_heartbeat") }) });
    });
  const meanwhile = {
    id: "heartbeat",
    comparison: createComparison<HeartbeatDraft>(draft, automation.heartbeat, update),
    onTakeTheirs: toHandler(async () => release()),
    onKeepMine: save(getConflictRevision(error)),
  };
  return (
    <Form isChanged={isChanged} error={error} onSubmit={save(heartbeat.revision)} conflict={meanwhile}>
      <Stack gap="sm">
        <Group gap="xs">
          <RunStatusBadge status={status} />
          {next_run !== null && (
            <Text size="sm">
              {t("next")}: {formatTime(next_run, language)}
            </Text>
          )}
        </Group>
        <SwitchField
          name="enabled"
          label={t("enabled")}
          value={draft.enabled}
          onChange={(enabled) => update({ enabled })}
          testId="heartbeat-enabled"
        />
        <NumberField
          name="interval_minutes"
          label={t("minutes")}
          min={1}
          max={10_080}
          value={draft.interval_minutes}
          onChange={(minutes) => update({ interval_minutes: minutes || 60 })}
        />
        <TextField
          name="content_file"
          label={t("file")}
          value={draft.content_file}
          onChange={(content_file) => update({ content_file })}
        />
        <ConversationField
          name="target_session_id"
          value={draft.target_session_id ?? ""}
          onChange={(id) => update({ target_session_id: id || null })}
          hint={t("conversationHint")}
        />
        <ConversationsField
          name="targets"
          label={t("targets")}
          hint={t("targetsHint")}
          maxCount={MAX_TARGETS}
          also={{ web: t("targetWeb") }}
          value={draft.targets}
          onChange={(next) => update({ targets: next })}
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
            onClick={toHandler(async () => open((await automation.runTask("heartbeat")).run_id))}
          >
            {t("run")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

function HeartbeatTextLoader({ file }: { readonly file: string }) {
  const query = useQuery({ queryKey: ["heartbeat", "text", file], queryFn: () => automation.heartbeatText(file) });
  return (
    <Loaded query={query}>
      {(text) => (
        <DraftBoundary latest={text} version={`${text.file} ${text.etag}`}>
          {(initial, release) => <HeartbeatTextForm text={initial} release={release} />}
        </DraftBoundary>
      )}
    </Loaded>
  );
}

function HeartbeatTextForm({ text, release }: { readonly text: HeartbeatText; readonly release: () => void }) {
  const { t } = useTexts();
  const [content, setContent] = useState(text.content);
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const isChanged = content !== text.content;
  const save = (ifMatch: number | undefined) =>
    toHandler(async () => {
      await automation.saveHeartbeatText(text.file, content, ifMatch);
      release();
      toast({ text: t("saved", { name: text.file }) });
    });
  const meanwhile = {
    id: text.file,
    comparison: createComparison<Pick<HeartbeatText, "content">>(
      { content },
      () => automation.heartbeatText(text.file),
      (theirs) => setContent(theirs.content ?? ""),
    ),
    onTakeTheirs: toHandler(async () => release()),
    onKeepMine: save(getConflictRevision(error)),
  };
  return (
    <Form
      isChanged={isChanged}
      error={error}
      onSubmit={save(Number(text.etag.replaceAll('"', "")))}
      conflict={meanwhile}
    >
      <TextareaField
        name="content"
        minRows={4}
        maxRows={24}
        label={`${t("heartbeatText")} (${text.file})`}
        description={t("heartbeatTextHint")}
        value={content}
        onChange={setContent}
        testId="heartbeat-text"
      />
      <FormErrors />
      <Button type="submit" mt="xs" loading={isBusy} disabled={!isChanged} data-testid="save-heartbeat-text">
        {t("save")}
      </Button>
    </Form>
  );
}
