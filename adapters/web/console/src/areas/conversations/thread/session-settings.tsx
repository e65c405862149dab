import { Button, Group, SimpleGrid, Stack } from "@mantine/core";
import type { Session } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { parley } from "../../../shared/api/client.ts";
import { RecordSelect } from "../../../shared/forms/record-select.tsx";
import { CancelButton } from "../../../shared/ui/form/cancel-button.tsx";
import { NumberField, SelectField, TagsField, TextareaField } from "../../../shared/ui/form/fields.tsx";
import { Form, FormControl, FormErrors } from "../../../shared/ui/form/form.tsx";
import { useRecordForm } from "../../../shared/ui/form/use-record-form.ts";
import { Dialog } from "../../../shared/ui/page/page.tsx";
import { allModelsQuery, filterChatModels } from "../models.ts";
import { useTexts } from "../texts.ts";
import { OwnSettings } from "./own-settings.tsx";
import { type ProactiveChanges, ProactiveSettings, toProactiveChat } from "./proactive-settings.tsx";
import { type Cast, SessionCharacters, toCast } from "./session-characters.tsx";

interface SessionSettingsProps {
  readonly session: Session;
  readonly isDeleted: boolean;
  readonly close: () => void;
}

const QUERY_KEYS = [["session"]] as const;
const MAX_TAGS = 32;

/** The settings of a conversation: model, parameters, system prompt and tags. */
export function SessionSettings(props: SessionSettingsProps) {
  const { t } = useTexts();
  return (
    <Dialog opened onClose={props.close} title={t("sessionSettings")} size="lg">
      <SettingsForm {...props} />
    </Dialog>
  );
}

interface Settings {
  readonly model_id: string;
  readonly persona_id: string;
  readonly system_prompt: string;
  readonly "parameters.temperature": number | undefined;
  readonly "parameters.max_tokens": number | undefined;
  readonly tags: readonly string[];
  readonly cast: Cast;
  /** Changed settings of when and how the bot answers. */
  readonly own: Readonly<Record<string, unknown>>;
  readonly proactive: ProactiveChanges;
}

const NO_CAST: Cast = { character_ids: [], speaker_order: "mention", absent: [] };
const NO_SETTINGS = {
  model_id: "",
  persona_id: "",
  system_prompt: "",
  "parameters.temperature": undefined,
  "parameters.max_tokens": undefined,
};

function toSettings(session: Session | undefined): Settings {
  if (!session) return { ...NO_SETTINGS, tags: [], cast: NO_CAST, own: {}, proactive: {} };
  const { persona_id, system_prompt, parameters, tags } = session;
  return {
    model_id: isModelOfChannel(session) ? "" : (session.model_id ?? ""),
    persona_id: persona_id ?? "",
    system_prompt,
    "parameters.temperature": parameters?.temperature ?? undefined,
    "parameters.max_tokens": parameters?.max_tokens ?? undefined,
    tags,
    cast: toCast(session),
    own: {},
    proactive: {},
  };
}

function isModelOfChannel({ from_channel }: Session): boolean {
  return from_channel?.includes("model_id") === true;
}

function toBody({ model_id, persona_id, system_prompt, tags, cast, own, proactive, ...parameters }: Settings) {
  const temperature = parameters["parameters.temperature"] ?? null;
  const max_tokens = parameters["parameters.max_tokens"] ?? null;
  const proactive_chat = toProactiveChat(proactive);
  return {
    ...own,
    // Sent only when changed, since it needs the right to write to people.
    ...(proactive_chat && { proactive_chat }),
    character_ids: cast.character_ids,
    speaker_order: cast.speaker_order,
    model_id: model_id || null,
    persona_id: persona_id || null,
    system_prompt,
    parameters: { temperature, max_tokens },
    tags,
  };
}

/** Stores the settings, and who is present where that changed. */
async function saveSettings(id: string, draft: Settings, ifMatch: number | undefined) {
  const path = { session_id: id };
  const saved = await parley.put("/api/sessions/{session_id}", { path, body: toBody(draft), ifMatch });
  const { character_ids, absent } = draft.cast;
  const isSame =
    absent.length === toCast(saved).absent.length && absent.every((one) => toCast(saved).absent.includes(one));
  const present = character_ids.filter((one) => !absent.includes(one));
  if (isSame || present.length === 0) return saved;
  return parley.put("/api/sessions/{session_id}/scene", { path, body: { present } });
}

function SettingsForm({ session, isDeleted, close }: SessionSettingsProps) {
  const { t } = useTexts();
  const path = { session_id: session.id };
  const { props, update, field, draft, isBusy } = useRecordForm({
    queryKeys: QUERY_KEYS,
    record: session,
    isRemoved: isDeleted,
    toDraft: toSettings,
    read: () => parley.get("/api/sessions/{session_id}", { path }),
    change: (_, draft, ifMatch) => saveSettings(session.id, draft, ifMatch),
    onSaved: close,
  });
  const models = useQuery(allModelsQuery);
  const chatModels = filterChatModels(models.data?.items ?? []);
  const channelModel = isModelOfChannel(session) ? chatModels.find(({ id }) => id === session.model_id) : undefined;
  const defaultLabel = channelModel ? t("channelModel", { name: channelModel.name }) : t("defaultModel");
  return (
    <Form {...props}>
      <Stack gap="sm">
        <SelectField
          label={t("answeredBy")}
          {...field("model_id")}
          data={[{ value: "", label: defaultLabel }, ...chatModels.map(({ id, name }) => ({ value: id, label: name }))]}
          testId="session-model"
        />
        <FormControl name="persona_id">
          <RecordSelect kind="persona" label={t("persona")} description={t("personaHint")} {...field("persona_id")} />
        </FormControl>
        {session.session_mode === "character" && (
          <SessionCharacters cast={draft.cast} onChange={(change) => update({ cast: { ...draft.cast, ...change } })} />
        )}
        <TextareaField
          label={t("systemPrompt")}
          description={t("systemPromptHint")}
          minRows={3}
          {...field("system_prompt")}
          testId="session-prompt"
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NumberField
            label={t("temperature")}
            placeholder={t("modelDefault")}
            min={0}
            max={2}
            step={0.1}
            {...field("parameters.temperature")}
            testId="session-temperature"
          />
          <NumberField
            label={t("maxTokens")}
            placeholder={t("modelDefault")}
            min={1}
            max={1_000_000}
            {...field("parameters.max_tokens")}
            testId="session-max-tokens"
          />
        </SimpleGrid>
        <OwnSettings session={session} changed={draft.own} onChange={(own) => update({ own })} />
        <ProactiveSettings
          session={session}
          changed={draft.proactive}
          onChange={(proactive) => update({ proactive })}
        />
        <TagsField
          label={t("tags")}
          {...field("tags")}
          maxTags={MAX_TAGS}
          splitChars={[",", "，"]}
          testId="session-tags"
        />
        <FormErrors />
        <Group justify="flex-end">
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => update(NO_SETTINGS)}
            mr="auto"
            data-testid="reset-setup"
          >
            {t("resetSettings")}
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
