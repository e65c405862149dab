import type { RuleWindow } from "./api.ts";

export const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

/** The localized name of a weekday. */
export function formatWeekday(day: (typeof DAYS)[number], language: string, form: "short" | "long" = "short"): string {
  // 2024-01-01 was a Monday.
  const some = Date.UTC(2024, 0, 1 + DAYS.indexOf(day));
  return new Intl.DateTimeFormat(language, { weekday: form, timeZone: "UTC" }).format(some);
}

/** When a rule is applied, in a line. */
export function formatSchedule({ from, until, days, start, end }: RuleWindow, language: string): string {
  const day = (iso: string) =>
    new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" }).format(Date.parse(iso));
  const dates =
    from === undefined && until === undefined ? [] : [`${from ? day(from) : "…"} – ${until ? day(until) : "…"}`];
  const week = days
    ? [
        DAYS.filter((one) => days.includes(one))
          .map((one) => formatWeekday(one, language))
          .join(" "),
      ]
    : [];
  return [...dates, ...week, ...(start === undefined ? [] : [`${start} – ${end}`])].join(" · ");
}
