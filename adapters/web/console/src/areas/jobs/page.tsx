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
  const [open, setOpen] = useState<string>();
  return (
    <Page title={t("jobs")} hint={t("jobsHint")}>
      <JobList open={setOpen} />
      <ScheduleList open={setOpen} />
      <RequireChangeScope scope="admin">
        <BackupList />
      </RequireChangeScope>
      <Dialog opened={open !== undefined} onClose={() => setOpen(undefined)} title={t("job")} size="lg">
        {open !== undefined && <JobLog id={open} />}
      </Dialog>
    </Page>
  );
}
