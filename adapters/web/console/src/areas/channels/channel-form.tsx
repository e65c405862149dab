import { Button, Code, Fieldset, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import {
  CAPABILITIES,
  type Capability,
  type Channel,
  type ChannelPatch,
  channels,
  type RegisteredWebhook,
} from "../../shared/api/channels.ts";
import { stringifyJson } from "../../shared/forms/json-text.ts";
import { type FormSchema, SchemaFields, type SchemaValues, useSchemaValues } from "../../shared/forms/schema-form.tsx";
import textCss from "../../shared/styles/text.module.css";
import { useAction } from "../../shared/ui/common.tsx";
import { CancelButton } from "../../shared/ui/form/cancel-button.tsx";
import { createComparison } from "../../shared/ui/form/conflict-differences.tsx";
import { getConflictRevision } from "../../shared/ui/form/edit-conflict.tsx";
import { SwitchField, TextField } from "../../shared/ui/form/fields.tsx";
import { Form, FormErrors } from "../../shared/ui/form/form.tsx";
import { DescriptionField } from "../../shared/ui/form/text-fields.tsx";
import { ChannelGuide } from "./channel-guide.tsx";
import { ChannelSecrets, type TypedSecrets } from "./channel-secrets.tsx";
import { settingsThat, titled } from "./setting-titles.ts";
import type { TextKey } from "./texts.ts";
import { useTexts } from "./texts.ts";
import { usePublicUrl } from "./use-public-url.ts";
import { WebhookAddress, WebhookRegistration } from "./webhook-address.tsx";

const CAPABILITY_TEXTS: Readonly<Record<Capability, TextKey>> = {
  supports_stream: "canStream",
  supports_progress_updates: "canProgress",
  supports_file_send: "canFiles",
  supports_stop: "canStop",
  supports_tools: "canTools",
};

type Values = Readonly<Record<string, unknown>>;

/** A channel as the fields of its form are named. */
function toFormValues({
  name,
  description,
  enabled,
  capabilities = {},
  config = {},
}: Partial<Channel> | ChannelPatch): Values {
  const within = (place: string, values: object) =>
    Object.entries(values).map(([key, value]) => [`${place}.${key}`, value] as const);
  const own = Object.entries({ name, description, enabled }).filter(([, value]) => value !== undefined);
  return Object.fromEntries([...own, ...within("capabilities", capabilities), ...within("config", config)]);
}

/** The other way round. */
function fromFormValues(named: Values): Partial<Draft> & { readonly config: Values } {
  const within = (place: string) =>
    Object.entries(named).flatMap(([name, value]) =>
      name.startsWith(`${place}.`) ? [[name.slice(place.length + 1), value] as const] : [],
    );
  const capabilities = within("capabilities");
  return {
    ...Object.fromEntries(Object.entries(named).filter(([name]) => !name.includes("."))),
    ...(capabilities.length > 0 && { capabilities: Object.fromEntries(capabilities) }),
    config: Object.fromEntries(within("config")),
  };
}

interface ChannelFormProps {
  readonly channel: Channel;
  /** Just added: it is switched on by the first save. */
  readonly isNew: boolean;
}

type Draft = Required<Pick<ChannelPatch, "name" | "description" | "capabilities" | "enabled">>;

/** The form of a whole channel with one Save: type, secrets, settings and webhook address. */
export function ChannelForm({ channel: latest, isNew }: ChannelFormProps) {
  const { t, language } = useTexts();
  const [snapshot, setSnapshot] = useState(latest);
  const channel = snapshot.revision === latest.revision ? latest : snapshot;
  const { id, config, config_schema, webhook_path } = channel;
  const registers = channel.type === "imB" && channel.transport === "webhook";
  const [edits, setEdits] = useState<Partial<Draft>>(isNew ? { enabled: true } : {});
  const [secrets, setSecrets] = useState<TypedSecrets>({});
  const [address, setAddress] = useState<string>();
  const [registered, setRegistered] = useState<RegisteredWebhook>();
  const [isSaved, setSaved] = useState(false);
  const schema = titled(toFormSchema(config_schema, registers), language, (title) => t("variableOf", { title }));
  const settings = useSchemaValues(schema, config, () => setSaved(false));
  const here = `${usePublicUrl()}${webhook_path ?? ""}`;
  const url = address ?? (String(config.webhook_url ?? "") || here);
  const isNewAddress = registers && url.startsWith("https://") && (address !== undefined || isNew);
  const { toHandler, isBusy, error } = useAction([["channel"]]);
  const touch = <Value,>(set: (value: Value) => void) => {
    return (value: Value) => {
      setSaved(false);
      set(value);
    };
  };
  const typed = Object.fromEntries(Object.entries(secrets).filter(([, value]) => value !== ""));
  const patch: ChannelPatch = {
    ...edits,
    ...(settings.isChanged && { config: settings.changed }),
    ...(Object.keys(typed).length > 0 && { secrets: typed }),
  };
  const isPatched = Object.keys(patch).length > 0;
  const isChanged = Object.keys(patch).length > (isNew ? 1 : 0) || address !== undefined;
  // What others store is shown as soon as nothing is unsaved here.
  if (latest.revision > snapshot.revision && !isChanged) setSnapshot(latest);
  const begin = (stored: Channel) => {
    setSnapshot(stored);
    setEdits({});
    setSecrets({});
    settings.clear();
  };
  const save = (ifMatch: number | undefined) => {
    setRegistered(undefined);
    void toHandler(async () => {
      // An update that changes nothing is refused, and an address alone is not part of one.
      if (isPatched) begin(await channels.update(id, patch, ifMatch));
      if (isNewAddress) {
        // Until the platform has it, Save can be pressed again.
        setAddress(url);
        setRegistered(await channels.setWebhook(id, url));
      }
      setAddress(undefined);
      setSaved(true);
    })();
  };
  const meanwhile = {
    id,
    comparison: createComparison<Values>(
      toFormValues({ ...edits, config: settings.changed }),
      async () => toFormValues(await channels.get(id)),
      (theirs) => {
        const { capabilities, config: set, ...own } = fromFormValues(theirs);
        touch(setEdits)({
          ...edits,
          ...own,
          ...(capabilities && { capabilities: { ...edits.capabilities, ...capabilities } }),
        });
        for (const [key, value] of Object.entries(set)) settings.put(key, value);
      },
    ),
    onTakeTheirs: toHandler(async () => {
      begin(await channels.get(id));
      setAddress(undefined);
    }),
    onKeepMine: () => save(getConflictRevision(error)),
  };
  return (
    <Form isChanged={isChanged} error={error} onSubmit={() => save(channel.revision)} conflict={meanwhile}>
      <Stack gap="md">
        <ChannelGuide channel={channel} address={here} />
        <NameFields channel={channel} edits={edits} onChange={touch((patch) => setEdits({ ...edits, ...patch }))} />
        {channel.variables.length > 0 && (
          <ChannelSecrets channel={channel} config={settings.changed} typed={secrets} put={touch(setSecrets)} />
        )}
        {registers && <WebhookAddress url={url} onChange={touch(setAddress)} />}
        <Fieldset legend={t("settings")}>
          <Stack gap="sm">
            {config_schema ? (
              <SchemaFields {...settings} fields={settingsThat(false, settings.fields)} within="config." />
            ) : (
              <UnknownTypeNotice channel={channel} />
            )}
          </Stack>
        </Fieldset>
        <EnvironmentFields {...settings} fields={settingsThat(true, settings.fields)} />
        <CapabilityFields
          capabilities={{ ...channel.capabilities, ...edits.capabilities }}
          onChange={touch((capabilities) =>
            setEdits({ ...edits, capabilities: { ...edits.capabilities, ...capabilities } }),
          )}
        />
        <FormErrors />
        {registered && <WebhookRegistration {...registered} />}
        <Group justify="flex-end">
          {isSaved && (
            <Text size="sm" role="status" data-testid="channel-saved">
              {t("channelSaved")}
            </Text>
          )}
          <CancelButton isClose />
          <Button
            type="submit"
            loading={isBusy}
            disabled={!(isPatched || isNewAddress) || settings.broken.length > 0}
            data-testid="save-channel"
          >
            {t(isNew && edits.enabled ? "saveAndSwitchOn" : "save")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

/** The settings schema without `webhook_url` where the webhook address has its own field. */
function toFormSchema(schema: object | null, registers: boolean): FormSchema {
  const { properties = {}, ...rest } = (schema ?? {}) as FormSchema;
  const { webhook_url, ...others } = properties;
  return { ...rest, properties: registers || webhook_url === undefined ? others : properties };
}

/** Names of the environment variables that secrets are read from; folded, since few need to change them. */
function EnvironmentFields(settings: SchemaValues) {
  const { t } = useTexts();
  if (settings.fields.length === 0) return null;
  return (
    <details className={textCss.folded} data-testid="from-environment">
      <summary>{t("fromEnvironment")}</summary>
      <Text size="xs" c="dimmed" my="xs">
        {t("fromEnvironmentHint")}
      </Text>
      <Stack gap="sm">
        <SchemaFields {...settings} broken={[]} within="config." />
      </Stack>
    </details>
  );
}

interface SectionProps {
  readonly channel: Channel;
  readonly edits: Partial<Draft>;
  readonly onChange: (patch: Partial<Draft>) => void;
}

function NameFields({ channel, edits, onChange }: SectionProps) {
  const { t } = useTexts();
  const { name, description, enabled } = { ...channel, ...edits };
  return (
    <Stack gap="xs">
      <TextField
        name="name"
        label={t("name")}
        value={name}
        onChange={(text) => onChange({ name: text })}
        required
        maxLength={100}
      />
      <DescriptionField
        value={description}
        onChange={(text) => onChange({ description: text })}
        testId="channel-description"
      />
      <SwitchField
        name="enabled"
        label={t("enabled")}
        value={enabled}
        onChange={(isOn) => onChange({ enabled: isOn })}
      />
    </Stack>
  );
}

interface CapabilityFieldsProps {
  readonly capabilities: Partial<Channel["capabilities"]>;
  readonly onChange: (changed: Partial<Channel["capabilities"]>) => void;
}

function CapabilityFields({ capabilities, onChange }: CapabilityFieldsProps) {
  const { t } = useTexts();
  return (
    <Fieldset legend={t("abilities")}>
      <Text size="xs" c="dimmed" mb="xs">
        {t("abilitiesHint")}
      </Text>
      <Stack gap="xs">
        {CAPABILITIES.map((capability) => (
          <SwitchField
            key={capability}
            name={`capabilities.${capability}`}
            label={t(CAPABILITY_TEXTS[capability])}
            value={capabilities[capability] ?? false}
            onChange={(isOn) => onChange({ [capability]: isOn })}
          />
        ))}
      </Stack>
    </Fieldset>
  );
}

/** Settings of an unknown channel type, shown as JSON and stored unchanged. */
function UnknownTypeNotice({ channel: { config } }: { readonly channel: Channel }) {
  const { t } = useTexts();
  return (
    <>
      <Text size="sm" c="dimmed">
        {t("notInstalled")}
      </Text>
      <Code block data-testid="raw-config">
        {stringifyJson(config)}
      </Code>
    </>
  );
}
