import { Alert, Badge, Button, Card, Code, CopyButton, Group, Modal, Stack, Switch, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Channel, channels } from "../api/channels.ts";
import { useTexts } from "../i18n.ts";
import { AddChannel } from "../parts/add-channel.tsx";
import { ChannelForm } from "../parts/channel-form.tsx";
import { ChannelTrial } from "../parts/channel-trial.tsx";
import { ConfirmButton, Failure, Loaded, timeOf, useTried } from "../parts/common.tsx";
import { Icon } from "../parts/icon.tsx";
import type { TextKey } from "../texts.ts";

const CHANGED = [["channel"]] as const;
const STATES: Readonly<Record<Channel["status"]["state"], readonly [TextKey, string]>> = {
  running: ["channelRunning", "yellow"],
  starting: ["starting", "yellow"],
  error: ["channelError", "red"],
  stopped: ["channelStopped", "gray"],
  disabled: ["disabled", "gray"],
};

type Opened = { readonly kind: "add" } | { readonly kind: "edit" | "test"; readonly id: string } | undefined;

export function ChannelsPage() {
  const { t } = useTexts();
  const list = useQuery({ queryKey: ["channel"], queryFn: channels.list, refetchOnMount: "always" });
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const chosen = opened && opened.kind !== "add" ? list.data?.items.find(({ id }) => id === opened.id) : undefined;
  const title = opened?.kind === "add" ? t("addChannel") : `${chosen?.name ?? ""}`;
  return (
    <div className="page">
      <Group justify="space-between" mb="xs">
        <Title order={1} size="h3">
          {t("channels")}
        </Title>
        <Button
          leftSection={<Icon name="plus" size={16} />}
          onClick={() => setOpened({ kind: "add" })}
          data-testid="add-channel"
        >
          {t("addChannel")}
        </Button>
      </Group>
      <Text size="sm" c="dimmed" maw="46rem" mb="md">
        {t("channelsHint")}
      </Text>
      <Loaded query={list}>
        {({ items }) => (
          <Stack gap="xs">
            {items.map((channel) => (
              <ChannelCard
                key={channel.id}
                channel={channel}
                edit={() => setOpened({ kind: "edit", id: channel.id })}
                test={() => setOpened({ kind: "test", id: channel.id })}
              />
            ))}
          </Stack>
        )}
      </Loaded>
      <Modal
        opened={opened !== undefined}
        onClose={close}
        title={title}
        size="lg"
        closeButtonProps={{ "aria-label": t("close") }}
      >
        {opened?.kind === "add" && <AddChannel done={(id) => setOpened(id ? { kind: "edit", id } : undefined)} />}
        {opened?.kind === "edit" && chosen && <ChannelForm channel={chosen} />}
        {opened?.kind === "test" && chosen && <ChannelTrial channel={chosen} />}
      </Modal>
    </div>
  );
}

interface ChannelCardProps {
  readonly channel: Channel;
  readonly edit: () => void;
  readonly test: () => void;
}

function ChannelCard({ channel, edit, test }: ChannelCardProps) {
  const { t, language } = useTexts();
  const { tried, isBusy, error } = useTried(CHANGED);
  const { id, name, type, transport, enabled, builtin, status } = channel;
  const [text, color] =
    status.connected && status.state === "running" ? (["connected", "parley"] as const) : STATES[status.state];
  const times = [
    status.last_inbound_at && `${t("lastIn")} ${timeOf(status.last_inbound_at, language)}`,
    status.last_outbound_at && `${t("lastOut")} ${timeOf(status.last_outbound_at, language)}`,
  ].filter(Boolean);
  return (
    <Card withBorder padding="sm" data-testid="channel-card" data-channel={id}>
      <Group justify="space-between" gap="xs">
        <div style={{ minWidth: 0, flex: "1 1 16rem" }}>
          <Group gap="xs">
            <Text fw={600}>{name}</Text>
            <Badge color={color} variant={status.state === "error" ? "filled" : "light"} tt="none">
              {t(text)}
            </Badge>
          </Group>
          <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {[id, type, transport, ...times].join(" · ")}
          </Text>
        </div>
        <Group gap={4}>
          <Switch
            size="sm"
            mr="xs"
            checked={enabled}
            disabled={isBusy}
            onChange={tried(() => channels.toggle(id, !enabled))}
            aria-label={`${t("enabled")}: ${name}`}
          />
          <Button size="compact-sm" variant="subtle" onClick={edit} data-testid="edit-channel">
            {t("edit")}
          </Button>
          {id !== "web" && (
            <Button size="compact-sm" variant="subtle" onClick={test} disabled={!enabled}>
              {t("testMessage")}
            </Button>
          )}
          {!builtin && (
            <ConfirmButton
              label={t("remove")}
              text={t("removeChannel")}
              run={tried(() => channels.remove(id), { throws: true })}
            />
          )}
        </Group>
      </Group>
      <Notices channel={channel} />
      <Failure error={error} />
    </Card>
  );
}

/** What stands in the way, and where the platform has to send to. */
function Notices({ channel: { enabled, status, missing_variables, webhook_path } }: { readonly channel: Channel }) {
  const { t } = useTexts();
  const address = webhook_path === null ? undefined : `${location.origin}${webhook_path}`;
  return (
    <>
      {enabled && missing_variables.length > 0 && (
        <Alert color="yellow" mt="xs" py="xs" data-testid="missing-variables">
          {t("missingVariables")}{" "}
          {missing_variables.map((variable) => (
            <Code key={variable}>{variable} </Code>
          ))}
        </Alert>
      )}
      {enabled && status.last_error && !missing_variables.some((variable) => status.last_error?.includes(variable)) && (
        <Alert color="red" mt="xs" py="xs" role="alert">
          {status.last_error}
        </Alert>
      )}
      {status.warnings.map((warning) => (
        <Alert key={warning} color="yellow" mt="xs" py="xs">
          {warning}
        </Alert>
      ))}
      {address && (
        <Group gap="xs" mt="xs">
          <Text size="sm" c="dimmed">
            {t("webhookAddress")}
          </Text>
          <Code style={{ overflowWrap: "anywhere" }}>{address}</Code>
          <CopyButton value={address}>
            {({ copied, copy }) => (
              <Button size="compact-xs" variant="subtle" onClick={copy}>
                {t(copied ? "copied" : "copy")}
              </Button>
            )}
          </CopyButton>
        </Group>
      )}
    </>
  );
}
