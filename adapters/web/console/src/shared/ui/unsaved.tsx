import { Button, Group, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { useTexts } from "../i18n/i18n.ts";
import { Dialog } from "./page.tsx";

/** Asks before a page with unsaved changes is left, whichever way. */
export function UnsavedGuard({ isChanged }: { readonly isChanged: boolean }) {
  const { t } = useTexts();
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isChanged,
    enableBeforeUnload: isChanged,
    withResolver: true,
  });
  return (
    // The Escape that asks to leave must not answer the question too.
    <Dialog
      opened={status === "blocked"}
      onClose={() => reset?.()}
      closeOnEscape={false}
      title={t("unsavedTitle")}
      zIndex={400}
    >
      <Text size="sm">{t("unsavedHint")}</Text>
      <Group justify="flex-end" mt="md">
        <Button color="red" variant="subtle" onClick={() => proceed?.()} data-testid="discard-changes">
          {t("discardChanges")}
        </Button>
        <Button onClick={() => reset?.()} data-autofocus>
          {t("goOnEditing")}
        </Button>
      </Group>
    </Dialog>
  );
}
