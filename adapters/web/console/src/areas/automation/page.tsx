import { Tabs } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { toAddress, usePathParams } from "../../shared/ui/page/address.ts";
import { Dialog, Page } from "../../shared/ui/page/page.tsx";
import { NEW_WORKFLOW, TABS } from "./area.ts";
import { Calendar } from "./calendar/calendar.tsx";
import { HeartbeatTab } from "./heartbeat.tsx";
import { RunList } from "./runs/run-list.tsx";
import { RunView } from "./runs/run-view.tsx";
import { TaskList } from "./task-list.tsx";
import { useTexts } from "./texts.ts";
import { WorkflowList } from "./workflows/workflow-list.tsx";
import { NewWorkflowPage, WorkflowPage } from "./workflows/workflow-page.tsx";

type Tab = (typeof TABS)[number];

export function AutomationPage() {
  const { tab, workflowId } = usePathParams();
  if (workflowId === NEW_WORKFLOW) return <NewWorkflowPage />;
  if (workflowId !== undefined) return <WorkflowPage key={workflowId} id={workflowId} />;
  return <TabsPage tab={TABS.find((one) => one === tab) ?? "workflows"} />;
}

function TabsPage({ tab }: { readonly tab: Tab }) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const [open, setOpen] = useState<string>();
  const content = {
    workflows: () => <WorkflowList open={setOpen} />,
    tasks: () => <TaskList open={setOpen} />,
    heartbeat: () => <HeartbeatTab open={setOpen} />,
    calendar: () => <Calendar />,
    runs: () => <RunList open={setOpen} />,
  }[tab];
  return (
    <Page title={t("title")} hint={t("hint")} isWide>
      <Tabs value={tab} onChange={(to) => navigate(toAddress(`/automation/${to}`))} mb="md">
        <Tabs.List>
          {TABS.map((value) => (
            <Tabs.Tab key={value} value={value} data-testid={`tab-${value}`}>
              {t(`tab_${value}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      {content()}
      <Dialog opened={open !== undefined} onClose={() => setOpen(undefined)} title={t("runTitle")} size="xl">
        {open !== undefined && <RunView id={open} onRerun={setOpen} />}
      </Dialog>
    </Page>
  );
}
