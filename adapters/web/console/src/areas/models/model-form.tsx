import {
  Anchor,
  Button,
  Group,
  NativeSelect,
  NumberInput,
  PasswordInput,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Failure, useTried } from "../../shared/ui/common.tsx";
import { type Model, type ModelSettings, models, type Purpose, type Trial } from "./api.ts";
import { PRESETS, type Preset } from "./presets.ts";
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

type NumberKey = {
  [Key in keyof ModelSettings]: ModelSettings[Key] extends number ? Key : never;
}[keyof ModelSettings];
interface NumberField {
  readonly key: NumberKey;
  readonly label: TextKey;
  readonly min: number;
  readonly max: number;
  readonly step?: number;
}
const COMMON: readonly NumberField[] = [
  { key: "temperature", label: "temperature", min: 0, max: 2, step: 0.1 },
  { key: "max_tokens", label: "maxTokens", min: 1, max: 1_000_000 },
  { key: "timeout_s", label: "timeout", min: 1, max: 600 },
];
const RARE: readonly NumberField[] = [
  { key: "top_p", label: "topP", min: 0, max: 1, step: 0.05 },
  { key: "max_context_length", label: "maxContext", min: 1000, max: 10_000_000, step: 1000 },
  { key: "frequency_penalty", label: "frequencyPenalty", min: -2, max: 2, step: 0.1 },
  { key: "presence_penalty", label: "presencePenalty", min: -2, max: 2, step: 0.1 },
  { key: "retry_count", label: "retryCount", min: 0, max: 10 },
  { key: "failover_timeout_s", label: "failoverTimeout", min: 0, max: 600 },
  { key: "token_limit_daily", label: "dailyLimit", min: 0, max: Number.MAX_SAFE_INTEGER, step: 10_000 },
  { key: "token_limit_weekly", label: "weeklyLimit", min: 0, max: Number.MAX_SAFE_INTEGER, step: 10_000 },
  { key: "input_price", label: "inputPrice", min: 0, max: 1_000_000, step: 0.1 },
  { key: "output_price", label: "outputPrice", min: 0, max: 1_000_000, step: 0.1 },
];
const SWITCHES = [
  ["supports_stream", "supportsStream"],
  ["supports_tools", "supportsTools"],
  ["supports_reasoning", "supportsReasoning"],
  ["append_base_url_path", "appendPath"],
] as const;

function fieldsOf({ name, protocol, base_url, model }: Preset): Partial<ModelSettings> {
  return { name, protocol, base_url, model };
}

interface PresetPickerProps {
  readonly preset: Preset | undefined;
  readonly pick: (preset: Preset | undefined) => void;
}

