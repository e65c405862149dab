import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { isSame } from "../../resource/fields.ts";
import { theirRevision } from "../../shared/ui/changed-meanwhile.tsx";
import { Loaded, timeOf, useTried } from "../../shared/ui/common.tsx";
import { ConversationField, ConversationsField } from "../../shared/ui/conversation-field.tsx";
import { compared } from "../../shared/ui/differences.tsx";
import { LongField, NumberField, SwitchField, TextField } from "../../shared/ui/fields.tsx";
import { Form, FormFailure } from "../../shared/ui/form.tsx";
import { Held } from "../../shared/ui/held.tsx";
import { Icon } from "../../shared/ui/icon.tsx";
import { toast } from "../../shared/ui/toasts.tsx";
import { automation, type Heartbeat, type HeartbeatDraft, type HeartbeatText } from "./api.ts";
import { Runs } from "./runs.tsx";
import { CHANGED, StatusBadge } from "./shared.tsx";
import { useTexts } from "./texts.ts";

/** As many as the service takes. */
const MAX_TARGETS = 50;

interface HeartbeatProps {
  readonly open: (runId: string) => void;
}

/** When it beats, what it looks at, who hears it, and what came of it. */
export function HeartbeatTab({ open }: HeartbeatProps) {
  const { t } = useTexts();
  const found = useQuery({ queryKey: ["heartbeat", "config"], queryFn: automation.heartbeat });
  return (
    <Stack gap="lg" maw="46rem">
      <Text size="sm" c="dimmed">
        {t("heartbeatHint")}
      </Text>
      <Loaded query={found}>
        {(heartbeat) => (
          <>
            <Held latest={heartbeat} version={heartbeat.revision}>
              {(held, release) => <Config heartbeat={held} release={release} open={open} />}
            </Held>
            <TextOf file={heartbeat.content_file} />
          </>
        )}
      </Loaded>
      <section aria-labelledby="heartbeat-runs">
        <Title order={2} size="h4" id="heartbeat-runs" mb="xs">
          {t("tab_runs")}
        </Title>
        <Runs open={open} ownerId="heartbeat" />
      </section>
    </Stack>
  );
}

interface ConfigProps extends HeartbeatProps {
  readonly heartbeat: Heartbeat;
  readonly release: () => void;
}

function Config({ heartbeat, release, open }: ConfigProps) {
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
  const { tried, isBusy, error } = useTried(CHANGED);
  const put = (patch: Partial<HeartbeatDraft>) => setDraft((before) => ({ ...before, ...patch }));
  const isChanged = !isSame(draft, start);
  const save = (ifMatch: number | undefined) =>
    tried(async () => {
      await automation.changeHeartbeat(draft, ifMatch);
      release();
      toast({ text: t("saved", { name: t("tab_heartbeat") }) });
    });
  const meanwhile = {
    id: "heartbeat",
    compared: compared<HeartbeatDraft>(draft, automation.heartbeat, put),
    theirs: tried(async () => release()),
    mine: save(theirRevision(error)),
  };
  return (
    <Form isChanged={isChanged} error={error} submit={save(heartbeat.revision)} meanwhile={meanwhile}>
      <Stack gap="sm">
        <Group gap="xs">
          <StatusBadge status={status} />
          {next_run !== null && (
            <Text size="sm">
              {t("next")}: {timeOf(next_run, language)}
            </Text>
          )}
        </Group>
        <SwitchField
          name="enabled"
          label={t("enabled")}
          value={draft.enabled}
          put={(enabled) => put({ enabled })}
          testId="heartbeat-enabled"
        />
        <NumberField
          name="interval_minutes"
          label={t("minutes")}
          min={1}
          max={10_080}
          value={draft.interval_minutes}
          put={(minutes) => put({ interval_minutes: minutes || 60 })}
        />
        <TextField
          name="content_file"
          label={t("file")}
          value={draft.content_file}
          put={(content_file) => put({ content_file })}
        />
        <ConversationField
          name="target_session_id"
          value={draft.target_session_id ?? ""}
          put={(id) => put({ target_session_id: id || null })}
          hint={t("conversationHint")}
        />
        <ConversationsField
          name="targets"
          label={t("targets")}
          hint={t("targetsHint")}
          most={MAX_TARGETS}
          also={{ web: t("targetWeb") }}
          value={draft.targets}
          put={(next) => put({ targets: next })}
        />
        <FormFailure />
        <Group gap="xs">
          <Button type="submit" loading={isBusy} disabled={!isChanged} data-testid="save-heartbeat">
            {t("save")}
          </Button>
          <Button
            variant="light"
            leftSection={<Icon name="play" size={16} />}
            loading={isBusy}
            onClick={tried(async () => open((await automation.runTask("heartbeat")).run_id))}
          >
            {t("run")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

function TextOf({ file }: { readonly file: string }) {
  const found = useQuery({ queryKey: ["heartbeat", "text", file], queryFn: () => automation.heartbeatText(file) });
  return (
    <Loaded query={found}>
      {(text) => (
        <Held latest={text} version={`${text.file} ${text.etag}`}>
          {(held, release) => <TextForm text={held} release={release} />}
        </Held>
      )}
    </Loaded>
  );
}

function TextForm({ text, release }: { readonly text: HeartbeatText; readonly release: () => void }) {
  const { t } = useTexts();
  const [content, setContent] = useState(text.content);
  const { tried, isBusy, error } = useTried(CHANGED);
  const isChanged = content !== text.content;
  const save = (ifMatch: number | undefined) =>
    tried(async () => {
      await automation.saveHeartbeatText(text.file, content, ifMatch);
      release();
      toast({ text: t("saved", { name: text.file }) });
    });
  const meanwhile = {
    id: text.file,
    compared: compared<Pick<HeartbeatText, "content">>(
      { content },
      () => automation.heartbeatText(text.file),
      (theirs) => setContent(theirs.content ?? ""),
    ),
    theirs: tried(async () => release()),
    mine: save(theirRevision(error)),
  };
  return (
    <Form
      isChanged={isChanged}
      error={error}
      submit={save(Number(text.etag.replaceAll('"', "")))}
      meanwhile={meanwhile}
    >
      <LongField
        name="content"
        minRows={4}
        maxRows={24}
        label={`${t("heartbeatText")} (${text.file})`}
        description={t("heartbeatTextHint")}
        value={content}
        put={setContent}
        testId="heartbeat-text"
      />
      <FormFailure />
      <Button type="submit" mt="xs" loading={isBusy} disabled={!isChanged} data-testid="save-heartbeat-text">
        {t("save")}
      </Button>
    </Form>
  );
}
