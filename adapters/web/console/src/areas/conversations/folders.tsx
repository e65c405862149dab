import { Button, Group, NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ALL, parley } from "../../shared/api/client.ts";
import { useMay } from "../../shared/api/console.ts";
import { CancelButton } from "../../shared/ui/cancel-button.tsx";
import { useTried } from "../../shared/ui/common.tsx";
import { TextField } from "../../shared/ui/fields.tsx";
import { Form, FormFailure } from "../../shared/ui/form.tsx";
import { IconButton } from "../../shared/ui/icon-button.tsx";
import { Dialog } from "../../shared/ui/page.tsx";
import sessionListCss from "./session-list.module.css";
import { useTexts } from "./texts.ts";

const MOST_LETTERS = 60;
const CHANGED = [["session"]] as const;

function useFolders() {
  const read = () => parley.get("/api/session-folders", { query: ALL });
  return useQuery({ queryKey: ["session", "folders"], queryFn: read }).data?.items ?? [];
}

interface FolderFilterProps {
  /** Empty: all. */
  readonly folder: string;
  readonly choose: (folder: string) => void;
}

/** Which folder is listed, and what becomes of it; nothing to choose while there is none. */
export function FolderFilter({ folder, choose }: FolderFilterProps) {
  const { t } = useTexts();
  const [isChanging, setChanging] = useState(false);
  const folders = useFolders();
  const mayWrite = useMay("write");
  if (folders.length === 0 && folder === "") return null;
  const shown = folders.some(({ name }) => name === folder) ? folders : [{ name: folder, count: 0 }, ...folders];
  return (
    <Group gap={4} wrap="nowrap">
      <NativeSelect
        size="xs"
        flex={1}
        aria-label={t("folder")}
        value={folder}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        data={[
          { value: "", label: t("allFolders") },
          ...shown
            .filter(({ name }) => name !== "")
            .map(({ name, count }) => ({ value: name, label: t("inFolder", { name, size: String(count) }) })),
        ]}
        data-testid="folder-filter"
      />
      {folder !== "" && mayWrite && (
        <IconButton
          icon="edit"
          size="sm"
          label={t("changeFolder")}
          testId="change-folder"
          onClick={() => setChanging(true)}
        />
      )}
      {isChanging && <ChangeFolder folder={folder} close={() => setChanging(false)} renamed={choose} />}
    </Group>
  );
}

interface ChangeFolderProps {
  readonly folder: string;
  readonly close: () => void;
  readonly renamed: (folder: string) => void;
}

function ChangeFolder({ folder, close, renamed }: ChangeFolderProps) {
  const { t } = useTexts();
  const { tried, isBusy, error } = useTried(CHANGED);
  const [name, setName] = useState(folder);
  const give = (next: string) =>
    tried(async () => {
      await parley.put("/api/session-folders", { body: { folder, name: next } });
      renamed(next);
      close();
    });
  return (
    <Dialog opened onClose={close} title={t("changeFolder")}>
      <Form isChanged={name !== folder} error={error} submit={give(name.trim())}>
        <TextField
          name="name"
          label={t("name")}
          description={t("renameFolderHint")}
          maxLength={MOST_LETTERS}
          value={name}
          put={setName}
          data-autofocus
          testId="folder-name"
        />
        <FormFailure />
        <Group justify="flex-end" mt="md">
          <Button
            variant="subtle"
            size="compact-sm"
            mr="auto"
            onClick={give("")}
            disabled={isBusy}
            data-testid="dissolve-folder"
          >
            {t("dissolveFolder")}
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

interface ToFolderProps {
  /** Where it is now; empty: nowhere. */
  readonly folder: string;
  readonly close: () => void;
  readonly move: (folder: string) => Promise<unknown>;
}

/** Asks for a folder: one that is there, or a new one. */
export function ToFolder({ folder, close, move }: ToFolderProps) {
  const { t } = useTexts();
  const { tried, isBusy, error } = useTried(CHANGED);
  const [name, setName] = useState(folder);
  const folders = useFolders();
  const submit = tried(async () => {
    await move(name.trim());
    close();
  });
  return (
    <Dialog opened onClose={close} title={t("toFolder")}>
      <Form isChanged={name !== folder} error={error} submit={submit}>
        <TextField
          name="folder"
          label={t("folder")}
          description={t("folderHint")}
          maxLength={MOST_LETTERS}
          value={name}
          put={setName}
          data-autofocus
          testId="to-folder-name"
        />
        <fieldset className={`${sessionListCss.tagFilter} ${sessionListCss.folderChoices}`} aria-label={t("folder")}>
          {folders.map((one) => (
            <Button
              key={one.name}
              size="compact-xs"
              variant={one.name === name ? "filled" : "default"}
              aria-pressed={one.name === name}
              onClick={() => setName(one.name)}
              data-testid="folder-choice"
            >
              {one.name}
            </Button>
          ))}
        </fieldset>
        <FormFailure />
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
