import { Button, Tabs } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { ConfirmationRequests } from "../../shared/ui/feedback/confirmation-requests.tsx";
import { toAddress, usePathParams } from "../../shared/ui/page/address.ts";
import { Page } from "../../shared/ui/page/page.tsx";
import { TABS } from "./area.ts";
import { McpServers, type OpenedServer } from "./servers/server-list.tsx";
import { CallLog } from "./service/call-log.tsx";
import { OwnService } from "./service/own-service.tsx";
import { type TextKey, useTexts } from "./texts.ts";

const TITLES: Readonly<Record<(typeof TABS)[number], TextKey>> = {
  servers: "mcpServers",
  service: "mcpService",
  calls: "mcpLog",
};

export function McpPage() {
  const { t } = useTexts();
  const navigate = useNavigate();
  const { tab: tabParam } = usePathParams();
  const tab = TABS.find((one) => one === tabParam) ?? "servers";
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
      <ConfirmationRequests />
      <Tabs value={tab} onChange={(next) => navigate(toAddress(`/mcp/${next}`))} keepMounted={false}>
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
          <OwnService />
        </Tabs.Panel>
        <Tabs.Panel value="calls">
          <CallLog />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
