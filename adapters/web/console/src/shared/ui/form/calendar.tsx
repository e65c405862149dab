import "@mantine/dates/styles.layer.css";
import "dayjs/locale/zh-cn";
import { DatePicker } from "@mantine/dates";
import { useEffect, useRef } from "react";
import { isChinese, useTexts } from "../../i18n/i18n.ts";

interface CalendarProps {
  /** The selected day, such as `2026-03-01`; null for none. */
  readonly day: string | null;
  readonly choose: (day: string) => void;
}

/** A calendar to choose a day from, in the console's language. */
export function Calendar({ day, choose }: CalendarProps) {
  const { t } = useTexts();
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => container.current?.querySelector<HTMLElement>("td button[tabindex='0']")?.focus(), []);
  const words = isChinese()
    ? { locale: "zh-cn", monthLabelFormat: "YYYY年M月", yearLabelFormat: "YYYY年" }
    : { locale: "en" };
  return (
    <DatePicker
      {...words}
      ref={container}
      value={day}
      {...(day !== null && { defaultDate: day })}
      onChange={(chosen) => chosen !== null && choose(chosen)}
      highlightToday
      weekendDays={[]}
      hideOutsideDates
      __stopPropagation
      ariaLabels={{
        monthLevelControl: t("chooseMonth"),
        yearLevelControl: t("chooseYear"),
        nextMonth: t("nextMonth"),
        previousMonth: t("previousMonth"),
        nextYear: t("nextYear"),
        previousYear: t("previousYear"),
        nextDecade: t("nextYears"),
        previousDecade: t("previousYears"),
      }}
    />
  );
}
