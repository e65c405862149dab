import { Button, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { useTexts } from "../../i18n/i18n.ts";
import textCss from "../../styles/text.module.css";
import { Failure } from "../common.tsx";
import type { IconName } from "../element/icon.tsx";
import { IconButton } from "../element/icon-button.tsx";
import { Dialog } from "../page/page.tsx";
import { useCanChange } from "../page/permissions.tsx";

interface ConfirmButtonProps {
  readonly label: string;
  /** The name of the affected thing. */
  readonly what?: string;
  /** The consequences; default is the plain question. */
  readonly text?: string;
  /** Icon to show in place of the label. */
  readonly icon?: IconName;
  readonly size?: "sm" | "md";
  /** True to match the height of the field beside it. */
  readonly isBesideField?: boolean;
  readonly testId?: string;
  /** True for actions on the own account, which every user may take. */
  readonly isOwn?: boolean;
  readonly run: () => Promise<unknown>;
}

const COMPACT_PROPS = { size: "compact-sm", variant: "subtle", color: "red" } as const;
const INLINE_PROPS = { size: "sm", variant: "default", flex: "none" } as const;

/** A button that asks before an irreversible action. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, what, text, icon, size = "md", isBesideField = false, testId, isOwn = false, run } = props;
  const canChange = useCanChange();
  const [isOpen, dialog] = useDisclosure(false);
  if (!canChange && !isOwn) return null;
  return (
    <>
      {icon ? (
        <IconButton icon={icon} label={label} size={size} onClick={dialog.open} {...(testId && { testId })} />
      ) : (
        <Button {...(isBesideField ? INLINE_PROPS : COMPACT_PROPS)} onClick={dialog.open} data-testid={testId}>
          {label}
        </Button>
      )}
      <ConfirmDialog isOpen={isOpen} close={dialog.close} label={label} what={what} text={text} run={run} />
    </>
  );
}

interface ConfirmDialogProps {
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly label: string;
  readonly what?: string | undefined;
  readonly text?: string | undefined;
  readonly run: () => Promise<unknown>;
}

/** Asks before an action; stays open with the error if it fails. */
export function ConfirmDialog({ isOpen, close, label, what, text, run }: ConfirmDialogProps) {
  const { t } = useTexts();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const confirm = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await run();
      close();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog opened={isOpen} onClose={close} title={label}>
      {what && (
        <Text size="sm" fw={600} mb={4} className={textCss.wrapped}>
          {what}
        </Text>
      )}
      <Text size="sm">{text ?? t("confirmRemove")}</Text>
      <Failure error={error} />
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={close} data-autofocus>
          {t("cancel")}
        </Button>
        <Button color="red" onClick={confirm} loading={isBusy}>
          {label}
        </Button>
      </Group>
    </Dialog>
  );
}
