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
import { usePublicUrl } from "../../shared/api/use-public-url.ts";
import { findJsonDrafts } from "../../shared/forms/json-draft.ts";
import { stringifyJson } from "../../shared/forms/json-text.ts";
import { type FormSchema, selectFields, toFormSchema } from "../../shared/forms/schema.ts";
import { SchemaFields } from "../../shared/forms/schema-form.tsx";
import { useLocalized } from "../../shared/i18n/use-localized.ts";
import { diffValues } from "../../shared/is-deep-equal.ts";
import { omitEmpty } from "../../shared/omit-empty.ts";
import textCss from "../../shared/styles/text.module.css";
import { CancelButton } from "../../shared/ui/form/cancel-button.tsx";
import { DescriptionField } from "../../shared/ui/form/description-field.tsx";
import { SelectField, SwitchField, TextField } from "../../shared/ui/form/fields.tsx";
import { Form, FormErrors } from "../../shared/ui/form/form.tsx";
import { useRecordForm } from "../../shared/ui/form/use-record-form.ts";
import { ChannelSecrets, type TypedSecrets } from "./channel-secrets.tsx";
import { filterSettings, isUsedBy, labelVariables, SettingSections } from "./setting-sections.tsx";
import { ChannelGuide } from "./setup/channel-guide.tsx";
import type { TextKey } from "./texts.ts";
import { useTexts } from "./texts.ts";
import { localizeTransport } from "./transport-names.ts";
import { WebhookAddress, WebhookRegistration } from "./webhook-address.tsx";

const CAPABILITY_TEXTS: Readonly<Record<Capability, TextKey>> = {
  supports_stream: "canStream",
  supports_progress_updates: "canProgress",
  supports_file_send: "canFiles",
  supports_stop: "canStop",
  supports_tools: "canTools",
};

type Values = Readonly<Record<string, unknown>>;

/** Form values: the fields of a channel, by their names in the request. */
interface Draft {
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly transport: Channel["transport"];
  readonly secrets: TypedSecrets;
  /** The webhook address as typed. */
  readonly address: string | undefined;
  readonly [field: `config.${string}` | `capabilities.${string}`]: unknown;
}

function toDraft({ name, description, enabled, transport, capabilities, config }: Channel): Draft {
  return {
    ...{ name, description, enabled, transport, secrets: {}, address: undefined },
    ...addPrefix("capabilities.", capabilities),
    ...addPrefix("config.", config),
  };
}

/** Returns the request that stores the changes of a channel. */
function toPatch(draft: Draft, channel: Channel): ChannelPatch {
  const { secrets, address: _address, ...changed } = diffValues(draft, toDraft(channel));
  const plainFields = Object.entries(changed).filter(([name]) => !name.includes("."));
  const capabilities = selectPrefix("capabilities.", changed);
  const config = selectPrefix("config.", changed);
  return {
    ...Object.fromEntries(plainFields),
    ...(Object.keys(capabilities).length > 0 && { capabilities }),
    ...(Object.keys(config).length > 0 && { config }),
    ...(secrets && { secrets }),
  };
}

function addPrefix(prefix: string, values: object): Values {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [`${prefix}${key}`, value]));
}

function selectPrefix(prefix: string, values: object): Values {
  const selected = Object.entries(values).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(selected.map(([name, value]) => [name.slice(prefix.length), value]));
}

type RecordForm = ReturnType<typeof useRecordForm<Draft, Channel>>;

interface ChannelFormProps {
  readonly channel: Channel;
  /** True for a new channel, which the first save switches on. */
  readonly isNew: boolean;
}

