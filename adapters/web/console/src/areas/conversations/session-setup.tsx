import { Button, Group, SimpleGrid, Stack } from "@mantine/core";
import type { Session } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { isSame } from "../../resource/fields.ts";
import { parley } from "../../shared/api/client.ts";
import { CancelButton } from "../../shared/ui/cancel-button.tsx";
import { theirRevision } from "../../shared/ui/changed-meanwhile.tsx";
import { useTried } from "../../shared/ui/common.tsx";
import { compared } from "../../shared/ui/differences.tsx";
import { ChoiceField, LongField, NumberField, WordsField } from "../../shared/ui/fields.tsx";
import { Form, FormFailure } from "../../shared/ui/form.tsx";
import { Held } from "../../shared/ui/held.tsx";
import { Dialog } from "../../shared/ui/page.tsx";
import { allModels, chatModels } from "./all-models.ts";
import { useTexts } from "./texts.ts";

interface SessionSetupProps {
  readonly session: Session;
  /** Somebody has deleted it. */
  readonly isGone: boolean;
  readonly close: () => void;
}

const CHANGED = [["session"]] as const;
const MOST_TAGS = 32;

/** Who answers in a conversation, what it is told first, and under which tags the conversation is found. */
export function SessionSetup({ session, isGone, close }: SessionSetupProps) {
  const { t } = useTexts();
  const version = versionOf(session);
  return (
    <Dialog opened onClose={close} title={t("setup")} size="lg">
      <Held latest={session} version={version}>
        {(held, release) => (
          <SetupForm
            session={held}
            isGone={isGone}
            // What else is changed of a conversation is not what is written here.
            seen={versionOf(held) === version ? session.revision : held.revision}
            release={release}
            close={close}
          />
        )}
      </Held>
    </Dialog>
  );
}

/** What is set up, by the names of the fields. */
interface Setup {
  readonly model_id: string;
  readonly system_prompt: string;
  readonly "parameters.temperature": number | undefined;
  readonly "parameters.max_tokens": number | undefined;
  readonly tags: readonly string[];
}

function setupOf({ model_id, from_channel, system_prompt, parameters, tags }: Session): Setup {
  return {
    model_id: from_channel?.includes("model_id") ? "" : (model_id ?? ""),
    system_prompt,
    "parameters.temperature": parameters?.temperature ?? undefined,
    "parameters.max_tokens": parameters?.max_tokens ?? undefined,
    tags,
  };
}

function versionOf({ model_id, system_prompt, parameters, tags }: Session): string {
  return JSON.stringify([model_id, system_prompt, parameters, tags]);
}

interface SetupFormProps extends SessionSetupProps {
  /** The revision whose set-up is shown. */
  readonly seen: number;
  readonly release: () => void;
}

function SetupForm({ session, isGone, seen, release, close }: SetupFormProps) {
  const { t } = useTexts();
  const { tried, isBusy, error } = useTried(CHANGED);
  const isOfChannel = session.from_channel?.includes("model_id") === true;
  const [modelId, setModelId] = useState(isOfChannel ? "" : (session.model_id ?? ""));
  const [prompt, setPrompt] = useState(session.system_prompt);
  const [temperature, setTemperature] = useState(session.parameters?.temperature ?? undefined);
  const [maxTokens, setMaxTokens] = useState(session.parameters?.max_tokens ?? undefined);
  const [tags, setTags] = useState<readonly string[]>(session.tags);
  const draft = [modelId, prompt, temperature, maxTokens, tags];
  const [begun] = useState(draft);
  const models = useQuery(allModels);
  const chats = chatModels(models.data?.items ?? []);
  const ofChannel = isOfChannel ? chats.find(({ id }) => id === session.model_id) : undefined;
  const usual = ofChannel ? t("asChannel", { name: ofChannel.name }) : t("asEverywhere");
  const take = (theirs: Partial<Setup>) => {
    if ("model_id" in theirs) setModelId(theirs.model_id ?? "");
    if ("system_prompt" in theirs) setPrompt(theirs.system_prompt ?? "");
    if ("parameters.temperature" in theirs) setTemperature(theirs["parameters.temperature"]);
    if ("parameters.max_tokens" in theirs) setMaxTokens(theirs["parameters.max_tokens"]);
    if ("tags" in theirs) setTags(theirs.tags ?? []);
  };
  const save = (ifMatch: number | undefined) =>
    tried(async () => {
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
    compared: compared<Setup>(
      {
        model_id: modelId,
        system_prompt: prompt,
        "parameters.temperature": temperature,
        "parameters.max_tokens": maxTokens,
        tags,
      },
      async () => setupOf(await parley.get("/api/sessions/{session_id}", { path: { session_id: session.id } })),
      take,
    ),
    theirs: tried(async () => release()),
    mine: save(theirRevision(error)),
  };
  const reset = () => {
    setModelId("");
    setPrompt("");
    setTemperature(undefined);
    setMaxTokens(undefined);
  };
  return (
    <Form isChanged={!isSame(draft, begun)} error={error} submit={save(seen)} meanwhile={meanwhile}>
      <Stack gap="sm">
        <ChoiceField
          name="model_id"
          label={t("answeredBy")}
          value={modelId}
          put={setModelId}
          data={[{ value: "", label: usual }, ...chats.map(({ id, name }) => ({ value: id, label: name }))]}
          testId="session-model"
        />
        <LongField
          name="system_prompt"
          label={t("systemPrompt")}
          description={t("systemPromptHint")}
          minRows={3}
          value={prompt}
          put={setPrompt}
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
            put={setTemperature}
            testId="session-temperature"
          />
          <NumberField
            name="parameters.max_tokens"
            label={t("maxTokens")}
            placeholder={t("asModel")}
            min={1}
            max={1_000_000}
            value={maxTokens}
            put={setMaxTokens}
            testId="session-max-tokens"
          />
        </SimpleGrid>
        <WordsField
          name="tags"
          label={t("tags")}
          value={tags}
          put={setTags}
          maxTags={MOST_TAGS}
          splitChars={[",", "，"]}
          testId="session-tags"
        />
        <FormFailure />
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
