import { Button, Group, SimpleGrid, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useDraftFault } from "../../resource/draft-fault.ts";
import { Field } from "../../resource/field.tsx";
import { type FormField, fieldsOf, isSame } from "../../resource/fields.ts";
import { isJsonDraft } from "../../resource/json-draft.ts";
import { useResources } from "../../shared/api/console.ts";
import { priced, useMoney } from "../../shared/i18n/money.ts";
import textCss from "../../shared/styles/text.module.css";
import { CancelButton } from "../../shared/ui/cancel-button.tsx";
import { theirRevision } from "../../shared/ui/changed-meanwhile.tsx";
import { useTried } from "../../shared/ui/common.tsx";
import { compared } from "../../shared/ui/differences.tsx";
import { ChoiceField, TextField } from "../../shared/ui/fields.tsx";
import { At, Form, FormFailure } from "../../shared/ui/form.tsx";
import { type Model, type ModelSettings, models, type Purpose, type ServerDraft, type Trial } from "./api.ts";
import { KeyChoice, keyHolders } from "./key-choice.tsx";
import { ListPriceOffer } from "./list-price-offer.tsx";
import { ModelName } from "./model-name.tsx";
import { PresetPicker } from "./preset-picker.tsx";
import type { Preset } from "./presets.ts";
import type { TextKey } from "./texts.ts";
import { purposeName, useTexts } from "./texts.ts";
import { TrialResult } from "./trial-result.tsx";

/** What the service takes for what a new model leaves out; the rest depends on its purpose. */
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

/** What stands in the form by itself, or has a place of its own on the page. */
const APART = new Set([
  ...["name", "purpose", "protocol", "base_url", "model", "enabled", "priority"],
  ...["api_key", "api_key_from"],
]);
/** What is looked at most; the rest is folded away. */
const COMMON = ["temperature", "max_tokens", "timeout_s"];
const TALKS = ["chat", "vision", "video"];
/** Fields that count for some purposes only. */
const PURPOSES_OF: Readonly<Record<string, readonly string[]>> = {
  temperature: TALKS,
  max_tokens: TALKS,
  top_p: TALKS,
  frequency_penalty: TALKS,
  presence_penalty: TALKS,
  supports_stream: TALKS,
  supports_tools: TALKS,
  supports_reasoning: TALKS,
  voice: ["tts"],
  audio_format: ["tts"],
  speed: ["tts"],
  pitch: ["tts"],
  volume: ["tts"],
  language: ["stt"],
  dimensions: ["embedding"],
};
const WIDE = new Set(["textarea", "json"]);

function startOf({ name, protocol, base_url, model }: Preset): Partial<ModelSettings> {
  return { name, protocol, base_url, model };
}

interface ServerParts {
  readonly model: Model | undefined;
  readonly protocol: string;
  readonly changes: Partial<ModelSettings>;
  readonly key: string;
  /** The model whose key is used. */
  readonly from: string;
}

/** The server that the form names so far. */
function serverOf({ model, protocol, changes: { base_url, api_key_env }, key, from }: ServerParts): ServerDraft {
  const isKept = from !== "" || (model !== undefined && model.protocol === protocol);
  const id = from || model?.id;
  return {
    ...(id !== undefined && { model_id: id }),
    ...(!isKept && { protocol }),
    ...(base_url && { base_url }),
    ...(api_key_env && { api_key_env }),
    ...(key && !from && { api_key: key }),
  };
}

/** What another model would be made of; its key stays where it was. */
function settingsOf(model: Model): ModelSettings {
  const { id, has_api_key, api_key_masked, is_active, created_at, updated_at, revision, ...settings } = model;
  return settings;
}

interface ModelFormProps {
  /** Undefined: a new one. */
  readonly model: Model | undefined;
  /** What a new one begins with. */
  readonly start: Preset | undefined;
  readonly purpose: Purpose["id"];
  readonly saved: () => Promise<unknown>;
  readonly done: () => void;
}

