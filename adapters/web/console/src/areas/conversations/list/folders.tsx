import { Button, Group, NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { parley } from "../../../shared/api/client.ts";
import { useHasScope } from "../../../shared/api/console.ts";
import { readAllPages } from "../../../shared/api/list-pages.ts";
import { IconButton } from "../../../shared/ui/element/icon-button.tsx";
import { CancelButton } from "../../../shared/ui/form/cancel-button.tsx";
import { TextField } from "../../../shared/ui/form/fields.tsx";
import { Form, FormErrors } from "../../../shared/ui/form/form.tsx";
import { useRecordForm } from "../../../shared/ui/form/use-record-form.ts";
import { Dialog } from "../../../shared/ui/page/page.tsx";
import { useTexts } from "../texts.ts";
import sessionListCss from "./session-list.module.css";

const MAX_NAME_LENGTH = 60;
const QUERY_KEYS = [["session"]] as const;

function useFolders() {
  const read = async () => ({
    items: await readAllPages(
      (page) => parley.get("/api/session-folders", { query: page }),
      ({ name }) => name,
    ),
  });
  return useQuery({ queryKey: ["session", "folders"], queryFn: read }).data?.items ?? [];
}

interface FolderFilterProps {
  /** Empty: all. */
  readonly folder: string;
  readonly onSelect: (folder: string) => void;
}

/** Filters conversations by folder and opens the editor of the selected one; renders nothing while no folder exists. */
export function FolderFilter({ folder, onSelect }: FolderFilterProps) {
  const { t } = useTexts();
  const [isChanging, setChanging] = useState(false);
  const folders = useFolders();
  const canWrite = useHasScope("write");
  if (folders.length === 0 && folder === "") return null;
  const shownFolders = folders.some(({ name }) => name === folder) ? folders : [{ name: folder, count: 0 }, ...folders];
  return (
    <Group gap={4} wrap="nowrap">
      <NativeSelect
        size="xs"
        flex={1}
        aria-label={t("folder")}
        value={folder}
        onChange={({ currentTarget }) => onSelect(currentTarget.value)}
        data={[
          { value: "", label: t("allFolders") },
          ...shownFolders
            .filter(({ name }) => name !== "")
            .map(({ name, count }) => ({ value: name, label: t("inFolder", { name, size: String(count) }) })),
        ]}
        data-testid="folder-filter"
      />
      {folder !== "" && canWrite && (
        <IconButton
          icon="edit"
          size="sm"
          label={t("editFolder")}
          testId="edit-folder"
          onClick={() => setChanging(true)}
        />
      )}
      {isChanging && <EditFolderDialog folder={folder} close={() => setChanging(false)} onRenamed={onSelect} />}
    </Group>
  );
}

interface EditFolderDialogProps {
  readonly folder: string;
  readonly close: () => void;
  readonly onRenamed: (folder: string) => void;
}

function EditFolderDialog({ folder, close, onRenamed }: EditFolderDialogProps) {
  const { t } = useTexts();
  const rename = async (next: string) => {
    await parley.put("/api/session-folders", { body: { folder, name: next } });
    onRenamed(next);
    close();
  };
  const { props, field, isBusy, toHandler } = useRecordForm({
    queryKeys: QUERY_KEYS,
    toDraft: () => ({ name: folder }),
    create: async ({ name }) => {
      await rename(name.trim());
    },
  });
  return (
    <Dialog opened onClose={close} title={t("editFolder")}>
      <Form {...props}>
        <TextField
          label={t("name")}
          description={t("renameFolderHint")}
          maxLength={MAX_NAME_LENGTH}
          {...field("name")}
          data-autofocus
          testId="folder-name"
        />
        <FormErrors />
        <Group justify="flex-end" mt="md">
          <Button
            variant="subtle"
            size="compact-sm"
            mr="auto"
            onClick={toHandler(() => rename(""))}
            disabled={isBusy}
            data-testid="remove-folder"
          >
            {t("removeFolder")}
          </Button>
          <CancelButton />
          <Button type="submit" loading={isBusy}>
            {t("save")}
          </Button>
        </Group>
      </Form>
    </Dialog>
  );
}

interface MoveToFolderDialogProps {
  /** The current folder; `""` for none. */
  readonly folder: string;
  readonly close: () => void;
  readonly move: (folder: string) => Promise<unknown>;
}

/** Selects a folder: an existing or a new one. */
export function MoveToFolderDialog({ folder, close, move }: MoveToFolderDialogProps) {
  const { t } = useTexts();
  const folders = useFolders();
  const { props, draft, field, isBusy } = useRecordForm({
    queryKeys: QUERY_KEYS,
    toDraft: () => ({ folder }),
    create: async (chosen) => {
      await move(chosen.folder.trim());
    },
    onSaved: close,
  });
  const name = field("folder");
  return (
    <Dialog opened onClose={close} title={t("toFolder")}>
      <Form {...props}>
        <TextField
          label={t("folder")}
          description={t("folderHint")}
          maxLength={MAX_NAME_LENGTH}
          {...name}
          data-autofocus
          testId="to-folder-name"
        />
        <fieldset className={`${sessionListCss.tagFilter} ${sessionListCss.folderChoices}`} aria-label={t("folder")}>
          {folders.map((one) => (
            <Button
              key={one.name}
              size="compact-xs"
              variant={one.name === draft.folder ? "filled" : "default"}
              aria-pressed={one.name === draft.folder}
              onClick={() => name.onChange(one.name)}
              data-testid="folder-choice"
            >
              {one.name}
            </Button>
          ))}
        </fieldset>
        <FormErrors />
        <Group justify="flex-end" mt="md">
          <CancelButton />
          <Button type="submit" loading={isBusy} data-testid="to-folder-save">
            {t("save")}
          </Button>
        </Group>
      </Form>
    </Dialog>
  );
}
