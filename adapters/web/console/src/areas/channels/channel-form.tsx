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
import { textOf } from "../../shared/forms/json-text.ts";
import { type FormSchema, SchemaFields, type SchemaValues, useSchemaValues } from "../../shared/forms/schema-form.tsx";
import textCss from "../../shared/styles/text.module.css";
import { CancelButton } from "../../shared/ui/cancel-button.tsx";
import { theirRevision } from "../../shared/ui/changed-meanwhile.tsx";
import { useTried } from "../../shared/ui/common.tsx";
import { compared } from "../../shared/ui/differences.tsx";
import { SwitchField, TextField } from "../../shared/ui/fields.tsx";
import { Form, FormFailure } from "../../shared/ui/form.tsx";
import { DescriptionField } from "../../shared/ui/text-fields.tsx";
import { ChannelGuide } from "./channel-guide.tsx";
import { ChannelSecrets, type TypedSecrets } from "./channel-secrets.tsx";
import { usePublicAddress } from "./public-address.ts";
import { settingsThat, titled } from "./setting-titles.ts";
import type { TextKey } from "./texts.ts";
import { useTexts } from "./texts.ts";
import { Registered, WebhookAddress } from "./webhook-address.tsx";

const CAPABILITY_TEXTS: Readonly<Record<Capability, TextKey>> = {
  supports_stream: "canStream",
  supports_progress_updates: "canProgress",
  supports_file_send: "canFiles",
  supports_stop: "canStop",
  supports_tools: "canTools",
};

type Values = Readonly<Record<string, unknown>>;

