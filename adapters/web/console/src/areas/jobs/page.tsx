import { useState } from "react";
import { Changes } from "../../shared/ui/may-change.tsx";
import { Dialog, Page } from "../../shared/ui/page.tsx";
import { Backups } from "./backups.tsx";
import { JobLog } from "./job-log.tsx";
import { Jobs } from "./jobs.tsx";
import { Schedules } from "./schedules.tsx";
import { useTexts } from "./texts.ts";

export function JobsPage() {
  const { t } = useTexts();
  const [open, setOpen] = useState<string>();
  return (
    <Page title={t("jobs")} hint={t("jobsHint")}>
      <Jobs open={setOpen} />
      <Schedules open={setOpen} />
      <Changes scope="admin">
        <Backups />
      </Changes>
      <Dialog opened={open !== undefined} onClose={() => setOpen(undefined)} title={t("job")} size="lg">
        {open !== undefined && <JobLog id={open} />}
      </Dialog>
    </Page>
  );
}