/** Only what was changed is sent: what is left alone keeps its value, or the default of its purpose. */
export function ModelForm({ model: given, start, purpose: shown, saved, done }: ModelFormProps) {
  const { t } = useTexts();
  const fault = useDraftFault();
  const [model, setModel] = useState(given);
  const known = useQuery({ queryKey: ["model"], queryFn: models.list });
  const protocols = useQuery({ queryKey: ["protocol"], queryFn: models.protocols });
  const purposes = useQuery({ queryKey: ["purpose"], queryFn: models.purposes });
  const resources = useResources();
  const { currency } = useMoney();
  const [begun, setBegun] = useState<Partial<ModelSettings>>(start ? startOf(start) : {});
  const [changes, setChanges] = useState(begun);
  const [preset, setPreset] = useState(start);
  const [key, setKey] = useState("");
  const [chosenFrom, setFrom] = useState<string>();
  const [trial, setTrial] = useState<Trial>();
  const { tried, isBusy, error } = useTried([]);

  const purpose = changes.purpose ?? model?.purpose ?? shown;
  const protocol = changes.protocol ?? model?.protocol ?? "openai_chat";
  const usable = (protocols.data?.items ?? []).filter(
    ({ id, purposes: can }) => id !== "offline" && can.includes(purpose),
  );
  const chosen = usable.find(({ id }) => id === protocol);
  const defaults = purposes.data?.items.find(({ id }) => id === purpose)?.defaults ?? {};
  const current = <Key extends keyof ModelSettings>(name: Key) =>
    changes[name] ?? model?.[name] ?? (defaults[name] as ModelSettings[Key] | undefined) ?? DEFAULTS[name];
  const form = resources.data?.items.find(({ kind }) => kind === "model")?.form;
  const fields = (form ? fieldsOf(form) : []).filter(
    ({ name }) => !APART.has(name) && (PURPOSES_OF[name] ?? [purpose]).includes(purpose),
  );
  const rare = fields.filter(({ name }) => !COMMON.includes(name));
  const isBroken = Object.values(changes).some(isJsonDraft);
  const put = (patch: Partial<ModelSettings>) => setChanges((before) => ({ ...before, ...patch }));
  const address = current("base_url") || (chosen?.default_base_url ?? "");
  const holders = keyHolders(known.data?.items ?? [], { id: model?.id, protocol, address });
  // A new one has the key that is there; where none fits any more, it is typed.
  const wanted = chosenFrom ?? (model || key ? "" : holders[0]?.id);
  const from = holders.find(({ id }) => id === wanted)?.id ?? "";
  const credential = { ...(from ? { api_key_from: from } : key && { api_key: key }) };
  const draft = { ...changes, protocol, ...credential };

  const create = (settings: Partial<ModelSettings> = {}) =>
    models.create({ name: "", model: "", ...settings, ...draft, purpose });
  const change = ({ id }: Model, ifMatch: number | undefined) => models.update(id, draft, ifMatch);
  const submitted = (store: () => Promise<unknown>) =>
    tried(async () => {
      await store();
      await saved();
      done();
    });
  const submit = submitted(() => (model ? change(model, model.revision) : create()));
  const begin = (stored: Model) => {
    setModel(stored);
    setBegun({});
    setChanges({});
    setKey("");
    setFrom(undefined);
  };
  const meanwhile = model && {
    id: model.id,
    compared: compared<ModelSettings>({ ...changes }, () => models.get(model.id), put),
    theirs: tried(async () => begin(await models.get(model.id))),
    mine: submitted(() => change(model, theirRevision(error))),
    anew: submitted(() => create(settingsOf(model))),
  };
  // A stored key never comes back to the page: it can be tried only together with what is stored.
  const test = tried(async () => {
    setTrial(undefined);
    if (!model) {
      const { base_url, api_key_env, model } = changes;
      const given = { ...(base_url && { base_url }), ...(api_key_env && { api_key_env }), ...(model && { model }) };
      setTrial(await models.testConnection({ protocol, ...given, ...credential }));
      return;
    }
    begin(await change(model, model.revision));
    await saved();
    setTrial(await models.test(model.id));
  });
  const text = (name: "name" | "base_url", label: TextKey) => ({
    name,
    label: t(label),
    value: current(name) ?? "",
    put: (value: string) => put({ [name]: value }),
  });
  const field = (one: FormField) => (
    <At key={one.name} name={one.name}>
      <Field
        field={{ ...one, isRequired: false, title: priced(one, currency) }}
        value={current(one.name as keyof ModelSettings)}
        error={fault(changes[one.name as keyof ModelSettings])}
        put={(value) => put({ [one.name]: value })}
      />
    </At>
  );
  const pick = (one: Preset | undefined) => {
    setPreset(one);
    if (one) put(startOf(one));
  };

  return (
    <Form
      isChanged={!isSame(changes, begun) || key !== "" || chosenFrom !== undefined}
      error={error}
      submit={submit}
      meanwhile={meanwhile}
    >
      <Stack gap="sm">
        {!model && purpose === "chat" && <PresetPicker preset={preset} pick={pick} />}
        <TextField {...text("name", "name")} required maxLength={100} data-autofocus />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <ChoiceField
            name="purpose"
            label={t("purpose")}
            value={purpose}
            disabled={model !== undefined}
            put={(purpose) => put({ purpose })}
            data={(purposes.data?.items ?? []).map((one) => ({ value: one.id, label: purposeName(one, t) }))}
          />
          <ChoiceField
            name="protocol"
            label={t("protocol")}
            value={protocol}
            put={(protocol) => put({ protocol })}
            data={usable.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </SimpleGrid>
        <TextField {...text("base_url", "baseUrl")} type="url" placeholder={chosen?.default_base_url ?? ""} />
        <KeyChoice model={model} holders={holders} from={from} choose={setFrom} typed={key} type={setKey} />
        <At name="model">
          <ModelName
            label={t("model")}
            value={current("model") ?? ""}
            put={(name) => put({ model: name })}
            server={serverOf({ model, protocol, changes, key, from })}
          />
        </At>
        <ListPriceOffer
          model={current("model") ?? ""}
          prices={{ input_price: current("input_price"), output_price: current("output_price") }}
          put={put}
        />
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          {fields.filter(({ name }) => COMMON.includes(name)).map(field)}
        </SimpleGrid>
        <details className={textCss.folded}>
          <summary>{t("allParameters")}</summary>
          <Stack gap="sm" mt="xs">
            <SimpleGrid cols={{ base: 1, sm: 2 }} style={{ alignItems: "end" }}>
              {rare.filter(({ kind }) => !WIDE.has(kind) && kind !== "switch").map(field)}
            </SimpleGrid>
            <SimpleGrid cols={{ base: 1, sm: 2 }} style={{ alignItems: "start" }}>
              {rare.filter(({ kind }) => kind === "switch").map(field)}
            </SimpleGrid>
            {rare.filter(({ kind }) => WIDE.has(kind)).map(field)}
          </Stack>
        </details>
        {trial && <TrialResult trial={trial} />}
        <FormFailure />
        <Group justify="flex-end" gap="xs">
          <CancelButton />
          <Button variant="default" onClick={test} loading={isBusy} disabled={!current("model") || isBroken}>
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
