import { Button, Progress, SegmentedControl, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { getServiceTime } from "../../shared/api/service-clock.ts";
import { readFolders } from "../../shared/files/files-in-folders.ts";
import { refetch } from "../../shared/live/refetch.ts";
import textCss from "../../shared/styles/text.module.css";
import { Failure, useAction } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { FileButton } from "../../shared/ui/form/file-button.tsx";
import { useFileDrop } from "../../shared/ui/form/use-file-drop.ts";
import { Dialog, Page } from "../../shared/ui/page/page.tsx";
import { type IngestJob, knowledge, uploadFiles } from "./api.ts";
import { DocumentList } from "./document-list.tsx";
import { IndexStatus } from "./index-status.tsx";
import knowledgeCss from "./knowledge.module.css";
import { NewDocument, NewPage } from "./new-document.tsx";
import { Search } from "./search.tsx";
import { useTexts } from "./texts.ts";

const QUERY_KEYS = [["document"], ["job"]] as const;
const UPLOAD_BATCH_SIZE = 20;
/** Maximum files of one folder upload; more can be uploaded as a ZIP. */
const MAX_FILES = 5_000;
const POLL_MS = 1_000;
const RECENT_MS = 86_400_000;

export function KnowledgePage() {
  const { t } = useTexts();
  const [view, setView] = useState<"library" | "search">("library");
  const [baseId, setBaseId] = useState("");
  const [isWriting, writing] = useDisclosure(false);
  const [isFetching, fetching] = useDisclosure(false);
  const [progress, setProgress] = useState<{ readonly done: number; readonly total: number }>();
  const uploading = useAction(QUERY_KEYS);
  const uploadAll = (files: readonly File[], folders: readonly FileSystemDirectoryEntry[] = []) =>
    uploading.toHandler(async () => {
      const folderFiles = await readFolders(folders, MAX_FILES);
      const all = [...files.map((file) => ({ file, path: file.name })), ...folderFiles];
      if (all.length === 0) throw new Error(t("emptyFolder"));
      try {
        for (let at = 0; at < all.length; at += UPLOAD_BATCH_SIZE) {
          setProgress({ done: at, total: all.length });
          await uploadFiles(all.slice(at, at + UPLOAD_BATCH_SIZE), baseId || "default");
        }
      } finally {
        setProgress(undefined);
      }
    })();
  const isDraggedOver = useFileDrop((files, _names, folders) => void uploadAll(files, folders));
  return (
    <Page
      title={t("knowledge")}
      hint={t("hint")}
      actions={
        <>
          <Button variant="default" onClick={writing.open} data-testid="write-document">
            {t("write")}
          </Button>
          <Button variant="default" onClick={fetching.open} data-testid="add-page">
            {t("addPage")}
          </Button>
          <FileButton multiple onChange={(files) => void uploadAll(files)}>
            {(props) => (
              <Button
                {...props}
                loading={uploading.isBusy}
                leftSection={<Icon name="upload" size={16} />}
                data-testid="add-files"
              >
                {t("addFiles")}
              </Button>
            )}
          </FileButton>
        </>
      }
    >
      {isDraggedOver && (
        <Text className={knowledgeCss.knowledgeDrop} role="status">
          {t("dropHere")}
          <Text size="xs">{t("kinds")}</Text>
        </Text>
      )}
      <Failure error={uploading.error} />
      {progress && (
        <div role="status" data-testid="sending-files">
          <Text size="sm">{t("sending", { done: progress.done, total: progress.total })}</Text>
          <Progress value={(100 * progress.done) / progress.total} aria-label={t("addFiles")} animated />
        </div>
      )}
      <IngestProgress />
      <IndexStatus />
      <SegmentedControl
        my="sm"
        value={view}
        onChange={setView}
        data={[
          { value: "library", label: t("library") },
          { value: "search", label: t("search") },
        ]}
      />
      {view === "library" ? (
        <DocumentList baseId={baseId} setBaseId={setBaseId} write={writing.open} />
      ) : (
        <Search baseId={baseId} />
      )}
      <Dialog opened={isWriting} onClose={writing.close} title={t("write")} size="lg">
        <NewDocument baseId={baseId} onDone={writing.close} />
      </Dialog>
      <Dialog opened={isFetching} onClose={fetching.close} title={t("addPage")}>
        <NewPage baseId={baseId} onDone={fetching.close} />
      </Dialog>
    </Page>
  );
}

/** Files being ingested, and those that failed. */
function IngestProgress() {
  const { t } = useTexts();
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: ["job", "knowledge"],
    queryFn: async () => {
      const found = await knowledge.listImportJobs();
      void refetch(queries, ["document"]);
      return found;
    },
    refetchInterval: ({ state }) => (state.data?.items.some(isUnfinished) ? POLL_MS : false),
  });
  const jobs = data?.items ?? [];
  // Only the latest job of a file is shown.
  const isLatest = (job: IngestJob) => jobs.find(({ progress_text: name }) => name === job.progress_text) === job;
  const visibleJobs = jobs.filter((job) => isUnfinished(job) || (hasFailedRecently(job) && isLatest(job))).slice(0, 5);
  if (visibleJobs.length === 0) return null;
  return (
    <div className={knowledgeCss.knowledgeReading} data-testid="reading-files">
      {visibleJobs.map((job) => (
        <div key={job.id}>
          <Text size="sm" className={textCss.oneLine}>
            {job.progress_text === "" && isUnfinished(job)
              ? t("waitingToRead")
              : `${t(job.status === "dead" ? "readFailed" : "reading")}: ${job.progress_text}`}
          </Text>
          {job.status === "dead" || job.error ? (
            <Text size="xs" c="red">
              {job.error?.error}
            </Text>
          ) : (
            <Progress value={(job.progress ?? 0) * 100} aria-label={t("reading")} animated />
          )}
        </div>
      ))}
    </div>
  );
}

/** True for failures of the last day; older ones are only on the jobs page. */
function hasFailedRecently({ status, finished_at }: IngestJob): boolean {
  return status === "dead" && finished_at !== null && getServiceTime() - Date.parse(finished_at) < RECENT_MS;
}

function isUnfinished({ status }: IngestJob): boolean {
  return status === "waiting" || status === "running";
}
