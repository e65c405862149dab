import { Button, Group, SimpleGrid, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useResources } from "../../../shared/api/console.ts";
import { Field } from "../../../shared/forms/field.tsx";
import { type FormField, toFormFields } from "../../../shared/forms/form-fields.ts";
import { isJsonDraft } from "../../../shared/forms/json-draft.ts";
import { useDraftError } from "../../../shared/forms/use-draft-error.ts";
import { addCurrency, useMoney } from "../../../shared/i18n/use-money.ts";
import { isDeepEqual } from "../../../shared/is-deep-equal.ts";
import { toJsonObject } from "../../../shared/json-object.ts";
import textCss from "../../../shared/styles/text.module.css";
import { useAction } from "../../../shared/ui/common.tsx";
import { CancelButton } from "../../../shared/ui/form/cancel-button.tsx";
import { createComparison } from "../../../shared/ui/form/conflict-differences.tsx";
import { getConflictRevision } from "../../../shared/ui/form/edit-conflict.tsx";
import { SelectField, TextField } from "../../../shared/ui/form/fields.tsx";
import { Form, FormControl, FormErrors } from "../../../shared/ui/form/form.tsx";
import {
  type Model,
  type ModelSettings,
  models,
  type Purpose,
  type ServerConnection,
  type TestResult,
} from "../api.ts";
import { ConnectionTestResult } from "../connection-test-result.tsx";
import { type TextKey, toPurposeName, useTexts } from "../texts.ts";
import { ApiKeyField, findModelsWithKey } from "./api-key-field.tsx";
import { ListPriceSuggestion } from "./list-price-suggestion.tsx";
import { ModelNameField } from "./model-name-field.tsx";
import { PresetPicker } from "./preset-picker.tsx";
import type { Preset } from "./presets.ts";

/** The service's defaults for fields that a new model omits; further defaults depend on the purpose. */
const DEFAULTS: Partial<ModelSettings> = {
  top_p: 0.9,
  frequency_penalty: 0,
  presence_penalty: 0,
  max_context_length: 100_000,
  timeout_s: 60,
  retry_count: 3,
  input_price: 0,
  output_price: 0,
  append_base_url_path: true,
  failover_timeout_s: 0,
  token_limit_daily: 0,
  token_limit_weekly: 0,
};

/** Fields that have their own controls in the form or elsewhere on the page. */
const OWN_FIELDS = new Set([
  ...["name", "purpose", "protocol", "base_url", "model", "enabled", "priority"],
  ...["api_key", "api_key_from"],
]);
/** Frequent fields; the others are collapsed. */
const COMMON_FIELDS = ["temperature", "max_tokens", "timeout_s"];
const CHAT_PURPOSES = ["chat", "vision", "video", "gate"];
/** Purposes of fields that not all models have. */
const FIELD_PURPOSES: Readonly<Record<string, readonly string[]>> = {
  temperature: CHAT_PURPOSES,
  max_tokens: CHAT_PURPOSES,
  top_p: CHAT_PURPOSES,
  frequency_penalty: CHAT_PURPOSES,
  presence_penalty: CHAT_PURPOSES,
  supports_stream: CHAT_PURPOSES,
  supports_tools: CHAT_PURPOSES,
  supports_reasoning: CHAT_PURPOSES,
  voice: ["tts"],
  audio_format: ["tts"],
  speed: ["tts"],
  pitch: ["tts"],
  volume: ["tts"],
  language: ["stt"],
  dimensions: ["embedding"],
};
const WIDE_KINDS = new Set(["textarea", "json"]);

function fromPreset(preset: Preset | undefined): Partial<ModelSettings> {
  if (!preset) return {};
  const { id: provider, name, protocol, base_url, model } = preset;
  return { provider, name, protocol, base_url, model };
}

interface ServerInput {
  readonly model: Model | undefined;
  readonly protocol: string;
  readonly changes: Partial<ModelSettings>;
  readonly key: string;
  /** Id of the model whose API key is used. */
  readonly sourceId: string;
}

/** Returns the server connection as currently entered in the form. */
function toServer({
  model,
  protocol,
  changes: { base_url, api_key_env },
  key,
  sourceId,
}: ServerInput): ServerConnection {
  const isKeyStored = sourceId !== "" || (model !== undefined && model.protocol === protocol);
  const id = sourceId || model?.id;
  return {
    ...(id !== undefined && { model_id: id }),
    ...(!isKeyStored && { protocol }),
    ...(base_url && { base_url }),
    ...(api_key_env && { api_key_env }),
    ...(key && !sourceId && { api_key: key }),
  };
}

