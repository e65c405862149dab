import { useState } from "react";
import { Dialog, Page } from "../../shared/ui/page/page.tsx";
import { RequireChangeScope } from "../../shared/ui/page/permissions.tsx";
import { BackupList } from "./backup-list.tsx";
import { JobList } from "./job-list.tsx";
import { JobLog } from "./job-log.tsx";
import { ScheduleList } from "./schedule-list.tsx";
import { useTexts } from "./texts.ts";

export function JobsPage() {
  const { t } = useTexts();
  const [openJobId, setOpenJobId] = useState<string>();
  return (
    <Page title={t("jobs")} hint={t("jobsHint")}>
      <JobList openJob={setOpenJobId} />
      <ScheduleList openJob={setOpenJobId} />
      <RequireChangeScope scope="admin">
        <BackupList />
      </RequireChangeScope>
      <Dialog opened={openJobId !== undefined} onClose={() => setOpenJobId(undefined)} title={t("job")} size="lg">
        {openJobId !== undefined && <JobLog id={openJobId} />}
      </Dialog>
    </Page>
  );
}
