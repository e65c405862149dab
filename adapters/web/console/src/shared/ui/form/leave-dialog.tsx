import { Button, Group, Modal, Text } from "@mantine/core";
import { useTexts } from "../../i18n/i18n.ts";
import { RestoreFocus } from "../page/restore-focus.tsx";

interface LeaveDialogProps {
  readonly isOpen: boolean;
  readonly leave: () => void;
  readonly stay: () => void;
}

/** Asks before unsaved changes are discarded. */
export function LeaveDialog({ isOpen, leave, stay }: LeaveDialogProps) {
  const { t } = useTexts();
  return (
    // The Escape that asks to leave must not answer the question too.
    <Modal
      opened={isOpen}
      onClose={stay}
      closeOnEscape={false}
      title={t("unsavedTitle")}
      zIndex={400}
      closeButtonProps={{ "aria-label": t("close") }}
    >
      <RestoreFocus />
      <Text size="sm">{t("unsavedHint")}</Text>
      <Group justify="flex-end" mt="md">
        <Button color="red" variant="subtle" onClick={leave} data-testid="discard-changes">
          {t("leave")}
        </Button>
        <Button onClick={stay} data-autofocus>
          {t("stay")}
        </Button>
      </Group>
    </Modal>
  );
}
