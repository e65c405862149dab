import { Alert, Badge, Button, Code, CopyButton, Group, Text } from "@mantine/core";
import { type Channel, channels } from "../../shared/api/channels.ts";
import type { FormSchema } from "../../shared/forms/schema-form.tsx";
import { asSentence } from "../../shared/ui/as-sentence.ts";
import { type CardAction, CardMenu } from "../../shared/ui/card-menu.tsx";
import { Failure, localSentence, timeOf, useTried, warningsIn } from "../../shared/ui/common.tsx";
import { EntryCard } from "../../shared/ui/entry-card.tsx";
import { IconButton } from "../../shared/ui/icon-button.tsx";
import { someNames } from "../../shared/ui/some-names.ts";
import { PlatformMark } from "../../shared/ui/tile.tsx";
import { useChannelName } from "../../shared/ui/use-channel-name.ts";
import { usePublicAddress } from "./public-address.ts";
import { settingTitle } from "./setting-titles.ts";
import type { TextKey } from "./texts.ts";
import { useTexts } from "./texts.ts";
import { transportName } from "./transport-names.ts";

const CHANGED = [["channel"]] as const;
const STATES: Readonly<Record<Channel["status"]["state"], readonly [TextKey, string]>> = {
  running: ["channelWaiting", "yellow"],
  starting: ["starting", "yellow"],
  error: ["channelError", "red"],
  stopped: ["channelStopped", "gray"],
  disabled: ["disabled", "gray"],
};

/** Connected is what can send and receive: where nothing has come by webhook yet, it only waits for that. */
function stateOf({ state, connected, receives }: Channel["status"]): readonly [TextKey, string] {
  if (state !== "running" || !connected) return STATES[state];
  return receives === false ? ["readyToReceive", "gray"] : ["connected", "parley"];
}

interface ChannelCardProps {
  readonly channel: Channel;
  /** The node that has its connection, where that is another one and known. */
  readonly holder: string | undefined;
  /** Messages of the last seven days; undefined: not known yet. */
  readonly count: number | undefined;
  readonly edit: () => void;
  readonly test: () => void;
}

export function ChannelCard({ channel, holder, count, edit, test }: ChannelCardProps) {
  const { t, language } = useTexts();
  const channelName = useChannelName();
  const { tried, isBusy, error } = useTried(CHANGED);
  const { id, description, type, transport, enabled, builtin, status } = channel;
  const [text, color] = stateOf(status);
  const times = [
    count !== undefined && count > 0 && t("messagesOfWeek", { count }),
    status.last_inbound_at && `${t("lastIn")} ${timeOf(status.last_inbound_at, language)}`,
    status.last_outbound_at && `${t("lastOut")} ${timeOf(status.last_outbound_at, language)}`,
  ].filter(Boolean);
  const obstacle = testObstacle(channel);
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
            run: tried(() => channels.remove(id), { throws: true }),
          } as const,
        ]),
  ];
  const shown = channelName(id);
  return (
    <EntryCard
      kind="channel"
      id={id}
      name={shown}
      mark={<PlatformMark type={type} />}
      state={{ text: t(text), color, isBad: status.state === "error" }}
      badges={status.held_elsewhere && <Holder node={holder} />}
      facts={
        <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {[...new Set([id, type]), transportName(transport, t), ...times].join(" · ")}
        </Text>
      }
      description={description}
      enabled={{
        label: t("enabled"),
        isOn: enabled,
        isBusy,
        flip: tried(() => channels.toggle(id, !enabled)),
      }}
      buttons={
        <>
          <Button size="compact-sm" variant="light" onClick={edit} data-testid="edit-channel">
            {t("edit")}
          </Button>
          <CardMenu of={shown} actions={actions} />
        </>
      }
    >
      <Notices channel={channel} />
      <Failure error={error} />
    </EntryCard>
  );
}

/** It is not this node that has the connection: what the card says of it that one says. */
function Holder({ node }: { readonly node: string | undefined }) {
  const { t } = useTexts();
  return (
    <Badge color="gray" variant="light" data-testid="channel-holder">
      {node === undefined ? t("onAnotherNode") : t("onNode", { node })}
    </Badge>
  );
}

/** Why no test message can be sent. */
function testObstacle({ id, enabled, config, config_schema }: Channel): TextKey | undefined {
  if (id === "web") return "noTestWeb";
  if (config_schema === null) return "notInstalled";
  if (!enabled) return "noTestOff";
  const hasAddress = "outbound_url" in ((config_schema as FormSchema).properties ?? {});
  return hasAddress && !config.outbound_url ? "noTestAddress" : undefined;
}

/** The last request to its address was turned away, and none was let in since. */
function isTurnedAway({ last_rejected_at: rejected, last_inbound_at: received }: Channel["status"]): boolean {
  return typeof rejected === "string" && (received === null || rejected > received);
}

/** What stands in the way, and where the platform has to send to. */
function Notices({ channel }: { readonly channel: Channel }) {
  const { status, missing_variables, variables, webhook_path, config } = channel;
  const { t, language } = useTexts();
  const origin = usePublicAddress();
  // One that the platform was given is where it sends, wherever this page was reached.
  const given = typeof config.webhook_url === "string" && config.webhook_url !== "" ? config.webhook_url : undefined;
  const address = webhook_path === null ? undefined : (given ?? `${origin}${webhook_path}`);
  const titleOf = (name: string) => {
    const setting = variables.find((one) => one.name === name)?.setting;
    return setting === undefined ? name : settingTitle(setting, language);
  };
  // What works without them does not lack them.
  const isMissing = missing_variables.length > 0 && !status.connected;
  const isSaidAbove = missing_variables.length > 0 && status.last_error_detail?.key === "variable_not_set";
  return (
    <>
      {isMissing && (
        <Alert color="yellow" mt="xs" py="xs" data-testid="missing-variables">
          {t("missingSecrets", { names: someNames(missing_variables.map(titleOf)) })}
          <Text size="xs" c="dimmed">
            {t("missingVariables")}{" "}
            {missing_variables.map((variable) => (
              <Code key={variable}>{variable} </Code>
            ))}
          </Text>
        </Alert>
      )}
      {status.last_error && !isSaidAbove && (
        <Alert color="red" mt="xs" py="xs" role="alert" data-testid="last-error">
          {asSentence(localSentence(status.last_error, status.last_error_detail))}
        </Alert>
      )}
      {isTurnedAway(status) && (
        <Alert color="yellow" mt="xs" py="xs" data-testid="turned-away">
          {t("turnedAway", { time: timeOf(status.last_rejected_at, language) })}
        </Alert>
      )}
      {warningsIn(status).map((warning) => (
        <Alert key={warning} color="yellow" mt="xs" py="xs">
          {warning}
        </Alert>
      ))}
      {address && (
        <Group gap="xs" mt="xs" wrap="nowrap">
          <Text size="sm" c="dimmed" style={{ flex: "none" }}>
            {t("webhookAddress")}
          </Text>
          <Code style={{ overflowWrap: "anywhere" }}>{address}</Code>
          <CopyButton value={address}>
            {({ copied, copy }) => (
              <IconButton icon={copied ? "check" : "copy"} label={t(copied ? "copied" : "copy")} onClick={copy} />
            )}
          </CopyButton>
        </Group>
      )}
    </>
  );
}
