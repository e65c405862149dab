const UNIT_MS = { millisecond: 1, second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

/** Formats a duration in the reader's language, short and rounded; `""` for null. */
export function formatDuration(ms: number | null, language: string): string {
  if (ms === null) return "";
  const unit = ms < UNIT_MS.second ? "millisecond" : ms < UNIT_MS.minute ? "second" : "minute";
  const style = { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language, style).format(ms / UNIT_MS[unit]);
}

/** Formats the time between two runs in its largest whole unit. */
export function formatInterval(ms: number, language: string): string {
  const unit = (["day", "hour", "minute"] as const).find((one) => ms % UNIT_MS[one] === 0) ?? "second";
  const formatted = new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(
    ms / UNIT_MS[unit],
  );
  return formatted.replace(/(\d)(?=\p{Script=Han})/u, "$1 ");
}
