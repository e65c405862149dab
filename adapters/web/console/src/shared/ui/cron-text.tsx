import { Text } from "@mantine/core";
import { cronWordsOf } from "../i18n/cron-words.ts";
import { useTexts } from "./cron-texts.ts";
import tableCss from "./table.module.css";

interface CronTextProps {
  readonly cron: string;
  readonly timezone?: string | null | undefined;
}

/** When a schedule comes: in words where they say all of it. */
export function CronText({ cron, timezone }: CronTextProps) {
  const { t, language } = useTexts();
  const words = cronWordsOf(cron, language);
  return (
    <>
      {words ? (
        <span title={cron} className={tableCss.when}>
          {t("plan", { days: words.days ?? t("everyDay"), time: words.time })}
        </span>
      ) : (
        <code>{cron}</code>
      )}
      {timezone && (
        <Text size="xs" c="dimmed">
          {timezone}
        </Text>
      )}
    </>
  );
}
