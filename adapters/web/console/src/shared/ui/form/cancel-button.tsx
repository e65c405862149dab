import { Button } from "@mantine/core";
import { createContext, useContext } from "react";
import { useTexts } from "../../i18n/i18n.ts";

/** Closes the surrounding dialog; asks first if unsaved changes would be lost. */
export const CloseDialogContext = createContext<(() => void) | undefined>(undefined);

interface CancelButtonProps {
  /** True when leaving loses nothing; the label is "Close" then. */
  readonly isClose?: boolean;
}

/** The cancel button of a dialog; renders nothing where the form is in none. */
export function CancelButton({ isClose = false }: CancelButtonProps) {
  const { t } = useTexts();
  const close = useContext(CloseDialogContext);
  if (!close) return null;
  return (
    <Button variant="default" onClick={close} data-testid="cancel">
      {t(isClose ? "close" : "cancel")}
    </Button>
  );
}
