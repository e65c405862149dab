import type { RuleWindow } from "./api.ts";

export const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

/** Returns the localized name of a weekday. */
export function formatWeekday(day: (typeof DAYS)[number], language: string, form: "short" | "long" = "short"): string {
  // 2024-01-01 was a Monday.
  const date = Date.UTC(2024, 0, 1 + DAYS.indexOf(day));
  return new Intl.DateTimeFormat(language, { weekday: form, timeZone: "UTC" }).format(date);
}

/** Formats the times at which a rule applies, on one line. */
export function formatSchedule({ from, until, days, start, end }: RuleWindow, language: string): string {
  const formatDate = (iso: string) =>
    new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" }).format(Date.parse(iso));
  const period =
    from === undefined && until === undefined
      ? []
      : [`${from ? formatDate(from) : "…"} – ${until ? formatDate(until) : "…"}`];
  const weekdays = days
    ? [
        DAYS.filter((one) => days.includes(one))
          .map((one) => formatWeekday(one, language))
          .join(" "),
      ]
    : [];
  return [...period, ...weekdays, ...(start === undefined ? [] : [`${start} – ${end}`])].join(" · ");
}
