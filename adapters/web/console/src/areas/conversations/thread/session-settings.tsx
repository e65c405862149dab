import { Button, Group, SimpleGrid, Stack } from "@mantine/core";
import type { Session } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { isDeepEqual } from "../../../resource/form/fields.ts";
import { parley } from "../../../shared/api/client.ts";
import { useAction } from "../../../shared/ui/common.tsx";
import { CancelButton } from "../../../shared/ui/form/cancel-button.tsx";
import { createComparison } from "../../../shared/ui/form/conflict-differences.tsx";
import { DraftBoundary } from "../../../shared/ui/form/draft-boundary.tsx";
import { getConflictRevision } from "../../../shared/ui/form/edit-conflict.tsx";
import { NumberField, SelectField, TagsField, TextareaField } from "../../../shared/ui/form/fields.tsx";
import { Form, FormErrors } from "../../../shared/ui/form/form.tsx";
import { Dialog } from "../../../shared/ui/page/page.tsx";
import { allModelsQuery, filterChatModels } from "../models.ts";
import { useTexts } from "../texts.ts";

interface SessionSettingsProps {
  readonly session: Session;
  /** True when the conversation was deleted. */
  readonly isGone: boolean;
  readonly close: () => void;
}

const QUERY_KEYS = [["session"]] as const;
const MAX_TAGS = 32;

/** The settings of a conversation: model, parameters, system prompt and tags. */
export function SessionSettings({ session, isGone, close }: SessionSettingsProps) {
  const { t } = useTexts();
  const version = toVersion(session);
  return (
    <Dialog opened onClose={close} title={t("setup")} size="lg">
      <DraftBoundary latest={session} version={version}>
        {(initial, release) => (
          <SettingsForm
            session={initial}
            isGone={isGone}
            // What else is changed of a conversation is not what is written here.
            snapshot={toVersion(initial) === version ? session.revision : initial.revision}
            release={release}
            close={close}
          />
        )}
      </DraftBoundary>
    </Dialog>
  );
}

/** Settings by field name. */
interface Settings {
  readonly model_id: string;
  readonly system_prompt: string;
  readonly "parameters.temperature": number | undefined;
  readonly "parameters.max_tokens": number | undefined;
  readonly tags: readonly string[];
}

function toSettings({ model_id, from_channel, system_prompt, parameters, tags }: Session): Settings {
  return {
    model_id: from_channel?.includes("model_id") ? "" : (model_id ?? ""),
    system_prompt,
    "parameters.temperature": parameters?.temperature ?? undefined,
    "parameters.max_tokens": parameters?.max_tokens ?? undefined,
    tags,
  };
}

function toVersion({ model_id, system_prompt, parameters, tags }: Session): string {
  return JSON.stringify([model_id, system_prompt, parameters, tags]);
}

interface SettingsFormProps extends SessionSettingsProps {
  /** The revision of the settings in the form. */
  readonly snapshot: number;
  readonly release: () => void;
}

function SettingsForm({ session, isGone, snapshot, release, close }: SettingsFormProps) {
  const { t } = useTexts();
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const isOfChannel = session.from_channel?.includes("model_id") === true;
  const [modelId, setModelId] = useState(isOfChannel ? "" : (session.model_id ?? ""));
  const [prompt, setPrompt] = useState(session.system_prompt);
  const [temperature, setTemperature] = useState(session.parameters?.temperature ?? undefined);
  const [maxTokens, setMaxTokens] = useState(session.parameters?.max_tokens ?? undefined);
  const [tags, setTags] = useState<readonly string[]>(session.tags);
  const draft = [modelId, prompt, temperature, maxTokens, tags];
  const [initialDraft] = useState(draft);
  const models = useQuery(allModelsQuery);
  const chats = filterChatModels(models.data?.items ?? []);
  const ofChannel = isOfChannel ? chats.find(({ id }) => id === session.model_id) : undefined;
  const usual = ofChannel ? t("asChannel", { name: ofChannel.name }) : t("asEverywhere");
  const take = (theirs: Partial<Settings>) => {
    if ("model_id" in theirs) setModelId(theirs.model_id ?? "");
    if ("system_prompt" in theirs) setPrompt(theirs.system_prompt ?? "");
    if ("parameters.temperature" in theirs) setTemperature(theirs["parameters.temperature"]);
    if ("parameters.max_tokens" in theirs) setMaxTokens(theirs["parameters.max_tokens"]);
    if ("tags" in theirs) setTags(theirs.tags ?? []);
  };
  const save = (ifMatch: number | undefined) =>
    toHandler(async () => {
      const parameters = { temperature: temperature ?? null, max_tokens: maxTokens ?? null };
      const body = { model_id: modelId || null, system_prompt: prompt, parameters, tags: [...tags] };
      await parley.put("/api/sessions/{session_id}", {
        path: { session_id: session.id },
        body,
        ...(ifMatch !== undefined && { ifMatch }),
      });
      close();
    });
  const meanwhile = {
    id: session.id,
    isRemoved: isGone,
    comparison: createComparison<Settings>(
      {
        model_id: modelId,
        system_prompt: prompt,
        "parameters.temperature": temperature,
        "parameters.max_tokens": maxTokens,
        tags,
      },
      async () => toSettings(await parley.get("/api/sessions/{session_id}", { path: { session_id: session.id } })),
      take,
    ),
    onTakeTheirs: toHandler(async () => release()),
    onKeepMine: save(getConflictRevision(error)),
  };
  const reset = () => {
    setModelId("");
    setPrompt("");
    setTemperature(undefined);
    setMaxTokens(undefined);
  };
  return (
    <Form isChanged={!isDeepEqual(draft, initialDraft)} error={error} onSubmit={save(snapshot)} conflict={meanwhile}>
      <Stack gap="sm">
        <SelectField
          name="model_id"
          label={t("answeredBy")}
          value={modelId}
          onChange={setModelId}
          data={[{ value: "", label: usual }, ...chats.map(({ id, name }) => ({ value: id, label: name }))]}
          testId="session-model"
        />
        <TextareaField
          name="system_prompt"
          label={t("systemPrompt")}
          description={t("systemPromptHint")}
          minRows={3}
          value={prompt}
          onChange={setPrompt}
          testId="session-prompt"
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NumberField
            name="parameters.temperature"
            label={t("temperature")}
            placeholder={t("asModel")}
            min={0}
            max={2}
            step={0.1}
            value={temperature}
            onChange={setTemperature}
            testId="session-temperature"
          />
          <NumberField
            name="parameters.max_tokens"
            label={t("maxTokens")}
            placeholder={t("asModel")}
            min={1}
            max={1_000_000}
            value={maxTokens}
            onChange={setMaxTokens}
            testId="session-max-tokens"
          />
        </SimpleGrid>
        <TagsField
          name="tags"
          label={t("tags")}
          value={tags}
          onChange={setTags}
          maxTags={MAX_TAGS}
          splitChars={[",", "，"]}
          testId="session-tags"
        />
        <FormErrors />
        <Group justify="flex-end">
          <Button variant="subtle" size="compact-sm" onClick={reset} mr="auto" data-testid="reset-setup">
            {t("resetSetup")}
          </Button>
          <CancelButton />
          <Button type="submit" loading={isBusy} data-testid="save-setup">
            {t("save")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
