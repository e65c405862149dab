import { Alert, Badge, Button, Text } from "@mantine/core";
import { useState } from "react";
import { toVisibleText } from "../../../shared/forms/untrusted-schema.ts";
import { formatDuration } from "../../../shared/i18n/format-duration.ts";
import { Failure, formatTime, useAction } from "../../../shared/ui/common.tsx";
import { type CardAction, CardMenu } from "../../../shared/ui/element/card-menu.tsx";
import { ConnectionCard } from "../../../shared/ui/element/connection-card.tsx";
import { Tile } from "../../../shared/ui/element/tile.tsx";
import { type McpServer, type McpTrial, mcp } from "../api.ts";
import { type TextKey, useTexts } from "../texts.ts";
import { SignInNotice } from "./sign-in.tsx";

const QUERY_KEYS = [["mcp_server"]] as const;

interface McpServerCardProps {
  readonly server: McpServer;
  readonly edit: () => void;
  readonly showTools: () => void;
}

export function McpServerCard({ server, edit, showTools }: McpServerCardProps) {
  const { t } = useTexts();
  const [trial, setTrial] = useState<McpTrial>();
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const toRemoveHandler = (action: () => Promise<unknown>) => toHandler(action, { throws: true });
  const testing = useAction(QUERY_KEYS);
  const connecting = useAction(QUERY_KEYS);
  const [isCancelled, setCancelled] = useState(false);
  const { id, description, enabled, connected, builtin, tool_count } = server;
  // The connection may have been started on this page, by another user, or by the service.
  const isConnecting = connecting.isBusy || server.connecting;
  const name = builtin ? t("builtinName") : server.name;
  const [state, color] = toStateBadge(server);
  const test = testing.toHandler(async () => {
    setTrial(undefined);
    setTrial(await mcp.test(id));
  });
  const connect = connecting.toHandler(() => {
    setCancelled(false);
    return mcp.connect(id);
  });
  const disconnect = toHandler(() => {
    setCancelled(true);
    return mcp.disconnect(id);
  });
  const actions: readonly CardAction[] = [
    { label: t("test"), icon: "play", testId: "test-server", run: test },
    ...(connected
      ? [{ label: t("disconnect"), icon: "stop", testId: "disconnect-server", run: disconnect } as const]
      : []),
    ...(builtin
      ? []
      : toServerActions(server, t, {
          edit,
          signOut: toRemoveHandler(() => mcp.signOut(id)),
          remove: toRemoveHandler(() => mcp.remove(id)),
        })),
  ];
  return (
    <ConnectionCard
      kind="server"
      id={id}
      name={name}
      mark={<Tile icon={builtin ? "tool" : "plug"} tone={builtin ? "petrol" : "blue"} />}
      state={{ text: t(state), color, isBad: state === "channelError" }}
      badges={builtin && <Badge variant="default">{t("builtinServer")}</Badge>}
      facts={<ServerFacts server={server} />}
      description={builtin ? t("builtinServerHint") : description}
      enabled={{
        label: t("enabled"),
        isOn: enabled,
        isBusy,
        onToggle: toHandler(() => mcp.update(id, { enabled: !enabled })),
      }}
      buttons={
        <>
          {connected ? (
            <Button size="compact-sm" variant="light" onClick={showTools} data-testid="server-tools">
              {builtin ? t("mcpOffers") : `${t("mcpTools")} (${tool_count})`}
            </Button>
          ) : (
            <ConnectButton
              isConnecting={isConnecting}
              isBusy={isBusy}
              isOn={enabled}
              connect={connect}
              cancel={disconnect}
            />
          )}
          <CardMenu cardName={name} actions={actions} />
        </>
      }
    >
      <SignInNotice server={server} />
      <ServerNotices server={server} showTools={showTools} />
      {testing.isBusy && (
        <Text size="sm" c="dimmed" mt="xs" role="status">
          {t("mcpTesting")}
        </Text>
      )}
      {trial && <TestResult trial={trial} close={() => setTrial(undefined)} />}
      {!isCancelled && !isShownOnCard(connecting.error, server) && <Failure error={connecting.error} />}
      <Failure error={error} />
      <Failure error={testing.error} />
    </ConnectionCard>
  );
}

interface ConnectButtonProps {
  readonly isConnecting: boolean;
  readonly isBusy: boolean;
  readonly isOn: boolean;
  readonly connect: () => void;
  readonly cancel: () => void;
}

function ConnectButton({ isConnecting, isBusy, isOn, connect, cancel }: ConnectButtonProps) {
  const { t } = useTexts();
  return (
    <>
      <Button
        size="compact-sm"
        variant="light"
        loading={isConnecting}
        disabled={!isOn}
        onClick={connect}
        data-testid="connect-server"
      >
        {t("connect")}
      </Button>
      {isConnecting && (
        <Button size="compact-sm" variant="default" disabled={isBusy} onClick={cancel} data-testid="cancel-connect">
          {t("cancel")}
        </Button>
      )}
    </>
  );
}

