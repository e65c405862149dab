import { Button, Tabs } from "@mantine/core";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { Icon } from "../../shared/ui/icon.tsx";
import { Page } from "../../shared/ui/page.tsx";
import { Questions } from "../../shared/ui/questions.tsx";
import { McpLog } from "./mcp-log.tsx";
import { McpServers, type OpenedServer } from "./mcp-servers.tsx";
import { McpServicePart } from "./mcp-service.tsx";
import type { TextKey } from "./texts.ts";
import { useTexts } from "./texts.ts";

const VIEWS = { servers: "mcpServers", service: "mcpService", calls: "mcpLog" } as const satisfies Record<
  string,
  TextKey
>;

export function McpPage() {
  const { t } = useTexts();
  const navigate = useNavigate();
  const { view: asked = "" } = useParams({ strict: false });
  const view = asked in VIEWS ? asked : "servers";
  const [opened, setOpened] = useState<OpenedServer>();
  return (
    <Page
      title={t("mcp")}
      hint={t("mcpHint")}
      actions={
        view === "servers" && (
          <>
            <Button variant="default" onClick={() => setOpened({ kind: "paste" })} data-testid="paste-config">
              {t("pasteServers")}
            </Button>
            <Button
              leftSection={<Icon name="plus" size={16} />}
              onClick={() => setOpened({ kind: "add" })}
              data-testid="add-server"
            >
              {t("addServer")}
            </Button>
          </>
        )
      }
    >
      <Questions />
      <Tabs
        value={view}
        onChange={(next) => navigate({ to: "/mcp/$view", params: { view: next ?? "servers" } })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {Object.entries(VIEWS).map(([value, label]) => (
            <Tabs.Tab key={value} value={value} data-testid={`tab-${value}`}>
              {t(label)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="servers">
          <McpServers opened={opened} open={setOpened} />
        </Tabs.Panel>
        <Tabs.Panel value="service">
          <McpServicePart />
        </Tabs.Panel>
        <Tabs.Panel value="calls">
          <McpLog />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