/** A channel as the fields of its form are named. */
function namedOf({
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
function nestedOf(named: Values): Partial<Draft> & { readonly config: Values } {
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

/** All of a channel, with one Save: what it is, its secrets and settings, and the address its platform sends to. */
export function ChannelForm({ channel: latest, isNew }: ChannelFormProps) {
  const { t, language } = useTexts();
  const [held, hold] = useState(latest);
  const channel = held.revision === latest.revision ? latest : held;
  const { id, config, config_schema, webhook_path } = channel;
  const registers = channel.type === "imB" && channel.transport === "webhook";
  const [given, setGiven] = useState<Partial<Draft>>(isNew ? { enabled: true } : {});
  const [secrets, setSecrets] = useState<TypedSecrets>({});
  const [address, setAddress] = useState<string>();
  const [registered, setRegistered] = useState<RegisteredWebhook>();
  const [isSaved, setSaved] = useState(false);
  const schema = titled(formOf(config_schema, registers), language, (title) => t("variableOf", { title }));
  const settings = useSchemaValues(schema, config, () => setSaved(false));
  const here = `${usePublicAddress()}${webhook_path ?? ""}`;
  const url = address ?? (String(config.webhook_url ?? "") || here);
  const isNewAddress = registers && url.startsWith("https://") && (address !== undefined || isNew);
  const { tried, isBusy, error } = useTried([["channel"]]);
  const touch = <Value,>(set: (value: Value) => void) => {
    return (value: Value) => {
      setSaved(false);
      set(value);
    };
  };
  const typed = Object.fromEntries(Object.entries(secrets).filter(([, value]) => value !== ""));
  const patch: ChannelPatch = {
    ...given,
    ...(settings.isChanged && { config: settings.changed }),
    ...(Object.keys(typed).length > 0 && { secrets: typed }),
  };
  const isPatched = Object.keys(patch).length > 0;
  const isChanged = Object.keys(patch).length > (isNew ? 1 : 0) || address !== undefined;
  // What others store is shown as soon as nothing is unsaved here.
  if (latest.revision > held.revision && !isChanged) hold(latest);
  const begin = (stored: Channel) => {
    hold(stored);
    setGiven({});
    setSecrets({});
    settings.clear();
  };
  const save = (ifMatch: number | undefined) => {
    setRegistered(undefined);
    void tried(async () => {
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
    compared: compared<Values>(
      namedOf({ ...given, config: settings.changed }),
      async () => namedOf(await channels.get(id)),
      (theirs) => {
        const { capabilities, config: set, ...own } = nestedOf(theirs);
        touch(setGiven)({
          ...given,
          ...own,
          ...(capabilities && { capabilities: { ...given.capabilities, ...capabilities } }),
        });
        for (const [key, value] of Object.entries(set)) settings.put(key, value);
      },
    ),
    theirs: tried(async () => {
      begin(await channels.get(id));
      setAddress(undefined);
    }),
    mine: () => save(theirRevision(error)),
  };
  return (
    <Form isChanged={isChanged} error={error} submit={() => save(channel.revision)} meanwhile={meanwhile}>
      <Stack gap="md">
        <ChannelGuide channel={channel} address={here} />
        <Naming channel={channel} given={given} put={touch((patch) => setGiven({ ...given, ...patch }))} />
        {channel.variables.length > 0 && (
          <ChannelSecrets channel={channel} config={settings.changed} typed={secrets} put={touch(setSecrets)} />
        )}
        {registers && <WebhookAddress url={url} put={touch(setAddress)} />}
        <Fieldset legend={t("settings")}>
          <Stack gap="sm">
            {config_schema ? (
              <SchemaFields {...settings} fields={settingsThat(false, settings.fields)} within="config." />
            ) : (
              <Unserved channel={channel} />
            )}
          </Stack>
        </Fieldset>
        <FromEnvironment {...settings} fields={settingsThat(true, settings.fields)} />
        <Abilities
          capabilities={{ ...channel.capabilities, ...given.capabilities }}
          put={touch((capabilities) =>
            setGiven({ ...given, capabilities: { ...given.capabilities, ...capabilities } }),
          )}
        />
        <FormFailure />
        {registered && <Registered {...registered} />}
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
            {t(isNew && given.enabled ? "saveAndSwitchOn" : "save")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

/** Where an address has a field of its own, it is not asked for twice. */
function formOf(schema: object | null, registers: boolean): FormSchema {
  const { properties = {}, ...rest } = (schema ?? {}) as FormSchema;
  const { webhook_url, ...others } = properties;
  return { ...rest, properties: registers || webhook_url === undefined ? others : properties };
}

/** Where secrets come from that are not typed in: hardly anybody needs to change it. */
function FromEnvironment(settings: SchemaValues) {
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

interface PartProps {
  readonly channel: Channel;
  readonly given: Partial<Draft>;
  readonly put: (patch: Partial<Draft>) => void;
}

function Naming({ channel, given, put }: PartProps) {
  const { t } = useTexts();
  const { name, description, enabled } = { ...channel, ...given };
  return (
    <Stack gap="xs">
      <TextField
        name="name"
        label={t("name")}
        value={name}
        put={(text) => put({ name: text })}
        required
        maxLength={100}
      />
      <DescriptionField value={description} put={(text) => put({ description: text })} testId="channel-description" />
      <SwitchField name="enabled" label={t("enabled")} value={enabled} put={(isOn) => put({ enabled: isOn })} />
    </Stack>
  );
}

interface AbilitiesProps {
  readonly capabilities: Partial<Channel["capabilities"]>;
  readonly put: (changed: Partial<Channel["capabilities"]>) => void;
}

function Abilities({ capabilities, put }: AbilitiesProps) {
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
            put={(isOn) => put({ [capability]: isOn })}
          />
        ))}
      </Stack>
    </Fieldset>
  );
}

/** Nobody knows what these settings mean, yet they are kept. */
function Unserved({ channel: { config } }: { readonly channel: Channel }) {
  const { t } = useTexts();
  return (
    <>
      <Text size="sm" c="dimmed">
        {t("notInstalled")}
      </Text>
      <Code block data-testid="raw-config">
        {textOf(config)}
      </Code>
    </>
  );
}
