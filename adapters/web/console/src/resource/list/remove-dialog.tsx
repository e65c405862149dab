import { Button, Group, List, Text } from "@mantine/core";
import { useState } from "react";
import type { ResourceView } from "../../shared/api/console.ts";
import textCss from "../../shared/styles/text.module.css";
import { Failure, formatError } from "../../shared/ui/common.tsx";
import { showToast } from "../../shared/ui/feedback/toasts.tsx";
import { Dialog } from "../../shared/ui/page/page.tsx";
import { deleteRecord, type ResourceRecord, toRecordName } from "../records.ts";
import { useTexts } from "../texts.ts";

interface RemoveDialogProps {
  readonly view: ResourceView;
  readonly records: readonly ResourceRecord[];
  readonly close: () => void;
  /** Called with the ids of deleted records. */
  readonly onRemoved: (ids: readonly string[]) => Promise<void>;
}

const MAX_NAMES = 8;

/** Confirms a deletion by naming the records. */
export function RemoveDialog({ view, records, close, onRemoved }: RemoveDialogProps) {
  const { t } = useTexts();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [first] = records;
  const isOne = records.length === 1;
  const run = async () => {
    setBusy(true);
    const removedIds: string[] = [];
    let lastError: unknown;
    for (const { id } of records) {
      try {
        await deleteRecord(view, id);
        removedIds.push(id);
      } catch (thrown) {
        lastError = thrown;
      }
    }
    await onRemoved(removedIds);
    setBusy(false);
    if (lastError !== undefined && removedIds.length === 0) return setError(lastError);
    if (lastError !== undefined) {
      const count = String(records.length - removedIds.length);
      showToast({ text: t("notRemoved", { count, why: formatError(lastError, t) }), isBad: true });
    } else if (first) {
      showToast({
        text: isOne ? t("removed", { name: toRecordName(first) }) : t("removedMany", { count: removedIds.length }),
      });
    }
    close();
  };
  return (
    <Dialog opened onClose={close} title={isOne ? t("confirmRemove") : t("removeMany", { count: records.length })}>
      <List size="sm" fw={600} mb="xs">
        {records.slice(0, MAX_NAMES).map((record) => (
          <List.Item key={record.id} className={textCss.wrapped}>
            {toRecordName(record)}
          </List.Item>
        ))}
        {records.length > MAX_NAMES && <List.Item>…</List.Item>}
      </List>
      <Text size="sm">{t("removeHint")}</Text>
      <Failure error={error} />
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={close} data-autofocus>
          {t("cancel")}
        </Button>
        <Button color="red" onClick={() => void run()} loading={isBusy} data-testid="confirm-remove">
          {t("remove")}
        </Button>
      </Group>
    </Dialog>
  );
}