/** Returns the settings of a model, to create another one with them; the API key is not included. */
function toSettings(model: Model): ModelSettings {
  const { id, has_api_key, api_key_masked, is_active, created_at, updated_at, revision, ...settings } = model;
  return settings;
}

interface ModelFormProps {
  /** Undefined for a new model. */
  readonly model: Model | undefined;
  readonly preset: Preset | undefined;
  readonly purpose: Purpose["id"];
  readonly onSaved: () => Promise<unknown>;
  readonly onDone: () => void;
}

/** The form of a model. It sends only changed fields; others keep their value or get the default of their purpose. */
export function ModelForm(props: ModelFormProps) {
  const { onSaved, onDone } = props;
  const { t } = useTexts();
  const toDraftError = useDraftError();
  const [model, setModel] = useState(props.model);
  const modelsQuery = useQuery({ queryKey: ["model"], queryFn: models.list });
  const protocols = useQuery({ queryKey: ["protocol"], queryFn: models.listProtocols });
  const purposes = useQuery({ queryKey: ["purpose"], queryFn: models.listPurposes });
  const resources = useResources();
  const { currency } = useMoney();
  const [initialChanges, setInitialChanges] = useState(() => fromPreset(props.preset));
  const [changes, setChanges] = useState(initialChanges);
  const [preset, setPreset] = useState(props.preset);
  const [key, setKey] = useState("");
  const [source, setSource] = useState<string>();
  const [trial, setTrial] = useState<TestResult>();
  const { toHandler, isBusy, error } = useAction([]);

  const purpose = changes.purpose ?? model?.purpose ?? props.purpose;
  const protocol = changes.protocol ?? model?.protocol ?? "openai_chat";
  const usableProtocols = (protocols.data?.items ?? []).filter(
    ({ id, purposes: supported }) => id !== "offline" && supported.includes(purpose),
  );
  const selectedProtocol = usableProtocols.find(({ id }) => id === protocol);
  const defaults = purposes.data?.items.find(({ id }) => id === purpose)?.defaults ?? {};
  // An emptied field is null, so that no default takes its place.
  const getValue = <Key extends keyof ModelSettings>(name: Key) =>
    [changes[name], model?.[name], DEFAULTS[name]].find((value) => value !== undefined);
  const findValue = (name: string) =>
    [changes, model, defaults, DEFAULTS]
      .map((values) => toJsonObject(values)[name])
      .find((value) => value !== undefined);
  const form = resources.data?.items.find(({ kind }) => kind === "model")?.form;
  const fields = (form ? toFormFields(form) : []).filter(
    ({ name }) => !OWN_FIELDS.has(name) && (FIELD_PURPOSES[name] ?? [purpose]).includes(purpose),
  );
  const rareFields = fields.filter(({ name }) => !COMMON_FIELDS.includes(name));
  const isBroken = Object.values(changes).some(isJsonDraft);
  const update = (patch: Partial<ModelSettings>) => setChanges((before) => ({ ...before, ...patch }));
  const defaultUrl = selectedProtocol?.default_base_url ?? "";
  const address = getValue("base_url") || defaultUrl;
  const sources = findModelsWithKey(modelsQuery.data?.items ?? [], { id: model?.id, protocol, address });
  // A new model starts with a stored key for the same server, if there is one.
  const keySourceId = source ?? (model || key ? "" : sources[0]?.id);
  const sourceId = sources.find(({ id }) => id === keySourceId)?.id ?? "";
  const credential = { ...(sourceId ? { api_key_from: sourceId } : key && { api_key: key }) };
  const draft = { ...changes, protocol, ...credential };

  const create = (settings: Partial<ModelSettings> = {}) =>
    models.create({ name: "", model: "", ...settings, ...draft, purpose });
  const change = ({ id }: Model, ifMatch: number | undefined) => models.update(id, draft, ifMatch);
  const toSubmitHandler = (store: () => Promise<unknown>) =>
    toHandler(async () => {
      await store();
      await onSaved();
      onDone();
    });
  const submit = toSubmitHandler(() => (model ? change(model, model.revision) : create()));
  const editStored = (stored: Model) => {
    setModel(stored);
    setInitialChanges({});
    setChanges({});
    setKey("");
    setSource(undefined);
  };
  const conflict = model && {
    id: model.id,
    comparison: createComparison<ModelSettings>({ ...changes }, () => models.get(model.id), update),
    onTakeTheirs: toHandler(async () => editStored(await models.get(model.id))),
    onKeepMine: toSubmitHandler(() => change(model, getConflictRevision(error))),
    onSaveAsNew: toSubmitHandler(() => create(toSettings(model))),
  };
  // Stored keys are never sent to the page, so an existing model is saved first and then tested.
  const test = toHandler(async () => {
    setTrial(undefined);
    if (!model) {
      const { base_url, api_key_env, model } = changes;
      const connection = {
        ...(base_url && { base_url }),
        ...(api_key_env && { api_key_env }),
        ...(model && { model }),
      };
      setTrial(await models.testConnection({ protocol, ...connection, ...credential }));
      return;
    }
    editStored(await change(model, model.revision));
    await onSaved();
    setTrial(await models.test(model.id));
  });
  const textField = (name: "name" | "base_url", label: TextKey) => ({
    name,
    label: t(label),
    value: getValue(name) ?? "",
    onChange: (value: string) => update({ [name]: value }),
  });
  const renderField = (one: FormField) => (
    <FormControl key={one.name} name={one.name}>
      <Field
        field={{ ...one, isRequired: false, title: addCurrency(one, currency) }}
        value={findValue(one.name)}
        error={toDraftError(toJsonObject(changes)[one.name])}
        onChange={(value) => update({ [one.name]: value })}
      />
    </FormControl>
  );
  const applyPreset = (one: Preset | undefined) => {
    setPreset(one);
    update(fromPreset(one));
  };

  return (
    <Form
      isChanged={!isDeepEqual(changes, initialChanges) || key !== "" || source !== undefined}
      error={error}
      onSubmit={submit}
      conflict={conflict}
    >
      <Stack gap="sm">
        {!model && purpose === "chat" && <PresetPicker preset={preset} onSelect={applyPreset} />}
        <TextField {...textField("name", "name")} required maxLength={100} data-autofocus />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <SelectField
            name="purpose"
            label={t("purpose")}
            value={purpose}
            disabled={model !== undefined}
            onChange={(purpose) => update({ purpose })}
            data={(purposes.data?.items ?? []).map((one) => ({ value: one.id, label: toPurposeName(one, t) }))}
          />
          <SelectField
            name="protocol"
            label={t("protocol")}
            value={protocol}
            onChange={(protocol) => update({ protocol })}
            data={usableProtocols.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </SimpleGrid>
        <TextField {...textField("base_url", "baseUrl")} type="url" placeholder={defaultUrl} />
        <ApiKeyField
          model={model}
          sources={sources}
          sourceId={sourceId}
          onSelect={setSource}
          apiKey={key}
          onType={setKey}
        />
        <FormControl name="model">
          <ModelNameField
            label={t("model")}
            value={getValue("model") ?? ""}
            onChange={(name) => update({ model: name })}
            server={toServer({ model, protocol, changes, key, sourceId })}
          />
        </FormControl>
        <ListPriceSuggestion
          model={getValue("model") ?? ""}
          prices={{ input_price: getValue("input_price"), output_price: getValue("output_price") }}
          onChange={update}
        />
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          {fields.filter(({ name }) => COMMON_FIELDS.includes(name)).map(renderField)}
        </SimpleGrid>
        <details className={textCss.folded}>
          <summary>{t("allParameters")}</summary>
          <Stack gap="sm" mt="xs">
            <SimpleGrid cols={{ base: 1, sm: 2 }} style={{ alignItems: "end" }}>
              {rareFields.filter(({ kind }) => !WIDE_KINDS.has(kind) && kind !== "switch").map(renderField)}
            </SimpleGrid>
            <SimpleGrid cols={{ base: 1, sm: 2 }} style={{ alignItems: "start" }}>
              {rareFields.filter(({ kind }) => kind === "switch").map(renderField)}
            </SimpleGrid>
            {rareFields.filter(({ kind }) => WIDE_KINDS.has(kind)).map(renderField)}
          </Stack>
        </details>
        {trial && <ConnectionTestResult trial={trial} />}
        <FormErrors />
        <Group justify="flex-end" gap="xs">
          <CancelButton />
          <Button variant="default" onClick={test} loading={isBusy} disabled={!getValue("model") || isBroken}>
            {t(model ? "saveAndTest" : "testConnection")}
          </Button>
          <Button type="submit" loading={isBusy} disabled={isBroken} data-testid="save-model">
            {t("save")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
