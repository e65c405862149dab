import { Alert, List, Text } from "@mantine/core";
import { CommandLines } from "../../shared/ui/element/command-lines.tsx";
import type { Backup } from "./api.ts";
import { useTexts } from "./texts.ts";

interface RestoreBackupProps {
  readonly backup: Backup;
  readonly restore: NonNullable<Backup["restore"]>;
}

/** Instructions for restoring a backup, and where the current data is moved. */
export function RestoreBackup({ backup, restore: { commands, is_container, aside, rows_in } }: RestoreBackupProps) {
  const { t } = useTexts();
  return (
    <div data-testid="restore-instructions">
      <Text size="sm">{t("restoreHint")}</Text>
      <List type="ordered" size="sm" my="sm" spacing="xs" styles={{ itemWrapper: { display: "inline" } }}>
        {rows_in && <List.Item>{t("restoreRows", { name: rows_in })}</List.Item>}
        {!is_container && <List.Item>{t("restoreStop")}</List.Item>}
        <List.Item>
          {t(is_container ? "restoreOutside" : "restoreRun")}
          <CommandLines lines={commands.join("\n")} testId="restore-commands" />
        </List.Item>
        {!is_container && <List.Item>{t("restoreStart")}</List.Item>}
      </List>
      <Alert role="note" style={{ overflowWrap: "anywhere" }}>
        {is_container ? t("dataInVolume") : t("dataMoved", { folder: aside ?? "" })}
      </Alert>
      <Text size="xs" c="dimmed" mt="sm" style={{ overflowWrap: "anywhere" }}>
        {t("copyFolder", { folder: backup.folder })}
      </Text>
    </div>
  );
}
