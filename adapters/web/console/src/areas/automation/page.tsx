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
  const [openRunId, setOpenRunId] = useState<string>();
  const content = {
    workflows: () => <WorkflowList openRun={setOpenRunId} />,
    tasks: () => <TaskList openRun={setOpenRunId} />,
    heartbeat: () => <HeartbeatTab openRun={setOpenRunId} />,
    calendar: () => <Calendar />,
    runs: () => <RunList openRun={setOpenRunId} />,
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
      <Dialog opened={openRunId !== undefined} onClose={() => setOpenRunId(undefined)} title={t("runTitle")} size="xl">
        {openRunId !== undefined && <RunView id={openRunId} onRerun={setOpenRunId} />}
      </Dialog>
    </Page>
  );
}
