import { Anchor, Breadcrumbs, Button, Group, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { toggle } from "../toggle.ts";
import { Failure, useAction } from "../ui/common.tsx";
import { Icon } from "../ui/element/icon.tsx";
import { ConfirmButton } from "../ui/feedback/confirm.tsx";
import { FileButton } from "../ui/form/file-button.tsx";
import { useFileDrop } from "../ui/form/use-file-drop.ts";
import { Empty } from "../ui/page/empty.tsx";
import { Dialog } from "../ui/page/page.tsx";
import { RequireChangeScope } from "../ui/page/permissions.tsx";
import { RecordList } from "../ui/table/record-list.tsx";
import { usePagedList } from "../ui/table/use-paged-list.ts";
import { listNames } from "../ui/text/list-names.ts";
import { type FileOwner, uploadFiles, type WorkspaceItem, workspace } from "./api.ts";
import fileManagerCss from "./file-manager.module.css";
import { FilePreview } from "./file-preview.tsx";
import { FileRow } from "./file-row.tsx";
import { NameForm } from "./name-form.tsx";
import { useTexts } from "./texts.ts";

const PAGE_SIZE = 100;
const UPLOAD_BATCH_SIZE = 20;
const QUERY_KEYS = [["workspace"]] as const;

/** Files of a workspace: browse, search, upload, move, rename and delete. */
export function FileManager({ owner }: { readonly owner: FileOwner }) {
  const { t } = useTexts();
  const [path, setPath] = useState("");
  const [typed, setTyped] = useState("");
  const [q] = useDebouncedValue(typed, 300);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [open, setOpen] = useState<WorkspaceItem>();
  const [itemToName, setItemToName] = useState<WorkspaceItem | "folder">();
  const [rejectedFiles, setRejectedFiles] = useState<readonly string[]>([]);
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const params = { path, q };
  const query = usePagedList({
    queryKey: ["workspace", "list", owner, params],
    read: (page) => workspace.list(owner, { ...params, ...page }),
    getId: ({ path: filePath }) => filePath,
    pageSize: PAGE_SIZE,
  });
  const goTo = (folder: string) => {
    setPath(folder);
    setTyped("");
    setSelected(new Set());
  };
  const uploadAll = (files: readonly File[]) =>
    toHandler(async () => {
      const failed: string[] = [];
      for (let index = 0; index < files.length; index += UPLOAD_BATCH_SIZE) {
        const sent = await uploadFiles(owner, path, files.slice(index, index + UPLOAD_BATCH_SIZE));
        failed.push(...sent.failed.map(({ filename, ...why }) => `${filename} (${why.error})`));
      }
      setRejectedFiles(failed);
    })();
  const isOver = useFileDrop((files, folders) => {
    setRejectedFiles(folders.length > 0 ? [t("noFolders")] : []);
    if (files.length > 0) void uploadAll(files);
  });
  const move = (from: string, target: string) => void toHandler(() => workspace.move(owner, from, target))();
  const toSelectedHandler = (work: (path: string) => Promise<unknown>, options?: { readonly throws: boolean }) =>
    toHandler(async () => {
      for (const one of selected) await work(one);
      setSelected(new Set());
    }, options);
  const parts = path === "" ? [] : path.split("/");
  return (
    <div data-testid="file-manager">
      <Group gap="xs">
        <TextInput
          style={{ flex: "1 1 18rem" }}
          aria-label={t("find")}
          placeholder={t("find")}
          value={typed}
          maxLength={200}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          data-testid="file-search"
        />
        <RequireChangeScope>
          <Button variant="default" onClick={() => setItemToName("folder")} data-testid="new-folder">
            {t("newFolder")}
          </Button>
        </RequireChangeScope>
        <RequireChangeScope>
          <FileButton multiple onChange={(files) => void uploadAll(files)}>
            {(props) => (
              <Button
                {...props}
                loading={isBusy}
                leftSection={<Icon name="upload" size={16} />}
                data-testid="upload-files"
              >
                {t("upload")}
              </Button>
            )}
          </FileButton>
        </RequireChangeScope>
      </Group>
      {isOver && (
        <Text className={fileManagerCss.fileDrop} role="status">
          {t("dropHere")}
        </Text>
      )}
      <Failure error={error} />
      {rejectedFiles.length > 0 && <Failure error={new Error(t("notUploaded", { names: rejectedFiles.join(", ") }))} />}
      <Breadcrumbs my="sm">
        {["", ...parts].map((part, index) => {
          const folder = parts.slice(0, index).join("/");
          return (
            <Anchor component="button" type="button" size="sm" key={folder} onClick={() => goTo(folder)}>
              {index === 0 ? t("allFiles") : part}
            </Anchor>
          );
        })}
      </Breadcrumbs>
      {selected.size > 0 && (
        <Group gap="xs" mt="xs" data-testid="selected-files">
          <Text size="sm">{t("selected", { count: String(selected.size) })}</Text>
          {owner !== undefined && (
            <Button
              size="compact-sm"
              variant="light"
              onClick={toSelectedHandler((one) => workspace.share(owner, one))}
              data-testid="share-selected"
            >
              {t("share")}
            </Button>
          )}
          <ConfirmButton
            label={t("remove")}
            what={listNames([...selected])}
            text={t("removeHint")}
            testId="remove-selected"
            run={toSelectedHandler((one) => workspace.remove(owner, one), { throws: true })}
          />
        </Group>
      )}
      <RecordList
        query={query}
        getId={({ path: filePath }) => filePath}
        columns={[t("name"), t("size"), t("changed")]}
        actions={t("actions")}
        empty={
          q === "" ? (
            <Empty icon="file" title={t("none")} hint={t("noneHint")} />
          ) : (
            <Text size="sm" c="dimmed" mt="sm">
              {t("noneFound")}
            </Text>
          )
        }
        row={(item) => (
          <FileRow
            owner={owner}
            item={item}
            isSelected={selected.has(item.path)}
            onSelect={() => setSelected(toggle(selected, item.path))}
            open={() => (item.type === "directory" ? goTo(item.path) : setOpen(item))}
            rename={() => setItemToName(item)}
            drop={(from) => move(from, item.path)}
            showsPath={q !== ""}
          />
        )}
      />
      <Dialog opened={open !== undefined} onClose={() => setOpen(undefined)} title={open?.name ?? ""} size="xl">
        {open && <FilePreview owner={owner} item={open} />}
      </Dialog>
      <Dialog
        opened={itemToName !== undefined}
        onClose={() => setItemToName(undefined)}
        title={t(itemToName === "folder" ? "newFolder" : "rename")}
      >
        {itemToName && <NameForm owner={owner} path={path} item={itemToName} onDone={() => setItemToName(undefined)} />}
      </Dialog>
    </div>
  );
}
