import "@mantine/dates/styles.layer.css";
import "dayjs/locale/zh-cn";
import { DatePicker } from "@mantine/dates";
import { useEffect, useRef } from "react";
import { isChinese, useTexts } from "../../i18n/i18n.ts";

interface CalendarProps {
  /** As `2026-03-01`; null: none yet. */
  readonly day: string | null;
  readonly choose: (day: string) => void;
}

/** The days of a month, to choose one; in the language of the console. */
export function Calendar({ day, choose }: CalendarProps) {
  const { t } = useTexts();
  const days = useRef<HTMLDivElement>(null);
  useEffect(() => days.current?.querySelector<HTMLElement>("td button[tabindex='0']")?.focus(), []);
  const words = isChinese()
    ? { locale: "zh-cn", monthLabelFormat: "YYYY年M月", yearLabelFormat: "YYYY年" }
    : { locale: "en" };
  return (
    <DatePicker
      {...words}
      ref={days}
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