/** Fills in what is known of a provider, and says what it needs. */
function PresetPicker({ preset, pick }: PresetPickerProps) {
  const { t } = useTexts();
  return (
    <div>
      <NativeSelect
        label={t("preset")}
        value={preset?.id ?? ""}
        onChange={({ currentTarget }) => pick(PRESETS.find(({ id }) => id === currentTarget.value))}
        data={[{ value: "", label: t("ownPreset") }, ...PRESETS.map(({ id, name }) => ({ value: id, label: name }))]}
        data-testid="model-preset"
      />
      {preset && (
        <Text size="xs" c="dimmed" mt={4}>
          {t(preset.needs)}{" "}
          <Anchor href={preset.page} target="_blank" rel="noreferrer" size="xs">
            {new URL(preset.page).host}
          </Anchor>
        </Text>
      )}
    </div>
  );
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
export function ModelForm({ model, start, purpose: shown, saved, done }: ModelFormProps) {
  const { t } = useTexts();
  const protocols = useQuery({ queryKey: ["protocol"], queryFn: models.protocols });
  const purposes = useQuery({ queryKey: ["purpose"], queryFn: models.purposes });
  const [changes, setChanges] = useState<Partial<ModelSettings>>(start ? fieldsOf(start) : {});
  const [preset, setPreset] = useState(start);
  const [key, setKey] = useState("");
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
  const put = (patch: Partial<ModelSettings>) => setChanges((before) => ({ ...before, ...patch }));
  const draft = { ...changes, protocol, ...(key && { api_key: key }) };

  const save = () =>
    model ? models.update(model.id, draft) : models.create({ name: "", model: "", ...draft, purpose });
  const submit = tried(async () => {
    await save();
    await saved();
    done();
  });
  // A stored key never comes back to the page: it can be tried only together with what is stored.
  const test = tried(async () => {
    setTrial(undefined);
    if (!model) {
      const { base_url, api_key_env, model: name } = changes;
      const given = {
        ...(base_url && { base_url }),
        ...(api_key_env && { api_key_env }),
        ...(name && { model: name }),
      };
      setTrial(await models.testConnection({ protocol, ...given, ...(key && { api_key: key }) }));
      return;
    }
    await save();
    await saved();
    setTrial(await models.test(model.id));
  });
  const text = (name: "name" | "base_url" | "model" | "api_key_env", label: TextKey) => ({
    label: t(label),
    value: current(name) ?? "",
    onChange: ({ currentTarget }: React.ChangeEvent<HTMLInputElement>) =>
      put({ [name]: currentTarget.value || (name === "api_key_env" ? null : "") }),
  });
  const number = ({ key: name, label, min, max, step = 1 }: NumberField) => (
    <NumberInput
      key={name}
      label={t(label)}
      min={min}
      max={max}
      step={step}
      value={current(name) ?? ""}
      onChange={(value) => value !== "" && put({ [name]: Number(value) })}
    />
  );
  const pick = (one: Preset | undefined) => {
    setPreset(one);
    if (one) put(fieldsOf(one));
  };
  const onSubmit = (event: React.FormEvent) => {
    event.preventDefault();
    submit();
  };

  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm">
        {!model && purpose === "chat" && <PresetPicker preset={preset} pick={pick} />}
        <TextInput {...text("name", "name")} required maxLength={100} data-autofocus />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NativeSelect
            label={t("purpose")}
            value={purpose}
            disabled={model !== undefined}
            onChange={({ currentTarget }) => put({ purpose: currentTarget.value as Purpose["id"] })}
            data={(purposes.data?.items ?? []).map((one) => ({ value: one.id, label: purposeName(one, t) }))}
          />
          <NativeSelect
            label={t("protocol")}
            value={protocol}
            onChange={({ currentTarget }) => put({ protocol: currentTarget.value })}
            data={usable.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </SimpleGrid>
        <TextInput {...text("base_url", "baseUrl")} type="url" placeholder={chosen?.default_base_url ?? ""} />
        <TextInput {...text("model", "model")} required maxLength={200} />
        <PasswordInput
          label={t("apiKey")}
          description={t(model?.has_api_key ? "keyKept" : "keyHint")}
          autoComplete="off"
          value={key}
          onChange={({ currentTarget }) => setKey(currentTarget.value)}
          placeholder={model?.api_key_masked ?? ""}
        />
        <SimpleGrid cols={{ base: 1, sm: 3 }}>{COMMON.map(number)}</SimpleGrid>
        <details className="folded">
          <summary>{t("allParameters")}</summary>
          <Stack gap="sm" mt="xs">
            <TextInput
              {...text("api_key_env", "keyEnv")}
              description={t("keyEnvHint")}
              placeholder={chosen?.key_env ?? ""}
            />
            <SimpleGrid cols={{ base: 1, sm: 2 }}>{RARE.map(number)}</SimpleGrid>
            <Textarea
              label={t("systemPrompt")}
              autosize
              minRows={2}
              maxRows={8}
              value={current("system_prompt") ?? ""}
              onChange={({ currentTarget }) => put({ system_prompt: currentTarget.value })}
            />
            <Group gap="lg">
              {SWITCHES.map(([name, label]) => (
                <Switch
                  key={name}
                  label={t(label)}
                  checked={current(name) ?? false}
                  onChange={({ currentTarget }) => put({ [name]: currentTarget.checked })}
                />
              ))}
            </Group>
          </Stack>
        </details>
        {trial && <TrialResult trial={trial} />}
        <Failure error={error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={test} loading={isBusy} disabled={!current("model")}>
            {t(model ? "saveAndTest" : "testConnection")}
          </Button>
          <Button type="submit" loading={isBusy}>
            {t("save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