interface ServerHandlers {
  readonly edit: () => void;
  readonly signOut: () => Promise<unknown>;
  readonly remove: () => Promise<unknown>;
}

/** Returns the actions that only a server added by a user has. */
function toServerActions(
  { sign_in }: McpServer,
  t: (key: TextKey) => string,
  { edit, signOut, remove }: ServerHandlers,
): readonly CardAction[] {
  const isSignedIn = sign_in === "signed_in" || sign_in === "again";
  return [
    { label: t("edit"), icon: "edit", testId: "edit-server", run: edit },
    ...(isSignedIn
      ? [
          {
            label: t("signOut"),
            icon: "key",
            testId: "sign-out-server",
            confirm: t("signOutHint"),
            run: signOut,
          } as const,
        ]
      : []),
    { label: t("remove"), icon: "trash", testId: "remove-server", confirm: t("removeServer"), run: remove },
  ];
}

function toStateBadge({ enabled, connected, connecting, last_error, sign_in }: McpServer): readonly [TextKey, string] {
  if (!enabled) return ["disabled", "gray"];
  if (sign_in === "again") return ["signInAgain", "yellow"];
  if (connected) return ["connected", "parley"];
  if (connecting) return ["connectingNow", "yellow"];
  if (sign_in === "needed") return ["signInNeeded", "yellow"];
  return last_error === null ? ["notConnected", "gray"] : ["channelError", "red"];
}

function ServerFacts({ server }: { readonly server: McpServer }) {
  const { t, language } = useTexts();
  const { id, url, command, args, connected, server_info, last_connected_at } = server;
  const since = last_connected_at && `${t("lastConnected")} ${formatTime(last_connected_at, language)}`;
  const place = url || [command, ...args].join(" ");
  return (
    <>
      <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
        {[`${t("serverId")} ${id}`, ...(connected && server_info ? toInfoTexts(server_info, t) : []), since]
          .filter(Boolean)
          .join(" · ")}
      </Text>
      <Text size="sm" c="dimmed" lineClamp={2} style={{ overflowWrap: "anywhere" }} title={place}>
        {place}
      </Text>
    </>
  );
}

function toInfoTexts(
  { name, version, protocol_version }: NonNullable<McpServer["server_info"]>,
  t: (key: TextKey) => string,
): readonly string[] {
  const who = `${toVisibleText(name, 100)} ${toVisibleText(version, 50)}`;
  return protocol_version === "" ? [who] : [who, `${t("mcpProtocol")} ${toVisibleText(protocol_version, 30)}`];
}

function ServerNotices({ server, showTools }: Pick<McpServerCardProps, "server" | "showTools">) {
  const { t } = useTexts();
  const { enabled, connected, last_error, warnings, sign_in } = server;
  return (
    <>
      {enabled && !connected && last_error !== null && sign_in !== "needed" && sign_in !== "again" && (
        <Alert color="red" mt="xs" py="xs" role="alert" data-testid="server-error">
          <Text size="sm" style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
            {toVisibleText(last_error, 2_500)}
          </Text>
        </Alert>
      )}
      {warnings.length > 0 && (
        <Alert color="yellow" mt="xs" py="xs" role="alert" data-testid="server-warnings">
          {server.warnings.map((warning) => (
            <Text key={warning} size="sm" style={{ overflowWrap: "anywhere" }}>
              {toVisibleText(warning)}
            </Text>
          ))}
          {connected && (
            <Button size="compact-sm" variant="default" mt="xs" onClick={showTools}>
              {t("reviewTools")}
            </Button>
          )}
        </Alert>
      )}
    </>
  );
}

function TestResult({ trial, close }: { readonly trial: McpTrial; readonly close: () => void }) {
  const { t, language } = useTexts();
  const { ok, elapsed_ms, server_info, tool_count, error } = trial;
  const facts = [
    formatDuration(elapsed_ms, language),
    ...(server_info ? toInfoTexts(server_info, t) : []),
    ok && t("toolsCount", { count: tool_count }),
  ];
  return (
    <Alert
      color={ok ? "parley" : "red"}
      mt="xs"
      py="xs"
      role="status"
      withCloseButton
      onClose={close}
      closeButtonLabel={t("close")}
      data-testid="server-trial"
    >
      <Text size="sm" style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
        {t(ok ? "mcpWorks" : "mcpFails")}: {facts.filter(Boolean).join(" · ")}
        {error !== null && `\n${toVisibleText(error, 2_500)}`}
      </Text>
    </Alert>
  );
}

/** True when the error is already shown on the card. */
function isShownOnCard(error: unknown, { last_error }: McpServer): boolean {
  return error instanceof Error && last_error !== null && error.message.includes(last_error);
}
