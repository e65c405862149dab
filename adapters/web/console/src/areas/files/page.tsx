import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { FileManager } from "../../shared/files/file-manager.tsx";
import { useTexts } from "../../shared/files/texts.ts";
import { TrashList } from "../../shared/files/trash-list.tsx";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { Dialog, Page } from "../../shared/ui/page/page.tsx";

/** The files shared by all conversations, and deleted ones. */
export function FilesPage() {
  const { t } = useTexts();
  const [isTrashOpen, trash] = useDisclosure(false);
  return (
    <Page
      title={t("files")}
      hint={t("filesHint")}
      actions={
        <Button
          variant="default"
          leftSection={<Icon name="trash" size={16} />}
          onClick={trash.open}
          data-testid="open-trash"
        >
          {t("trash")}
        </Button>
      }
    >
      <FileManager owner={undefined} />
      <Dialog opened={isTrashOpen} onClose={trash.close} title={t("trash")} size="lg">
        <TrashList />
      </Dialog>
    </Page>
  );
}
