import { Button, Group, NativeSelect, NumberInput, SimpleGrid, Stack, TagsInput, Textarea } from "@mantine/core";
import type { Session } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { isSame } from "../../resource/fields.ts";
import { ALL, parley } from "../../shared/api/client.ts";
import { Failure, useTried } from "../../shared/ui/common.tsx";
import { Dialog } from "../../shared/ui/page.tsx";
import { UnsavedGuard } from "../../shared/ui/unsaved.tsx";
import { useTexts } from "./texts.ts";

interface SessionSetupProps {
  readonly session: Session;
  readonly close: () => void;
}

const CHANGED = [["session"]] as const;
const MOST_TAGS = 32;

/** Who answers in a conversation, what it is told first, and under which tags the conversation is found. */
export function SessionSetup({ session, close }: SessionSetupProps) {
  const { t } = useTexts();
  const { tried, isBusy, error } = useTried(CHANGED);
  const isOfChannel = session.from_channel?.includes("model_id") === true;
  const [modelId, setModelId] = useState(isOfChannel ? "" : (session.model_id ?? ""));
  const [prompt, setPrompt] = useState(session.system_prompt);
  const [temperature, setTemperature] = useState<number | "">(session.parameters?.temperature ?? "");
  const [maxTokens, setMaxTokens] = useState<number | "">(session.parameters?.max_tokens ?? "");
  const [tags, setTags] = useState<readonly string[]>(session.tags);
  const [begun] = useState([modelId, prompt, tags]);
  const models = useQuery({ queryKey: ["model", "all"], queryFn: () => parley.get("/api/ai-models", { query: ALL }) });
  const chats = (models.data?.items ?? []).filter(({ purpose, enabled }) => purpose === "chat" && enabled);
  const ofChannel = isOfChannel ? chats.find(({ id }) => id === session.model_id) : undefined;
  const usual = ofChannel ? t("asChannel", { name: ofChannel.name }) : t("asEverywhere");
  const save = tried(async () => {
    const parameters = { temperature: orNull(temperature), max_tokens: orNull(maxTokens) };
    const body = { model_id: modelId || null, system_prompt: prompt, parameters, tags: [...tags] };
    await parley.put("/api/sessions/{session_id}", { path: { session_id: session.id }, body });
    close();
  });
  const reset = () => {
    setModelId("");
    setPrompt("");
    setTemperature("");
    setMaxTokens("");
  };
  return (
    <Dialog opened onClose={close} title={t("setup")} size="lg">
      <UnsavedGuard isChanged={!isSame([modelId, prompt, tags], begun) && !isBusy} />
      <Stack gap="sm">
        <NativeSelect
          label={t("answeredBy")}
          value={modelId}
          onChange={({ currentTarget }) => setModelId(currentTarget.value)}
          data={[{ value: "", label: usual }, ...chats.map(({ id, name }) => ({ value: id, label: name }))]}
          data-testid="session-model"
        />
        <Textarea
          label={t("systemPrompt")}
          description={t("systemPromptHint")}
          autosize
          minRows={3}
          maxRows={14}
          value={prompt}
          onChange={({ currentTarget }) => setPrompt(currentTarget.value)}
          data-testid="session-prompt"
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NumberInput
            label={t("temperature")}
            placeholder={t("asModel")}
            min={0}
            max={2}
            step={0.1}
            value={temperature}
            onChange={(next) => setTemperature(numberOf(next))}
            data-testid="session-temperature"
          />
          <NumberInput
            label={t("maxTokens")}
            placeholder={t("asModel")}
            min={1}
            max={1_000_000}
            allowDecimal={false}
            value={maxTokens}
            onChange={(next) => setMaxTokens(numberOf(next))}
            data-testid="session-max-tokens"
          />
        </SimpleGrid>
        <TagsInput
          label={t("tags")}
          value={[...tags]}
          onChange={setTags}
          maxTags={MOST_TAGS}
          splitChars={[",", "，"]}
          data-testid="session-tags"
        />
        <Failure error={error} />
        <Group justify="flex-end">
          <Button variant="subtle" onClick={reset} mr="auto" data-testid="reset-setup">
            {t("resetSetup")}
          </Button>
          <Button variant="default" onClick={close}>
            {t("cancel")}
          </Button>
          <Button onClick={save} loading={isBusy} data-testid="save-setup">
            {t("save")}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function numberOf(typed: string | number): number | "" {
  return typed === "" ? "" : Number(typed);
}

function orNull(value: number | ""): number | null {
  return value === "" ? null : value;
}
