import { Button, Group, Stack, Text } from "@mantine/core";
import { useDebouncedValue, useDisclosure } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { serviceNow } from "../../shared/api/service-clock.ts";
import { Failure, Loaded, useTried } from "../../shared/ui/common.tsx";
import { NumberField } from "../../shared/ui/fields.tsx";
import { Changes } from "../../shared/ui/may-change.tsx";
import { Dialog } from "../../shared/ui/page.tsx";
import { sizeText } from "../../shared/ui/size-text.ts";
import { toast } from "../../shared/ui/toasts.tsx";
import { system } from "./api.ts";
import { useTexts } from "./texts.ts";

const DAY_MS = 86_400_000;
const USUAL_DAYS = 7;
const MOST_DAYS = 3650;
const CHANGED = [["logs"], ["logs-older"]] as const;

/** A button that shows what of the log is older than some days, and deletes it. */
export function LogCleanUp() {
  const { t } = useTexts();
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <Changes scope="admin">
      <Button size="compact-sm" variant="default" onClick={dialog.open} data-testid="clean-log">
        {t("cleanLog")}
      </Button>
      <Dialog opened={isOpen} onClose={dialog.close} title={t("cleanLogTitle")}>
        <Older done={dialog.close} />
      </Dialog>
    </Changes>
  );
}

function Older({ done }: { readonly done: () => void }) {
  const { t } = useTexts();
  const [days, setDays] = useState<number | undefined>(USUAL_DAYS);
  const [asked] = useDebouncedValue(days ?? USUAL_DAYS, 300);
  const { tried, isBusy, error } = useTried(CHANGED);
  const before = (count: number) => new Date(serviceNow() - count * DAY_MS).toISOString();
  const older = useQuery({
    queryKey: ["logs-older", asked],
    queryFn: async () => ({ lines: await system.linesBefore(before(asked)), ...(await system.oldFiles(asked, true)) }),
    placeholderData: keepPreviousData,
  });
  const clean = tried(async () => {
    const { deleted } = await system.clearLogs(before(asked));
    const { removed_files, freed_bytes } = await system.oldFiles(asked, false);
    toast({ text: t("logCleaned", { lines: deleted, files: removed_files, size: sizeText(freed_bytes) }) });
    done();
  });
  const isTyping = days !== asked;
  return (
    <Stack gap="sm">
      <NumberField
        name="older_than_days"
        label={t("olderThan")}
        description={t("olderThanHint")}
        value={days}
        put={setDays}
        min={0}
        max={MOST_DAYS}
        clampBehavior="strict"
        data-autofocus
        testId="older-than"
      />
      <Loaded query={older}>
        {({ lines, removed_files, freed_bytes }) => (
          <Text size="sm" role="status" data-testid="older-log">
            {lines + removed_files === 0
              ? t("nothingOlder")
              : t("wouldGo", { lines, files: removed_files, size: sizeText(freed_bytes) })}
          </Text>
        )}
      </Loaded>
      <Failure error={error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={done}>
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
