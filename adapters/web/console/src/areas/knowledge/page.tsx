import { Button, FileButton, Progress, SegmentedControl, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Failure, useTried } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/icon.tsx";
import { Dialog, Page } from "../../shared/ui/page.tsx";
import { useFileDrop } from "../../shared/ui/use-file-drop.ts";
import { knowledge, type ReadingJob, sendFiles } from "./api.ts";
import { Library } from "./library.tsx";
import { NewDocument, NewPage } from "./new-document.tsx";
import { Search } from "./search.tsx";
import { Standing } from "./standing.tsx";
import { useTexts } from "./texts.ts";

const CHANGED = [["document"], ["job"]] as const;
const AT_ONCE = 20;
const WATCH_MS = 1_000;

export function KnowledgePage() {
  const { t } = useTexts();
  const [view, setView] = useState<"library" | "search">("library");
  const [base, setBase] = useState("");
  const [isWriting, writing] = useDisclosure(false);
  const [isFetching, fetching] = useDisclosure(false);
  const [folders, setFolders] = useState(false);
  const sending = useTried(CHANGED);
  const send = (files: readonly File[]) =>
    sending.tried(async () => {
      for (let at = 0; at < files.length; at += AT_ONCE) {
        await sendFiles(files.slice(at, at + AT_ONCE), base || "default");
      }
    })();
  const isOver = useFileDrop((files, dropped) => {
    setFolders(dropped.length > 0);
    if (files.length > 0) void send(files);
  });
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
          <FileButton multiple onChange={(files) => void send(files)}>
            {(props) => (
              <Button
                {...props}
                loading={sending.isBusy}
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
      {isOver && (
        <Text className="knowledge-drop" role="status">
          {t("dropHere")}
          <Text size="xs">{t("kinds")}</Text>
        </Text>
      )}
      <Failure error={sending.error} />
      {folders && <Failure error={new Error(t("noFolders"))} />}
      <Reading />
      <Standing />
      <SegmentedControl
        my="sm"
        value={view}
        onChange={(value) => setView(value as typeof view)}
        data={[
          { value: "library", label: t("library") },
          { value: "search", label: t("search") },
        ]}
      />
      {view === "library" ? <Library base={base} setBase={setBase} write={writing.open} /> : <Search base={base} />}
      <Dialog opened={isWriting} onClose={writing.close} title={t("write")} size="lg">
        <NewDocument base={base} done={writing.close} />
      </Dialog>
      <Dialog opened={isFetching} onClose={fetching.close} title={t("addPage")}>
        <NewPage base={base} done={fetching.close} />
      </Dialog>
    </Page>
  );
}

/** What is being read, and what could not be. */
function Reading() {
  const { t } = useTexts();
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: ["job", "knowledge"],
    queryFn: async () => {
      const found = await knowledge.jobs();
      void queries.invalidateQueries({ queryKey: ["document"] });
      return found;
    },
    refetchInterval: ({ state }) => (state.data?.items.some(isOpen) ? WATCH_MS : false),
  });
  const shown = (data?.items ?? []).filter((job) => isOpen(job) || job.status === "dead").slice(0, 5);
  if (shown.length === 0) return null;
  return (
    <div className="knowledge-reading" data-testid="reading-files">
      {shown.map((job) => (
        <div key={job.id}>
          <Text size="sm" className="one-line">
            {t(job.status === "dead" ? "notRead" : "reading")}: {job.progress_text}
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

function isOpen({ status }: ReadingJob): boolean {
  return status === "waiting" || status === "running";
}
