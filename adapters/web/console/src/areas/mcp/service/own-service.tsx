import {
  Accordion,
  Alert,
  Badge,
  Code,
  CopyButton,
  Group,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { stringifyJson } from "../../../shared/forms/json-text.ts";
import { SchemaView } from "../../../shared/forms/schema-view.tsx";
import textCss from "../../../shared/styles/text.module.css";
import { describe } from "../../../shared/tools/describe.ts";
import { Loaded } from "../../../shared/ui/common.tsx";
import { IconButton } from "../../../shared/ui/element/icon-button.tsx";
import { type McpService, mcp, type OwnTool } from "../api.ts";
import { type TextKey, useTexts } from "../texts.ts";
import { OwnOffers } from "./own-offers.tsx";

type ToolFilter = "all" | "callable" | "refused";

/** The MCP server of this service: address, permissions, and tools, including the denied ones. */
export function OwnService() {
  const service = useQuery({ queryKey: ["mcp_service"], queryFn: mcp.getService, refetchOnMount: "always" });
  return (
    <Loaded query={service}>
      {(service) => (
        <Stack gap="xl">
          <ServiceAddress service={service} />
          <ServicePermissions service={service} />
          <OwnTools tools={service.tools} />
          <OwnOffers />
        </Stack>
      )}
    </Loaded>
  );
}

interface ServiceProps {
  readonly service: McpService;
}

function ServiceAddress({ service }: ServiceProps) {
  const { t } = useTexts();
  const { enabled, address, http_auth } = service;
  if (!enabled) {
    return (
      <Alert color="yellow" title={t("serviceOff")} data-testid="service-off">
        {t("serviceOffHint")} <Code>npm start -- --mcp</Code>
      </Alert>
    );
  }
  const reachableUrl = address === null ? null : toReachableUrl(address);
  return (
    <section aria-labelledby="endpoint">
      <Title order={2} size="h4" id="endpoint" mb="xs">
        {t(reachableUrl === null ? "serviceStdio" : "serviceHttp")}
      </Title>
      {reachableUrl === null ? (
        <Text size="sm" maw="46rem">
          {t("serviceStdioHint")}
        </Text>
      ) : (
        <>
          <CopyableText text={reachableUrl} testId="service-address" />
          <Text size="sm" mt="xs">
            {http_auth === "required" ? (
              <>
                {t("serviceKey")}{" "}
                <Link to="/access" className={textCss.inlineLink}>
                  {t("makeKey")}
                </Link>
              </>
            ) : (
              t("serviceNoKey")
            )}
          </Text>
        </>
      )}
      <Text size="sm" fw={600} mt="md">
        {t("exampleConfig")}
      </Text>
      <Text size="xs" c="dimmed" mb={4}>
        {t("exampleHint")}
      </Text>
      <CopyableText text={stringifyJson(toExampleConfig(reachableUrl, http_auth))} isBlock testId="service-example" />
    </section>
  );
}

function CopyableText({
  text,
  isBlock = false,
  testId,
}: {
  readonly text: string;
  readonly isBlock?: boolean;
  readonly testId: string;
}) {
  const { t } = useTexts();
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Code block={isBlock} style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }} data-testid={testId}>
        {text}
      </Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <IconButton icon={copied ? "check" : "copy"} label={t(copied ? "copied" : "copy")} onClick={copy} />
        )}
      </CopyButton>
    </Group>
  );
}

/** Replaces a wildcard address by the host of this page. */
function toReachableUrl(address: string): string {
  const url = new URL(address);
  if (["0.0.0.0", "[::]"].includes(url.hostname)) url.hostname = location.hostname;
  return url.href;
}

function toExampleConfig(address: string | null, auth: McpService["http_auth"]): object {
  const headers = { Authorization: "Bearer <API key>" };
  const http = { type: "http", url: address, ...(auth === "required" && { headers }) };
  const args = ["--silent", "--prefix", "<folder of Parley>", "start", "--", "--mcp-only"];
  return { mcpServers: { parley: address === null ? { command: "npm", args } : http } };
}

const SWITCH_TEXTS: Readonly<Record<string, TextKey>> = {
  send_message_enabled: "sw_send_message_enabled",
  register_node_enabled: "sw_register_node_enabled",
  submit_task_enabled: "sw_submit_task_enabled",
  retry_require_confirmation: "sw_retry_require_confirmation",
};

