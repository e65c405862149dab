import { Button, Group, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { parley, type Shapes } from "../../../shared/api/client.ts";
import { refetch } from "../../../shared/live/refetch.ts";
import textCss from "../../../shared/styles/text.module.css";
import { Failure, formatError, useAction } from "../../../shared/ui/common.tsx";
import { IconButton } from "../../../shared/ui/element/icon-button.tsx";
import { showToast } from "../../../shared/ui/feedback/toasts.tsx";
import { Dialog } from "../../../shared/ui/page/page.tsx";
import { useTexts } from "../texts.ts";
import { scheduleDeletion } from "../thread/pending-deletion.ts";
import { MoveToFolderDialog } from "./folders.tsx";
import sessionListCss from "./session-list.module.css";

type Row = Shapes["SessionItem"];

interface BulkBarProps {
  readonly selected: readonly Row[];
  /** Ends the selection. */
  readonly onDone: () => void;
}

const SESSION_PATH = "/api/sessions/{session_id}";
const QUERY_KEYS = [["session"]] as const;
const MAX_TAGS = 32;
const toPathParams = ({ id }: Row) => ({ path: { session_id: id } });
const patchSession = (row: Row, body: Partial<Pick<Row, "pinned" | "tags" | "favorite" | "folder">>) =>
  parley.put(SESSION_PATH, { ...toPathParams(row), body: { ...body, ...(body.tags && { tags: [...body.tags] }) } });

/** Actions on several selected conversations; each can be undone. */
export function BulkBar({ selected, onDone }: BulkBarProps) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const [dialog, setDialog] = useState<"tag" | "folder" | "remove">();
  const [tag, setTag] = useState("");
  const isNone = selected.length === 0;
  const forEachRow = (work: (row: Row) => Promise<unknown>) => async () => {
    // One request after another: after a failure the remaining conversations are unchanged.
    for (const row of selected) await work(row);
  };
  const run = (work: (row: Row) => Promise<unknown>, undo?: (row: Row) => Promise<unknown>) =>
    toHandler(async () => {
      await forEachRow(work)();
      setDialog(undefined);
      onDone();
      if (undo)
        showToast({
          text: t("bulkUpdated", { count: selected.length }),
          undo: () => void toHandler(forEachRow(undo))(),
        });
    });
  const [first] = selected;
  const folder = first && selected.every(({ folder }) => folder === first.folder) ? (first.folder ?? "") : "";
  const moveAll = async (folder: string) => {
    await forEachRow((row) => patchSession(row, { folder }))();
    showToast({
      text: t("bulkUpdated", { count: selected.length }),
      undo: () => void toHandler(forEachRow((row) => patchSession(row, { folder: row.folder ?? "" })))(),
    });
    onDone();
  };
  const remove = () => {
    scheduleDeletion({
      ids: selected.map(({ id }) => id),
      text: t("sessionsDeleted", { count: selected.length }),
      onError: (thrown) => showToast({ text: formatError(thrown, t), isBad: true }),
      onEnded: () => refetch(queries, ["session"]),
    });
    setDialog(undefined);
    onDone();
  };
  const arePinned = selected.every(({ pinned }) => pinned);
  const areArchived = selected.every(({ archived }) => archived);
  const archive = (row: Row) => parley.post(`${SESSION_PATH}/archive`, toPathParams(row));
  const restore = (row: Row) => parley.post(`${SESSION_PATH}/restore`, toPathParams(row));
  const undoArchiving = (row: Row) => (row.archived ? archive(row) : restore(row));
  const toTags = (row: Row) => [...new Set([...row.tags, tag.trim()])].slice(0, MAX_TAGS);
  return (
    <div className={sessionListCss.bulk} role="toolbar" aria-label={t("selectSeveral")} data-testid="bulk-bar">
      <Group gap={4} wrap="nowrap" justify="space-between">
        <Text size="xs" role="status">
          {t("selectedCount", { count: selected.length })}
        </Text>
        <Group gap={2} wrap="nowrap">
          <IconButton
            icon="sortUp"
            size="sm"
            label={t(arePinned && !isNone ? "unpin" : "pin")}
            isDisabled={isNone || isBusy}
            testId="bulk-pin"
            onClick={run(
              (row) => patchSession(row, { pinned: !arePinned }),
              (row) => patchSession(row, { pinned: row.pinned }),
            )}
          />
          <IconButton
            icon="tag"
            size="sm"
            label={t("addTag")}
            isDisabled={isNone || isBusy}
            testId="bulk-tag"
            onClick={() => setDialog("tag")}
          />
          <IconButton
            icon="folder"
            size="sm"
            label={t("toFolder")}
            isDisabled={isNone || isBusy}
            testId="bulk-folder"
            onClick={() => setDialog("folder")}
          />
          <IconButton
            icon="archive"
            size="sm"
            label={t(areArchived && !isNone ? "restore" : "archive")}
            isDisabled={isNone || isBusy}
            testId="bulk-archive"
            onClick={run(areArchived ? restore : archive, undoArchiving)}
          />
          <IconButton
            icon="trash"
            size="sm"
            label={t("remove")}
            isDisabled={isNone || isBusy}
            testId="bulk-remove"
            onClick={() => setDialog("remove")}
          />
          <IconButton icon="close" size="sm" label={t("endSelection")} onClick={onDone} testId="bulk-end" />
        </Group>
      </Group>
      <Failure error={error} />
      <Dialog opened={dialog === "tag"} onClose={() => setDialog(undefined)} title={t("addTag")}>
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
              (row) => patchSession(row, { tags: toTags(row) }),
              (row) => patchSession(row, { tags: row.tags }),
            )}
          >
            {t("save")}
          </Button>
        </Group>
      </Dialog>
      {dialog === "folder" && (
        <MoveToFolderDialog folder={folder} close={() => setDialog(undefined)} move={(folder) => moveAll(folder)} />
      )}
      <Dialog opened={dialog === "remove"} onClose={() => setDialog(undefined)} title={t("remove")}>
        <Text size="sm" fw={600} className={textCss.wrapped}>
          {selected
            .slice(0, 5)
            .map(({ name }) => name)
            .join(", ")}
          {selected.length > 5 && ` … (${selected.length})`}
        </Text>
        <Text size="sm">{t("deleteSessionsHint")}</Text>
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={() => setDialog(undefined)} data-autofocus>
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
