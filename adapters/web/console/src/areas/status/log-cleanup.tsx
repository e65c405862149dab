import { Button, Group, Stack, Text } from "@mantine/core";
import { useDebouncedValue, useDisclosure } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { getServiceTime } from "../../shared/api/service-clock.ts";
import { Failure, Loaded, useAction } from "../../shared/ui/common.tsx";
import { showToast } from "../../shared/ui/feedback/toasts.tsx";
import { NumberField } from "../../shared/ui/form/fields.tsx";
import { Dialog } from "../../shared/ui/page/page.tsx";
import { RequireChangeScope } from "../../shared/ui/page/permissions.tsx";
import { formatSize } from "../../shared/ui/text/format-size.ts";
import { system } from "./api.ts";
import { useTexts } from "./texts.ts";

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 7;
const MAX_DAYS = 3650;
const QUERY_KEYS = [["logs"], ["logs-older"]] as const;

/** A button with a dialog that counts and deletes log lines and files older than some days. */
export function LogCleanup() {
  const { t } = useTexts();
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <RequireChangeScope scope="admin">
      <Button size="compact-sm" variant="default" onClick={dialog.open} data-testid="clean-log">
        {t("cleanLog")}
      </Button>
      <Dialog opened={isOpen} onClose={dialog.close} title={t("cleanLogTitle")}>
        <OldLogFiles onDone={dialog.close} />
      </Dialog>
    </RequireChangeScope>
  );
}

function OldLogFiles({ onDone }: { readonly onDone: () => void }) {
  const { t } = useTexts();
  const [days, setDays] = useState<number | undefined>(DEFAULT_DAYS);
  const [debouncedDays] = useDebouncedValue(days ?? DEFAULT_DAYS, 300);
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const toStartTime = (count: number) => new Date(getServiceTime() - count * DAY_MS).toISOString();
  const older = useQuery({
    queryKey: ["logs-older", debouncedDays],
    queryFn: async () => ({
      lines: await system.countLinesBefore(toStartTime(debouncedDays)),
      ...(await system.cleanUpFiles(debouncedDays, true)),
    }),
    placeholderData: keepPreviousData,
  });
  const clean = toHandler(async () => {
    const { deleted } = await system.clearLogs(toStartTime(debouncedDays));
    const { removed_files, freed_bytes } = await system.cleanUpFiles(debouncedDays, false);
    showToast({ text: t("logCleaned", { lines: deleted, files: removed_files, size: formatSize(freed_bytes) }) });
    onDone();
  });
  const isTyping = days !== debouncedDays;
  return (
    <Stack gap="sm">
      <NumberField
        name="older_than_days"
        label={t("olderThan")}
        description={t("olderThanHint")}
        value={days}
        onChange={setDays}
        min={0}
        max={MAX_DAYS}
        clampBehavior="strict"
        data-autofocus
        testId="older-than"
      />
      <Loaded query={older}>
        {({ lines, removed_files, freed_bytes }) => (
          <Text size="sm" role="status" data-testid="older-log">
            {lines + removed_files === 0
              ? t("nothingOlder")
              : t("cleanLogPreview", { lines, files: removed_files, size: formatSize(freed_bytes) })}
          </Text>
        )}
      </Loaded>
      <Failure error={error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {t("cancel")}
        </Button>
        <Button
          color="red"
          onClick={clean}
          loading={isBusy}
          disabled={isTyping || !older.data || older.isPlaceholderData}
          data-testid="clean-log-now"
        >
          {t("remove")}
        </Button>
      </Group>
    </Stack>
  );
}
