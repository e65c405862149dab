import { Button, Code, Fieldset, Group, Stack, Switch, Text, Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { CAPABILITIES, type Capability, type Channel, channels } from "../../shared/api/channels.ts";
import { textOf } from "../../shared/forms/json-text.ts";
import { type FormSchema, SchemaForm } from "../../shared/forms/schema-form.tsx";
import { Failure, useTried } from "../../shared/ui/common.tsx";
import type { TextKey } from "./texts.ts";
import { useTexts } from "./texts.ts";
import { WebhookForm } from "./webhook-form.tsx";

const CHANGED = [["channel"]] as const;
const CAPABILITY_TEXTS: Readonly<Record<Capability, TextKey>> = {
  supports_stream: "canStream",
  supports_progress_updates: "canProgress",
  supports_file_send: "canFiles",
  supports_stop: "canStop",
  supports_tools: "canTools",
};

interface ChannelProps {
  readonly channel: Channel;
}

/** Name, abilities and settings of a channel, saved each on their own. */
export function ChannelForm({ channel }: ChannelProps) {
  const { t } = useTexts();
  const { type, transport, config_schema } = channel;
  return (
    <Stack gap="md">
      <Naming channel={channel} />
      <Abilities channel={channel} />
      {type === "imB" && transport === "webhook" && <WebhookForm channel={channel} />}
      <Fieldset legend={t("settings")}>
        {config_schema ? <Settings channel={channel} schema={config_schema} /> : <Unserved channel={channel} />}
      </Fieldset>
    </Stack>
  );
}

function Naming({ channel }: ChannelProps) {
  const { t } = useTexts();
  const [name, setName] = useState(channel.name);
  const [description, setDescription] = useState(channel.description);
  const { tried, isBusy, error } = useTried(CHANGED);
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    void tried(() => channels.update(channel.id, { name, description }))();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <TextInput
          label={t("name")}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          required
          maxLength={100}
        />
        <Textarea
          label={t("description")}
          value={description}
          onChange={({ currentTarget }) => setDescription(currentTarget.value)}
          autosize
          maxRows={6}
          data-testid="channel-description"
        />
        <Failure error={error} />
        <Group justify="flex-end">
          <Button
            type="submit"
            variant="default"
            size="compact-md"
            loading={isBusy}
            disabled={name === channel.name && description === channel.description}
            data-testid="save-naming"
          >
            {t("save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Abilities({ channel: { id, capabilities } }: ChannelProps) {
  const { t } = useTexts();
  const { tried, isBusy, error } = useTried(CHANGED);
  return (
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
      <Failure error={error} />
    </Fieldset>
  );
}

function Settings({ channel: { id, config }, schema }: ChannelProps & { readonly schema: object }) {
  const queries = useQueryClient();
  const save = async (changed: Readonly<Record<string, unknown>>) => {
    await channels.update(id, { config: changed });
    await queries.invalidateQueries({ queryKey: ["channel"] });
  };
  return <SchemaForm schema={schema as FormSchema} values={config} save={save} />;
}

/** Nobody knows what these settings mean, yet they are kept. */
function Unserved({ channel: { config } }: ChannelProps) {
  const { t } = useTexts();
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        {t("notInstalled")}
      </Text>
      <Code block data-testid="raw-config">
        {textOf(config)}
      </Code>
    </>
  );
}
