import { Alert, Badge, Button, Code, CopyButton, Group, Text } from "@mantine/core";
import { type Channel, channels } from "../../shared/api/channels.ts";
import { usePublicUrl } from "../../shared/api/use-public-url.ts";
import { toFormSchema } from "../../shared/forms/schema.ts";
import { useLocalized } from "../../shared/i18n/use-localized.ts";
import { Failure, formatTime, useAction } from "../../shared/ui/common.tsx";
import { type CardAction, CardMenu } from "../../shared/ui/element/card-menu.tsx";
import { ConnectionCard } from "../../shared/ui/element/connection-card.tsx";
import { IconButton } from "../../shared/ui/element/icon-button.tsx";
import { PlatformMark } from "../../shared/ui/element/tile.tsx";
import { listNames } from "../../shared/ui/text/list-names.ts";
import { toSentenceCase } from "../../shared/ui/text/to-sentence-case.ts";
import { useChannelName } from "../../shared/ui/text/use-channel-name.ts";
import { findSettingTitle } from "./setting-sections.tsx";
import type { TextKey } from "./texts.ts";
import { useTexts } from "./texts.ts";
import { localizeTransport } from "./transport-names.ts";

const QUERY_KEYS = [["channel"]] as const;
const STATE_BADGES: Readonly<Record<Channel["status"]["state"], readonly [TextKey, string]>> = {
  running: ["channelWaiting", "yellow"],
  starting: ["starting", "yellow"],
  error: ["channelError", "red"],
  stopped: ["channelStopped", "gray"],
  disabled: ["disabled", "gray"],
};

/** Returns text and colour of the badge of a channel's state; a webhook channel without any call so far is not shown as connected. */
function toStateBadge({ state, connected, receives }: Channel["status"]): readonly [TextKey, string] {
  if (state !== "running" || !connected) return STATE_BADGES[state];
  return receives === false ? ["readyToReceive", "gray"] : ["connected", "parley"];
}

interface ChannelCardProps {
  readonly channel: Channel;
  /** Name of the other node that has the connection, if known. */
  readonly node: string | undefined;
  /** Messages of the last seven days; undefined until loaded. */
  readonly count: number | undefined;
  readonly edit: () => void;
  readonly test: () => void;
}

export function ChannelCard({ channel, node, count, edit, test }: ChannelCardProps) {
  const { t, language } = useTexts();
  const channelName = useChannelName();
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const { id, description, type, transport, enabled, builtin, status } = channel;
  const [text, color] = toStateBadge(status);
  const times = [
    count !== undefined && count > 0 && t("messagesOfWeek", { count }),
    status.last_inbound_at && `${t("lastIn")} ${formatTime(status.last_inbound_at, language)}`,
    status.last_outbound_at && `${t("lastOut")} ${formatTime(status.last_outbound_at, language)}`,
  ].filter(Boolean);
  const obstacle = getTestObstacle(channel);
  const actions: readonly CardAction[] = [
    {
      label: t("testMessage"),
      icon: "send",
      testId: "test-channel",
      obstacle: obstacle && t(obstacle),
      run: test,
    },
    ...(builtin
      ? []
      : [
          {
            label: t("remove"),
            icon: "trash",
            testId: "remove-channel",
            confirm: t("removeChannel"),
            run: toHandler(() => channels.remove(id), { throws: true }),
          } as const,
        ]),
  ];
  const displayName = channelName(id);
  return (
    <ConnectionCard
      kind="channel"
      id={id}
      name={displayName}
      mark={<PlatformMark type={type} />}
      state={{ text: t(text), color, isBad: status.state === "error" }}
      badges={status.held_elsewhere && <ConnectionNode node={node} />}
      facts={
        <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {[...new Set([id, type]), localizeTransport(transport, t), ...times].join(" · ")}
        </Text>
      }
      description={description}
      enabled={{
        label: t("enabled"),
        isOn: enabled,
        isBusy,
        onToggle: toHandler(() => channels.setEnabled(id, !enabled)),
      }}
      buttons={
        <>
          <Button size="compact-sm" variant="light" onClick={edit} data-testid="edit-channel">
            {t("edit")}
          </Button>
          <CardMenu cardName={displayName} actions={actions} />
        </>
      }
    >
      <ChannelNotices channel={channel} />
      <Failure error={error} />
    </ConnectionCard>
  );
}

