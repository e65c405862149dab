import { Checkbox, Text } from "@mantine/core";
import { useState } from "react";
import { Failure, shortTimeOf, useTried } from "../ui/common.tsx";
import { ConfirmButton } from "../ui/confirm.tsx";
import { Icon } from "../ui/icon.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Changes } from "../ui/may-change.tsx";
import { RecordRow } from "../ui/record-table.tsx";
import { sizeText } from "../ui/size-text.ts";
import { type Item, type Place, workspace } from "./api.ts";
import fileManagerCss from "./file-manager.module.css";
import { useTexts } from "./texts.ts";

const CHANGED = [["workspace"]] as const;
/** What is dragged inside the page, not from elsewhere. */
const DRAGGED = "application/x-parley-file";

interface FileRowProps {
  readonly place: Place;
  readonly item: Item;
  readonly isPicked: boolean;
  readonly pick: (isPicked: boolean) => void;
  readonly open: () => void;
  readonly rename: () => void;
  /** The path of what is dropped on it. */
  readonly drop: (from: string) => void;
  readonly showsPath: boolean;
}

export function FileRow({ place, item, isPicked, pick, open, rename, drop, showsPath }: FileRowProps) {
  const { t, language } = useTexts();
  const { tried, error } = useTried(CHANGED);
  const [isOver, setOver] = useState(false);
  const isFolder = item.type === "directory";
  const held = (event: React.DragEvent) => {
    if (!isFolder || !event.dataTransfer.types.includes(DRAGGED)) return;
    event.preventDefault();
    setOver(true);
  };
  const dropped = (event: React.DragEvent) => {
    setOver(false);
    const from = event.dataTransfer.getData(DRAGGED);
    if (!isFolder || from === "" || from === item.path) return;
    event.preventDefault();
    drop(from);
  };
  return (
    <RecordRow
      testId="file-row"
      cells={[
        <div className={fileManagerCss.fileCell} key="name">
          <Changes>
            <Checkbox
              size="xs"
              checked={isPicked}
              aria-label={t("select", { name: item.name })}
              onChange={({ currentTarget }) => pick(currentTarget.checked)}
            />
          </Changes>
          <button
            type="button"
            className={fileManagerCss.fileName}
            draggable
            data-over={isOver}
            onClick={open}
            onDragStart={({ dataTransfer }) => dataTransfer.setData(DRAGGED, item.path)}
            onDragOver={held}
            onDragLeave={() => setOver(false)}
            onDrop={dropped}
          >
            <Icon name={isFolder ? "folder" : "file"} size={16} />
            {showsPath ? item.path : item.name}
          </button>
          <Failure error={error} />
        </div>,
        isFolder ? "" : <Text size="sm">{sizeText(item.size)}</Text>,
        shortTimeOf(item.modified_at, language),
      ]}
      actions={
        <>
          <Changes>
            <IconButton icon="edit" label={t("rename")} onClick={rename} testId="rename-file" />
          </Changes>
          <ConfirmButton
            icon="trash"
            label={t("remove")}
            what={item.name}
            text={t("removeHint")}
            testId="remove-file"
            run={tried(() => workspace.remove(place, item.path), { throws: true })}
          />
        </>
      }
    />
  );
}
