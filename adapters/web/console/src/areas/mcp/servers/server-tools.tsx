import { Accordion, Alert, Badge, Button, Code, Group, Stack, Switch, Text, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { SchemaView } from "../../../shared/forms/schema-view.tsx";
import { toVisibleText } from "../../../shared/forms/untrusted-schema.ts";
import { toJsonObject } from "../../../shared/json-object.ts";
import { RejectedTool } from "../../../shared/tools/rejected-tool.tsx";
import { Failure, Loaded, useAction } from "../../../shared/ui/common.tsx";
import { type McpServer, type McpTool, mcp } from "../api.ts";
import mcpCss from "../mcp.module.css";
import { useTexts } from "../texts.ts";
import { setAllConfirmation, setToolAllowed, setToolConfirmation } from "./server-draft.ts";
import { TryTool } from "./try-tool.tsx";

const QUERY_KEYS = [["mcp_server"]] as const;
const MAX_TOOLS_WITHOUT_SEARCH = 8;

/** The tools of a connected server: description, permissions, and a manual call. */
export function McpTools({ server }: { readonly server: McpServer }) {
  const { t } = useTexts();
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const [searchText, setSearchText] = useState("");
  const { id, connected, confirm_tools } = server;
  const tools = useQuery({
    queryKey: ["mcp_server", id, "tools"],
    queryFn: () => mcp.listTools(id),
    enabled: connected,
    refetchOnMount: "always",
  });
  if (!connected) return <Text c="dimmed">{t("toolsNeedConnection")}</Text>;
  return (
    <Loaded query={tools}>
      {({ items }) => {
        if (items.length === 0) return <Text c="dimmed">{t("noToolsYet")}</Text>;
        const query = searchText.trim().toLowerCase();
        const visibleTools = items.filter(({ name, description }) =>
          `${name} ${description}`.toLowerCase().includes(query),
        );
        return (
          <Stack gap="sm">
            {items.some(({ first_description, is_new }) => first_description !== null || is_new) && (
              <Alert color="yellow" py="xs">
                {items.some(({ is_new }) => is_new) && <Text size="sm">{t("toolsNew")}</Text>}
                {items.some(({ first_description }) => first_description !== null) && (
                  <Text size="sm">{t("toolsChanged")}</Text>
                )}
                <Button
                  size="compact-sm"
                  variant="default"
                  mt="xs"
                  loading={isBusy}
                  onClick={toHandler(() => mcp.acceptTools(id))}
                  data-testid="accept-tools"
                >
                  {t("acceptTools")}
                </Button>
              </Alert>
            )}
            <Switch
              label={t("confirmAll")}
              checked={confirm_tools.includes("*")}
              disabled={isBusy}
              onChange={({ currentTarget: { checked } }) =>
                void toHandler(() => mcp.changeLists(id, (now) => setAllConfirmation(now, checked)))()
              }
              data-testid="confirm-all"
            />
            <Failure error={error} />
            {items.length > MAX_TOOLS_WITHOUT_SEARCH && (
              <TextInput
                size="sm"
                aria-label={t("findTool")}
                placeholder={t("findTool")}
                value={searchText}
                onChange={({ currentTarget }) => setSearchText(currentTarget.value)}
              />
            )}
            <Accordion variant="separated" keepMounted={false} order={3} chevronPosition="left">
              {visibleTools.map((tool) => (
                <ToolItem key={tool.name} server={server} tool={tool} />
              ))}
            </Accordion>
          </Stack>
        );
      }}
    </Loaded>
  );
}

interface ServerToolProps {
  readonly server: McpServer;
  readonly tool: McpTool;
}

function ToolItem({ server, tool }: ServerToolProps) {
  const { t } = useTexts();
  const { name, full_name, offered_as, description, enabled, is_new, risk, first_description } = tool;
  return (
    <Accordion.Item value={name} data-testid="mcp-tool" data-tool={name}>
      <Accordion.Control>
        <Group gap="xs">
          <Text fw={600} size="sm" style={{ overflowWrap: "anywhere" }}>
            {toVisibleText(name, 200)}
          </Text>
          {!enabled && (
            <Badge color="gray" variant="filled">
              {t("toolDenied")}
            </Badge>
          )}
          {risk === "high" && (
            <Badge color="yellow" variant="light">
              {t("toolAsksFirst")}
            </Badge>
          )}
          {risk !== "high" && (
            <Badge color={risk === "read" ? "gray" : "yellow"} variant="light">
              {t(risk === "read" ? "toolReadOnly" : "toolMayChange")}
            </Badge>
          )}
          {is_new && (
            <Badge color="red" variant="light">
              {t("toolNew")}
            </Badge>
          )}
          {first_description !== null && (
            <Badge color="red" variant="light">
              {t("toolChanged")}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed" lineClamp={1}>
          {toVisibleText(description, 200)}
        </Text>
      </Accordion.Control>
      <RejectedTool name={offered_as ?? full_name} />
      <Accordion.Panel>
        <ToolDetails server={server} tool={tool} />
      </Accordion.Panel>
    </Accordion.Item>
  );
}

function ToolDetails({ server, tool }: ServerToolProps) {
  const { t } = useTexts();
  const { description, full_name, first_description } = tool;
  const parameters = server.builtin ? omitConfirm(tool.parameters) : tool.parameters;
  return (
    <Stack gap="sm">
      {first_description !== null && (
        <Alert color="red" py="xs" title={t("toolFirstDescription")} data-testid="tool-was">
          <Text size="sm" style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
            {toVisibleText(first_description, 2_000) || t("toolNoFirstDescription")}
          </Text>
        </Alert>
      )}
      <div>
        <Text size="xs" c="dimmed">
          {t("toolSelfDescription")}
        </Text>
        <Text size="sm" className={mcpCss.foreign} data-testid="tool-description">
          {toVisibleText(description, 2_000) || t("toolNoDescription")}
        </Text>
      </div>
      <ToolPermissions server={server} tool={tool} />
      <Text size="xs" c="dimmed">
        {t("toolNameForAi")} <Code style={{ overflowWrap: "anywhere" }}>{full_name}</Code>
      </Text>
      <section>
        <Title order={4} size="sm" mb={4}>
          {t("toolArguments")}
        </Title>
        <SchemaView schema={parameters} />
      </section>
      <TryTool serverId={server.id} tool={{ ...tool, parameters }} />
    </Stack>
  );
}

function ToolPermissions({ server, tool: { name, enabled, is_new, risk, first_description } }: ServerToolProps) {
  const { t } = useTexts();
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const { id, confirm_tools } = server;
  // A changed tool needs a confirmation until a user accepts the change.
  const isConfirmationForced = confirm_tools.includes("*") || first_description !== null;
  const allow = async () => {
    if (is_new) await mcp.acceptTools(id, [name]);
    await mcp.changeLists(id, (now) => setToolAllowed(now, name, !enabled));
  };
  return (
    <div>
      <Group gap="lg">
        <Switch
          label={t("toolAllowed")}
          checked={enabled}
          disabled={isBusy}
          onChange={toHandler(allow)}
          data-testid="allow-tool"
        />
        <Switch
          label={t("toolConfirm")}
          checked={risk === "high"}
          disabled={isBusy || isConfirmationForced}
          onChange={toHandler(() => mcp.changeLists(id, (now) => setToolConfirmation(now, name, risk !== "high")))}
          data-testid="confirm-tool"
        />
      </Group>
      <Failure error={error} />
    </div>
  );
}

/** Removes `confirm` from the schema of a tool of this service, because in a manual call the button confirms. */
function omitConfirm(schema: McpTool["parameters"]): McpTool["parameters"] {
  const { properties, required, ...rest } = schema;
  const { confirm: _, ...parameters } = toJsonObject(properties);
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  return { ...rest, properties: parameters, required: names.filter((name) => name !== "confirm") };
}
