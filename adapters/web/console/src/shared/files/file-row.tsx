import { Checkbox, Text } from "@mantine/core";
import { useState } from "react";
import { Failure, formatShortTime, useAction } from "../ui/common.tsx";
import { Icon } from "../ui/element/icon.tsx";
import { IconButton } from "../ui/element/icon-button.tsx";
import { ConfirmButton } from "../ui/feedback/confirm.tsx";
import { RequireChangeScope } from "../ui/page/permissions.tsx";
import { RecordRow } from "../ui/table/record-table.tsx";
import { formatSize } from "../ui/text/format-size.ts";
import { type FileOwner, type WorkspaceItem, workspace } from "./api.ts";
import fileManagerCss from "./file-manager.module.css";
import { useTexts } from "./texts.ts";

const QUERY_KEYS = [["workspace"]] as const;
/** Type of drags within the page, unlike files dragged in from outside. */
const DRAG_TYPE = "application/x-parley-file";

interface FileRowProps {
  readonly owner: FileOwner;
  readonly item: WorkspaceItem;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
  readonly open: () => void;
  readonly rename: () => void;
  /** Called with the path of the dropped file. */
  readonly drop: (from: string) => void;
  readonly showsPath: boolean;
}

export function FileRow({ owner, item, isSelected, onSelect, open, rename, drop, showsPath }: FileRowProps) {
  const { t, language } = useTexts();
  const { toHandler, error } = useAction(QUERY_KEYS);
  const [isOver, setOver] = useState(false);
  const isFolder = item.type === "directory";
  const handleDragOver = (event: React.DragEvent) => {
    if (!isFolder || !event.dataTransfer.types.includes(DRAG_TYPE)) return;
    event.preventDefault();
    setOver(true);
  };
  const handleDrop = (event: React.DragEvent) => {
    setOver(false);
    const from = event.dataTransfer.getData(DRAG_TYPE);
    if (!isFolder || from === "" || from === item.path) return;
    event.preventDefault();
    drop(from);
  };
  return (
    <RecordRow
      testId="file-row"
      cells={[
        <div className={fileManagerCss.fileCell} key="name">
          <RequireChangeScope>
            <Checkbox
              size="xs"
              checked={isSelected}
              aria-label={t("select", { name: item.name })}
              onChange={onSelect}
            />
          </RequireChangeScope>
          <button
            type="button"
            className={fileManagerCss.fileName}
            draggable
            data-over={isOver}
            onClick={open}
            onDragStart={({ dataTransfer }) => dataTransfer.setData(DRAG_TYPE, item.path)}
            onDragOver={handleDragOver}
            onDragLeave={() => setOver(false)}
            onDrop={handleDrop}
          >
            <Icon name={isFolder ? "folder" : "file"} size={16} />
            {showsPath ? item.path : item.name}
          </button>
          <Failure error={error} />
        </div>,
        isFolder ? "" : <Text size="sm">{formatSize(item.size)}</Text>,
        formatShortTime(item.modified_at, language),
      ]}
      actions={
        <>
          <RequireChangeScope>
            <IconButton icon="edit" label={t("rename")} onClick={rename} testId="rename-file" />
          </RequireChangeScope>
          <ConfirmButton
            icon="trash"
            label={t("remove")}
            what={item.name}
            text={t("removeHint")}
            testId="remove-file"
            run={toHandler(() => workspace.remove(owner, item.path), { throws: true })}
          />
        </>
      }
    />
  );
}
