import { Button, Group, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { parley, type Shapes } from "../../shared/api/client.ts";
import { readAgain } from "../../shared/live/read-again.ts";
import textCss from "../../shared/styles/text.module.css";
import { Failure, reasonOf, useTried } from "../../shared/ui/common.tsx";
import { IconButton } from "../../shared/ui/icon-button.tsx";
import { Dialog } from "../../shared/ui/page.tsx";
import { toast } from "../../shared/ui/toasts.tsx";
import { deleteSoon, sessionPath } from "./doomed.ts";
import { ToFolder } from "./folders.tsx";
import sessionListCss from "./session-list.module.css";
import { useTexts } from "./texts.ts";

type Row = Shapes["SessionItem"];

interface BulkBarProps {
  readonly chosen: readonly Row[];
  /** Ends the choosing. */
  readonly done: () => void;
}

const ONE = "/api/sessions/{session_id}";
const CHANGED = [["session"]] as const;
const MOST_TAGS = 32;
const at = ({ id }: Row) => ({ path: { session_id: id } });
const put = (row: Row, body: Partial<Pick<Row, "pinned" | "tags" | "favorite" | "folder">>) =>
  parley.put(ONE, { ...at(row), body: { ...body, ...(body.tags && { tags: [...body.tags] }) } });

/** What is done with several conversations at once; all of it can be taken back. */
export function BulkBar({ chosen, done }: BulkBarProps) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const { tried, isBusy, error } = useTried(CHANGED);
  const [asks, setAsks] = useState<"tag" | "folder" | "remove">();
  const [tag, setTag] = useState("");
  const isNone = chosen.length === 0;
  const each = (work: (row: Row) => Promise<unknown>) => async () => {
    // One after another: what fails in the middle leaves the others as they were.
    for (const row of chosen) await work(row);
  };
  const run = (work: (row: Row) => Promise<unknown>, back?: (row: Row) => Promise<unknown>) =>
    tried(async () => {
      await each(work)();
      setAsks(undefined);
      done();
      if (back) toast({ text: t("bulkDone", { count: chosen.length }), undo: () => void tried(each(back))() });
    });
  const [first] = chosen;
  const inAll = first && chosen.every(({ folder }) => folder === first.folder) ? (first.folder ?? "") : "";
  const moveAll = async (folder: string) => {
    await each((row) => put(row, { folder }))();
    toast({
      text: t("bulkDone", { count: chosen.length }),
      undo: () => void tried(each((row) => put(row, { folder: row.folder ?? "" })))(),
    });
    done();
  };
  const remove = () => {
    deleteSoon({
      ids: chosen.map(({ id }) => id),
      paths: chosen.map(({ id }) => sessionPath(id)),
      text: t("sessionsDeleted", { count: chosen.length }),
      failed: (failure) => toast({ text: reasonOf(failure, t), isBad: true }),
      ended: () => readAgain(queries, ["session"]),
    });
    setAsks(undefined);
    done();
  };
  const arePinned = chosen.every(({ pinned }) => pinned);
  const areArchived = chosen.every(({ archived }) => archived);
  const archive = (row: Row) => parley.post(`${ONE}/archive`, at(row));
  const restore = (row: Row) => parley.post(`${ONE}/restore`, at(row));
  const keep = (row: Row) => (row.archived ? archive(row) : restore(row));
  const tagged = (row: Row) => [...new Set([...row.tags, tag.trim()])].slice(0, MOST_TAGS);
  return (
    <div className={sessionListCss.bulk} role="toolbar" aria-label={t("chooseSeveral")} data-testid="bulk-bar">
      <Group gap={4} wrap="nowrap" justify="space-between">
        <Text size="xs" role="status">
          {t("chosen", { count: chosen.length })}
        </Text>
        <Group gap={2} wrap="nowrap">
          <IconButton
            icon="sortUp"
            size="sm"
            label={t(arePinned && !isNone ? "unpin" : "pin")}
            isDisabled={isNone || isBusy}
            testId="bulk-pin"
            onClick={run(
              (row) => put(row, { pinned: !arePinned }),
              (row) => put(row, { pinned: row.pinned }),
            )}
          />
          <IconButton
            icon="tag"
            size="sm"
            label={t("addTag")}
            isDisabled={isNone || isBusy}
            testId="bulk-tag"
            onClick={() => setAsks("tag")}
          />
          <IconButton
            icon="folder"
            size="sm"
            label={t("toFolder")}
            isDisabled={isNone || isBusy}
            testId="bulk-folder"
            onClick={() => setAsks("folder")}
          />
          <IconButton
            icon="archive"
            size="sm"
            label={t(areArchived && !isNone ? "restore" : "archive")}
            isDisabled={isNone || isBusy}
            testId="bulk-archive"
            onClick={run(areArchived ? restore : archive, keep)}
          />
          <IconButton
            icon="trash"
            size="sm"
            label={t("remove")}
            isDisabled={isNone || isBusy}
            testId="bulk-remove"
            onClick={() => setAsks("remove")}
          />
          <IconButton icon="close" size="sm" label={t("endChoosing")} onClick={done} testId="bulk-end" />
        </Group>
      </Group>
      <Failure error={error} />
      <Dialog opened={asks === "tag"} onClose={() => setAsks(undefined)} title={t("addTag")}>
        <TextInput
          label={t("tag")}
          maxLength={40}
          value={tag}
          onChange={({ currentTarget }) => setTag(currentTarget.value)}
          data-autofocus
          data-testid="bulk-tag-name"
        />
        <Group justify="flex-end" mt="md">
          <Button
            disabled={tag.trim() === ""}
            loading={isBusy}
            onClick={run(
              (row) => put(row, { tags: tagged(row) }),
              (row) => put(row, { tags: row.tags }),
            )}
          >
            {t("save")}
          </Button>
        </Group>
      </Dialog>
      {asks === "folder" && (
        <ToFolder folder={inAll} close={() => setAsks(undefined)} move={(folder) => moveAll(folder)} />
      )}
      <Dialog opened={asks === "remove"} onClose={() => setAsks(undefined)} title={t("remove")}>
        <Text size="sm" fw={600} className={textCss.doomed}>
          {chosen
            .slice(0, 5)
            .map(({ name }) => name)
            .join(", ")}
          {chosen.length > 5 && ` … (${chosen.length})`}
        </Text>
        <Text size="sm">{t("removeSessions")}</Text>
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={() => setAsks(undefined)} data-autofocus>
            {t("cancel")}
          </Button>
          <Button color="red" onClick={remove} data-testid="bulk-remove-yes">
            {t("remove")}
          </Button>
        </Group>
      </Dialog>
    </div>
  );
}
