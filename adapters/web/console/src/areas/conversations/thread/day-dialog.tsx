import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { CancelButton } from "../../../shared/ui/form/cancel-button.tsx";
import { TimeInput } from "../../../shared/ui/form/time-input.tsx";
import { Dialog } from "../../../shared/ui/page/page.tsx";
import { useTexts } from "../texts.ts";

interface DayDialogProps {
  readonly close: () => void;
  readonly goToDay: (day: string) => void;
}

/** Asks for a day to scroll to. */
export function DayDialog({ close, goToDay }: DayDialogProps) {
  const { t } = useTexts();
  const [day, setDay] = useState("");
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    if (day === "") return;
    // Midnight in the reader's time zone.
    goToDay(`${day}T00:00:00`);
    close();
  };
  return (
    <Dialog opened onClose={close} title={t("toDay")}>
      <form onSubmit={submit}>
        <TimeInput kind="day" label={t("day")} value={day} onChange={setDay} data-autofocus />
        <Group justify="flex-end" mt="md">
          <CancelButton />
          <Button type="submit" disabled={day === ""}>
            {t("show")}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