function ServicePermissions({ service: { admin, scopes, switches, audit_enabled } }: ServiceProps) {
  const { t } = useTexts();
  const rows: (readonly [string, TextKey | undefined, boolean])[] = [
    ...Object.entries(switches).map(([key, isOn]) => [key, SWITCH_TEXTS[key], isOn] as const),
    ["audit_enabled", "sw_audit", audit_enabled],
  ];
  return (
    <section aria-labelledby="permissions">
      <Title order={2} size="h4" id="permissions">
        {t("permissions")}
      </Title>
      <Text size="sm" c="dimmed" mb="xs" maw="46rem">
        {t("permissionsHint")}
      </Text>
      <Group gap={6} mb="xs" data-testid="service-scopes">
        <Text size="sm">{t("grantedScopes")}:</Text>
        {admin ? (
          <Badge>admin · {t("adminScope")}</Badge>
        ) : (
          scopes.map((scope) => (
            <Badge key={scope} variant="default">
              {scope}
            </Badge>
          ))
        )}
      </Group>
      <dl className={textCss.pairs}>
        {rows.map(([key, label, isOn]) => (
          <div key={key}>
            <dt>{label ? t(label) : key}</dt>
            <dd>
              <b>{t(isOn ? "on" : "off")}</b> <Code fz="xs">{key}</Code>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function OwnTools({ tools }: { readonly tools: readonly OwnTool[] }) {
  const { t, language } = useTexts();
  const [filter, setFilter] = useState<ToolFilter>("all");
  const [searchText, setSearchText] = useState("");
  const callable = tools.filter(({ refused }) => refused === null).length;
  const query = searchText.trim().toLowerCase();
  const visibleTools = tools.filter(
    (tool) =>
      (filter === "all" || (filter === "callable") === (tool.refused === null)) &&
      `${tool.name} ${describe(language, tool)}`.toLowerCase().includes(query),
  );
  return (
    <section aria-labelledby="own-tools">
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={2} size="h4" id="own-tools">
          {t("mcpTools")}{" "}
          <Text span size="sm" c="dimmed" fw={400} data-testid="callable-count">
            {t("allowedTools")}: {callable} {t("ofTools")} {tools.length}
          </Text>
        </Title>
        <SegmentedControl
          size="xs"
          value={filter}
          onChange={setFilter}
          data={[
            { value: "all", label: t("all") },
            { value: "callable", label: t("allowedTools") },
            { value: "refused", label: t("deniedTools") },
          ]}
        />
      </Group>
      <TextInput
        size="sm"
        mb="sm"
        aria-label={t("findTool")}
        placeholder={t("findTool")}
        value={searchText}
        onChange={({ currentTarget }) => setSearchText(currentTarget.value)}
        data-testid="find-own-tool"
      />
      <Accordion variant="separated" keepMounted={false} order={3} chevronPosition="left">
        {visibleTools.map((tool) => (
          <OwnToolItem key={tool.name} tool={tool} />
        ))}
      </Accordion>
    </section>
  );
}

function OwnToolItem({ tool }: { readonly tool: OwnTool }) {
  const { t, language } = useTexts();
  const { name, parameters, scope, refused, risk, needs_confirm, deletes } = tool;
  return (
    <Accordion.Item value={name} data-testid="own-tool" data-tool={name}>
      <Accordion.Control>
        <Group gap="xs">
          <Text fw={600} size="sm" style={{ overflowWrap: "anywhere" }} {...(refused !== null && { c: "dimmed" })}>
            {name}
          </Text>
          {refused !== null && (
            <Badge color="gray" variant="filled">
              {t("deniedTools")}
            </Badge>
          )}
          {risk === "high" && (
            <Badge color="yellow" variant="light">
              {t("highRisk")}
            </Badge>
          )}
          {deletes && (
            <Badge color="red" variant="light">
              {t("deletesSomething")}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed" lineClamp={2}>
          {describe(language, tool)}
        </Text>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="xs">
          <RejectionReason tool={tool} />
          <Text size="sm">
            {t("scope")}: <Code>{scope}</Code>
            {tool.switch !== null && (
              <>
                {" · "}
                {t("switchName")}: <Code>{tool.switch}</Code>
              </>
            )}
            {needs_confirm && ` · ${t("needsConfirm")}`}
          </Text>
          <SchemaView schema={parameters} />
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}

/** The reason why a tool is denied, and the setting that allows it. */
function RejectionReason({ tool: { refused, scope, switch: switchName } }: { readonly tool: OwnTool }) {
  const { t } = useTexts();
  if (refused === null) return null;
  const isSwitch = refused === "switch" && switchName !== null;
  return (
    <Alert color="yellow" py="xs" data-testid="refusal">
      {t(isSwitch ? "deniedBySwitch" : "deniedByScope")} <Code>{isSwitch ? switchName : scope}</Code>
      <Text size="sm" mt={4}>
        {t("grantHow")} <Code>{isSwitch ? `${switchName} = true` : "admin = true"}</Code> {t("grantWhere")}
      </Text>
    </Alert>
  );
}
