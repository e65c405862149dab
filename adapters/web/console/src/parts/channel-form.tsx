import { Alert, Button, Fieldset, Group, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { CAPABILITIES, type Capability, type Channel, channels } from "../api/channels.ts";
import { useTexts } from "../i18n.ts";
import type { TextKey } from "../texts.ts";
import { Failure, useTried } from "./common.tsx";
import { type FormSchema, SchemaForm } from "./schema-form.tsx";

const CHANGED = [["channel"]] as const;
const CAPABILITY_TEXTS: Readonly<Record<Capability, TextKey>> = {
  supports_stream: "canStream",
  supports_progress_updates: "canProgress",
  supports_file_send: "canFiles",
  supports_stop: "canStop",
  supports_tools: "canTools",
};

/** Name, abilities and settings of a channel; each takes effect when it is changed. */
export function ChannelForm({ channel }: { readonly channel: Channel }) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const { id, type, transport, capabilities, config, config_schema, webhook_path } = channel;
  const [name, setName] = useState(channel.name);
  const { tried, isBusy, error } = useTried(CHANGED);
  const rename = (event: React.FormEvent) => {
    event.preventDefault();
    void tried(() => channels.update(id, { name }))();
  };
  const saveSettings = async (changed: Readonly<Record<string, unknown>>) => {
    await channels.update(id, { config: changed });
    await queries.invalidateQueries({ queryKey: ["channel"] });
  };
  return (
    <Stack gap="md">
      <form onSubmit={rename}>
        <Group align="flex-end" gap="xs">
          <TextInput
            label={t("name")}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            required
            maxLength={100}
            style={{ flex: 1 }}
          />
          <Button type="submit" variant="default" loading={isBusy} disabled={name === channel.name}>
            {t("save")}
          </Button>
        </Group>
      </form>
      <Failure error={error} />
      <Fieldset legend={t("abilities")}>
        <Stack gap="xs">
          {CAPABILITIES.map((capability) => (
            <Switch
              key={capability}
              label={t(CAPABILITY_TEXTS[capability])}
              checked={capabilities[capability] ?? false}
              disabled={isBusy}
              onChange={tried(() =>
                channels.update(id, { capabilities: { [capability]: !(capabilities[capability] ?? false) } }),
              )}
            />
          ))}
        </Stack>
      </Fieldset>
      {type === "imB" && transport === "webhook" && webhook_path && <WebhookForm id={id} path={webhook_path} />}
      <Fieldset legend={t("settings")}>
        {config_schema ? (
          <SchemaForm schema={config_schema as FormSchema} values={config} save={saveSettings} />
        ) : (
          <Text size="sm" c="dimmed">
            {t("notInstalled")}
          </Text>
        )}
      </Fieldset>
    </Stack>
  );
}

/** Tells the platform where to deliver. */
function WebhookForm({ id, path }: { readonly id: string; readonly path: string }) {
  const { t } = useTexts();
  const [url, setUrl] = useState(`${location.origin}${path}`);
  const [done, setDone] = useState("");
  const { tried, isBusy, error } = useTried(CHANGED);
  const register = (event: React.FormEvent) => {
    event.preventDefault();
    setDone("");
    void tried(async () => setDone((await channels.setWebhook(id, url)).webhook_url))();
  };
  return (
    <form onSubmit={register}>
      <Group align="flex-end" gap="xs">
        <TextInput
          label={t("registerWebhook")}
          description={t("registerWebhookHint")}
          value={url}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
          type="url"
          required
          style={{ flex: 1 }}
        />
        <Button type="submit" loading={isBusy}>
          {t("register")}
        </Button>
      </Group>
      <Failure error={error} />
      {done && (
        <Alert color="parley" mt="xs" py="xs" role="status">
          {t("registered")} {done}
        </Alert>
      )}
    </form>
  );
}