/** Names the node that has the connection, where it is another one; the card's status is from that node. */
function ConnectionNode({ node }: { readonly node: string | undefined }) {
  const { t } = useTexts();
  return (
    <Badge color="gray" variant="light" data-testid="connection-node">
      {node === undefined ? t("onAnotherNode") : t("onNode", { node })}
    </Badge>
  );
}

/** Returns the reason why no test message can be sent; undefined where one can. */
function getTestObstacle({ id, enabled, config, config_schema }: Channel): TextKey | undefined {
  if (id === "web") return "noTestWeb";
  if (config_schema === null) return "notInstalled";
  if (!enabled) return "noTestOff";
  const hasAddress = "outbound_url" in (toFormSchema(config_schema).properties ?? {});
  return hasAddress && !config.outbound_url ? "noTestAddress" : undefined;
}

/** True when the last request to the webhook was rejected. */
function isRejected({ last_rejected_at: rejected, last_inbound_at: received }: Channel["status"]): boolean {
  return typeof rejected === "string" && (received === null || rejected > received);
}

/** Opens a failed connection anew, which also removes a webhook that prevents it. */
function ConnectAgain({ id }: Pick<Channel, "id">) {
  const { t } = useTexts();
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  return (
    <>
      <Button
        size="compact-sm"
        variant="light"
        mt={4}
        display="block"
        loading={isBusy}
        onClick={toHandler(() => channels.startPolling(id))}
        data-testid="connect-again"
      >
        {t("connectAgain")}
      </Button>
      <Failure error={error} />
    </>
  );
}

/** Problems of the channel, and its webhook address. */
function ChannelNotices({ channel }: { readonly channel: Channel }) {
  const { status, missing_variables, variables, webhook_path, config, config_schema } = channel;
  const { t, language } = useTexts();
  const localize = useLocalized();
  const origin = usePublicUrl();
  // The platform sends to the registered address, wherever this page was opened.
  const configuredUrl =
    typeof config.webhook_url === "string" && config.webhook_url !== "" ? config.webhook_url : undefined;
  const webhookUrl = webhook_path === null ? undefined : (configuredUrl ?? `${origin}${webhook_path}`);
  const toTitle = (name: string) => {
    const setting = variables.find((one) => one.name === name)?.setting;
    return setting === undefined ? name : localize(findSettingTitle(toFormSchema(config_schema), setting));
  };
  // A connected channel needs no further secrets.
  const isMissing = missing_variables.length > 0 && !status.connected;
  const isShownAbove = missing_variables.length > 0 && status.last_error_detail?.key === "variable_not_set";
  return (
    <>
      {isMissing && (
        <Alert color="yellow" mt="xs" py="xs" data-testid="missing-variables">
          {t("missingSecrets", { names: listNames(missing_variables.map(toTitle)) })}
          <Text size="xs" c="dimmed">
            {t("missingVariables")}{" "}
            {missing_variables.map((variable) => (
              <Code key={variable}>{variable} </Code>
            ))}
          </Text>
        </Alert>
      )}
      {status.last_error && !isShownAbove && (
        <Alert color="red" mt="xs" py="xs" role="alert" data-testid="last-error">
          {toSentenceCase(status.last_error)}
          {channel.enabled && channel.transport === "polling" && <ConnectAgain id={channel.id} />}
        </Alert>
      )}
      {isRejected(status) && (
        <Alert color="yellow" mt="xs" py="xs" data-testid="request-rejected">
          {t("requestRejected", { time: formatTime(status.last_rejected_at, language) })}
        </Alert>
      )}
      {status.warnings.map((warning) => (
        <Alert key={warning} color="yellow" mt="xs" py="xs">
          {warning}
        </Alert>
      ))}
      {webhookUrl && (
        <Group gap="xs" mt="xs" wrap="nowrap">
          <Text size="sm" c="dimmed" style={{ flex: "none" }}>
            {t("webhookAddress")}
          </Text>
          <Code style={{ overflowWrap: "anywhere" }}>{webhookUrl}</Code>
          <CopyButton value={webhookUrl}>
            {({ copied, copy }) => (
              <IconButton icon={copied ? "check" : "copy"} label={t(copied ? "copied" : "copy")} onClick={copy} />
            )}
          </CopyButton>
        </Group>
      )}
    </>
  );
}
