import { Button, Tabs } from "@mantine/core";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { Icon } from "../../shared/ui/icon.tsx";
import { Page } from "../../shared/ui/page.tsx";
import { Questions } from "../../shared/ui/questions.tsx";
import { TABS } from "./area.ts";
import { McpLog } from "./mcp-log.tsx";
import { McpServers, type OpenedServer } from "./mcp-servers.tsx";
import { McpServicePart } from "./mcp-service.tsx";
import type { TextKey } from "./texts.ts";
import { useTexts } from "./texts.ts";

const TITLES: Readonly<Record<(typeof TABS)[number], TextKey>> = {
  servers: "mcpServers",
  service: "mcpService",
  calls: "mcpLog",
};

export function McpPage() {
  const { t } = useTexts();
  const navigate = useNavigate();
  const { tab: asked } = useParams({ strict: false }) as { readonly tab?: string };
  const tab = TABS.find((one) => one === asked) ?? "servers";
  const [opened, setOpened] = useState<OpenedServer>();
  return (
    <Page
      title={t("mcp")}
      hint={t("mcpHint")}
      actions={
        tab === "servers" && (
          <>
            <Button variant="default" onClick={() => setOpened({ kind: "browse" })} data-testid="browse-servers">
              {t("browseServers")}
            </Button>
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
      <Tabs value={tab} onChange={(next) => navigate({ to: `/mcp/${next}` as string })} keepMounted={false}>
        <Tabs.List mb="md">
          {TABS.map((value) => (
            <Tabs.Tab key={value} value={value} data-testid={`tab-${value}`}>
              {t(TITLES[value])}
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
