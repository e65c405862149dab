import { Text } from "@mantine/core";
import { describeCron } from "../../i18n/describe-cron.ts";
import tableCss from "../table/table.module.css";
import { useTexts } from "./cron-texts.ts";

interface CronTextProps {
  readonly cron: string;
  readonly timezone?: string | null | undefined;
}

/** A schedule in words; the cron expression itself where words cannot describe it. */
export function CronText({ cron, timezone }: CronTextProps) {
  const { t, language } = useTexts();
  const words = describeCron(cron, language);
  return (
    <>
      {words ? (
        <span title={cron} className={tableCss.when}>
          {"time" in words
            ? t("plan", { days: words.days ?? t("everyDay"), time: words.time })
            : [words.days, t("every", { time: words.interval })].filter(Boolean).join(t("comma"))}
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
