import { ActionIcon, Alert, Button, Group, List, Menu, Progress, Text } from "@mantine/core";
import { useRef, useState } from "react";
import type { ResourceView } from "../../shared/api/console.ts";
import { useJsonError } from "../../shared/forms/use-json-error.ts";
import { useLocalized } from "../../shared/i18n/use-localized.ts";
import { formatError } from "../../shared/ui/common.tsx";
import { downloadJson } from "../../shared/ui/download-file.ts";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { showToast } from "../../shared/ui/feedback/toasts.tsx";
import { FileButton } from "../../shared/ui/form/file-button.tsx";
import { Dialog } from "../../shared/ui/page/page.tsx";
import type { ListState } from "../records.ts";
import { useTexts } from "../texts.ts";
import { exportRecords, type ImportResult, importRecords, parseRecords } from "../transfer.ts";
import { isRecordAction, type PendingAction } from "./record-actions.tsx";

interface ResourceMenuProps {
  readonly view: ResourceView;
  readonly state: ListState;
  readonly onAction: (action: PendingAction) => void;
  readonly onChanged: () => Promise<void>;
}

/** The menu of actions on the whole resource. */
export function ResourceMenu({ view, state, onAction, onChanged }: ResourceMenuProps) {
  const { t } = useTexts();
  const findError = useJsonError();
  const localize = useLocalized();
  const openPicker = useRef<() => void>(() => {});
  const [running, setRunning] = useState<{ readonly done: number; readonly total: number }>();
  const [result, setResult] = useState<ImportResult>();
  const showError = (error: unknown) => showToast({ text: formatError(error, t), isBad: true });
  const exportShown = async () =>
    downloadJson(`${view.kind}.json`, { kind: view.kind, items: await exportRecords(view, state) });
  const importFile = async (file: File | null) => {
    if (!file) return;
    const text = await file.text();
    const records = parseRecords(text);
    if (!records) return showError(new Error(findError(text) ?? t("notAList")));
    setRunning({ done: 0, total: records.length });
    const imported = await importRecords(view, records, (done) => setRunning({ done, total: records.length }));
    setRunning(undefined);
    await onChanged();
    if (imported.problems.length > 0) setResult(imported);
    else showToast({ text: t("importedSome", { count: imported.importedCount }) });
  };
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t("more")} data-testid="more-records">
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {view.actions
            .filter((action) => !isRecordAction(view, action))
            .map((action) => (
              <Menu.Item key={action.id} onClick={() => onAction({ action, records: [] })}>
                {localize(action.title)}
              </Menu.Item>
            ))}
          {view.verbs.includes("create") && (
            <Menu.Item leftSection={<Icon name="upload" size={15} />} onClick={() => openPicker.current()}>
              {t("importFile")}
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<Icon name="download" size={15} />}
            onClick={() => void exportShown().catch(showError)}
          >
            {t("exportShown")}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <FileButton onChange={(file) => void importFile(file).catch(showError)} accept="application/json,.json">
        {({ onClick }) => {
          openPicker.current = onClick;
          return null;
        }}
      </FileButton>
      {running && (
        <Dialog opened onClose={() => {}} withCloseButton={false} title={t("importFile")}>
          <Progress value={(running.done / Math.max(running.total, 1)) * 100} aria-label={t("importFile")} />
          <Text size="sm" mt="xs" role="status">
            {t("importing", { done: String(running.done), total: String(running.total) })}
          </Text>
        </Dialog>
      )}
      {result && (
        <Dialog opened onClose={() => setResult(undefined)} title={t("importFile")}>
          <Text size="sm">{t("importedSome", { count: result.importedCount })}</Text>
          <Alert
            color="yellow"
            mt="sm"
            title={`${t("notImported")}: ${result.problems.length}`}
            data-testid="not-imported"
          >
            <List size="sm">
              {result.problems.map(({ name, error }) => (
                <List.Item key={name}>{t("lineOf", { number: name, why: formatError(error, t) })}</List.Item>
              ))}
            </List>
          </Alert>
          <Group justify="flex-end" mt="md">
            <Button onClick={() => setResult(undefined)}>{t("close")}</Button>
          </Group>
        </Dialog>
      )}
    </>
  );
}
