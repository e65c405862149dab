import { Button, Group, NativeSelect, NumberInput, SimpleGrid, Stack, TagsInput, Textarea } from "@mantine/core";
import type { Session } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { isSame } from "../../resource/fields.ts";
import { ALL, parley } from "../../shared/api/client.ts";
import { useTried } from "../../shared/ui/common.tsx";
import { At, Form, FormFailure } from "../../shared/ui/form.tsx";
import { Dialog } from "../../shared/ui/page.tsx";
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
  const draft = [modelId, prompt, temperature, maxTokens, tags];
  const [begun] = useState(draft);
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
      <Form isChanged={!isSame(draft, begun) && !isBusy} error={error} submit={save}>
        <Stack gap="sm">
          <At name="model_id">
            <NativeSelect
              label={t("answeredBy")}
              value={modelId}
              onChange={({ currentTarget }) => setModelId(currentTarget.value)}
              data={[{ value: "", label: usual }, ...chats.map(({ id, name }) => ({ value: id, label: name }))]}
              data-testid="session-model"
            />
          </At>
          <At name="system_prompt">
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
          </At>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <At name="parameters.temperature">
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
            </At>
            <At name="parameters.max_tokens">
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
            </At>
          </SimpleGrid>
          <At name="tags">
            <TagsInput
              label={t("tags")}
              value={[...tags]}
              onChange={setTags}
              maxTags={MOST_TAGS}
              splitChars={[",", "，"]}
              data-testid="session-tags"
            />
          </At>
          <FormFailure />
          <Group justify="flex-end">
            <Button variant="subtle" onClick={reset} mr="auto" data-testid="reset-setup">
              {t("resetSetup")}
            </Button>
            <Button variant="default" onClick={close}>
              {t("cancel")}
            </Button>
            <Button type="submit" loading={isBusy} data-testid="save-setup">
              {t("save")}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  );
}

function numberOf(typed: string | number): number | "" {
  return typed === "" ? "" : Number(typed);
}

function orNull(value: number | ""): number | null {
  return value === "" ? null : value;
}