/** The form of a whole channel with one Save: type, secrets, settings and webhook address. */
export function ChannelForm({ channel: latest, isNew }: ChannelFormProps) {
  const { t } = useTexts();
  const localize = useLocalized();
  const [firstRevision] = useState(isNew ? latest.revision : undefined);
  const [registered, setRegistered] = useState<RegisteredWebhook>();
  const [isSaved, setSaved] = useState(false);
  const publicUrl = usePublicUrl();
  const { id } = latest;
  const form = useRecordForm<Draft, Channel>({
    queryKeys: [["channel"]],
    record: latest,
    toDraft: (stored = latest) => ({
      ...toDraft(stored),
      ...(stored.revision === firstRevision && { enabled: true }),
    }),
    isPatch: true,
    secrets: ["secrets", "address"],
    isValid: (draft) => findJsonDrafts(draft).length === 0,
    read: () => channels.get(id),
    change: async (before, draft, ifMatch) => {
      setRegistered(undefined);
      const patch = toPatch(draft, before);
      // The service rejects an empty update, and the address is registered separately.
      const stored = Object.keys(patch).length > 0 ? await channels.update(id, patch, ifMatch) : before;
      if (isNewAddress) {
        // Save stays enabled until the platform has accepted the address.
        form.restart(stored, draft);
        update({ address: url });
        setRegistered(await channels.setWebhook(id, url));
        update({ address: undefined });
      }
      return stored;
    },
    onSaved: () => setSaved(true),
  });
  const { props, record: channel = latest, draft, isValid, isBusy } = form;
  const field: RecordForm["field"] = (name) => {
    const { value, onChange } = form.field(name);
    return {
      name,
      value,
      onChange: (next) => {
        setSaved(false);
        onChange(next);
      },
    };
  };
  const update = (patch: Partial<Draft>) => {
    setSaved(false);
    form.update(patch);
  };
  const { config_schema, webhook_path } = channel;
  const { transport } = draft;
  const hasRegistration = channel.type === "imB" && transport === "webhook";
  const schema = labelVariables(
    selectFields(toSettingsSchema(config_schema, hasRegistration), (_, setting) => isUsedBy(transport, setting)),
    (title) => t("variableOf", { title: localize(title) }),
  );
  const ownUrl = `${publicUrl}${webhook_path ?? ""}`;
  const url = draft.address ?? (String(channel.config.webhook_url ?? "") || ownUrl);
  const isNewAddress = hasRegistration && url.startsWith("https://") && (draft.address !== undefined || isNew);
  const isPatched = Object.keys(toPatch(draft, channel)).length > 0;
  const settings = {
    values: selectPrefix("config.", draft),
    onChange: (key: string, value: unknown) => update({ [`config.${key}`]: value }),
    prefix: "config.",
  };
  return (
    <Form {...props}>
      <Stack gap="md">
        <ChannelGuide channel={{ ...channel, transport }} address={ownUrl} publicUrl={publicUrl} />
        <NameFields field={field} />
        {!channel.builtin && channel.transports.length > 1 && (
          <TransportField
            transports={channel.transports}
            value={transport}
            onChange={(chosen) => update({ transport: chosen })}
          />
        )}
        {channel.variables.length > 0 && (
          <ChannelSecrets
            channel={channel}
            transport={transport}
            config={toPatch(draft, channel).config ?? {}}
            typed={draft.secrets}
            onChange={(typed) => update({ secrets: omitEmpty(typed) })}
          />
        )}
        {hasRegistration && <WebhookAddress url={url} onChange={(address) => update({ address })} />}
        {config_schema ? (
          <SettingSections {...settings} schema={filterSettings(false, schema)} />
        ) : (
          <Fieldset legend={t("settings")}>
            <UnknownTypeNotice channel={channel} />
          </Fieldset>
        )}
        <EnvironmentFields {...settings} schema={filterSettings(true, schema)} />
        <CapabilityFields draft={draft} onChange={update} />
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
            disabled={!(isPatched || isNewAddress) || !isValid}
            data-testid="save-channel"
          >
            {t(isNew && draft.enabled ? "saveAndSwitchOn" : "save")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

/** The settings schema without `webhook_url` where the webhook address has its own field. */
function toSettingsSchema(schema: object | null, hasRegistration: boolean): FormSchema {
  const { properties = {}, ...rest } = toFormSchema(schema);
  const { webhook_url, ...others } = properties;
  return { ...rest, properties: hasRegistration || webhook_url === undefined ? others : properties };
}

/** Names of the environment variables that secrets are read from; collapsed, since few people change them. */
function EnvironmentFields(settings: React.ComponentProps<typeof SchemaFields>) {
  const { t } = useTexts();
  if (Object.keys(settings.schema.properties ?? {}).length === 0) return null;
  return (
    <details className={textCss.folded} data-testid="from-environment">
      <summary>{t("fromEnvironment")}</summary>
      <Text size="xs" c="dimmed" my="xs">
        {t("fromEnvironmentHint")}
      </Text>
      <Stack gap="sm">
        <SchemaFields {...settings} />
      </Stack>
    </details>
  );
}

interface NameFieldsProps {
  readonly field: RecordForm["field"];
}

function NameFields({ field }: NameFieldsProps) {
  const { t } = useTexts();
  return (
    <Stack gap="xs">
      <TextField label={t("name")} {...field("name")} required maxLength={100} />
      <DescriptionField {...field("description")} testId="channel-description" />
      <SwitchField label={t("enabled")} {...field("enabled")} />
    </Stack>
  );
}

interface TransportFieldProps {
  readonly transports: readonly string[];
  readonly value: string;
  readonly onChange: (transport: string) => void;
}

/** The way in which messages reach the service, where the platform offers several. */
function TransportField({ transports, value, onChange }: TransportFieldProps) {
  const { t } = useTexts();
  return (
    <SelectField
      name="transport"
      label={t("transport")}
      description={value === "polling" ? t("pollingHint") : undefined}
      value={value}
      onChange={onChange}
      data={transports.map((one) => ({ value: one, label: localizeTransport(one, t) }))}
      testId="channel-transport"
    />
  );
}

interface CapabilityFieldsProps {
  readonly draft: Draft;
  readonly onChange: (changed: Partial<Draft>) => void;
}

function CapabilityFields({ draft, onChange }: CapabilityFieldsProps) {
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
            value={draft[`capabilities.${capability}`] === true}
            onChange={(isOn) => onChange({ [`capabilities.${capability}`]: isOn })}
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
