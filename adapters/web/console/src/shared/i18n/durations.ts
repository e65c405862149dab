const SIZES = { millisecond: 1, second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

/** How long something took, in the reader's language: short, and no more exact than anybody wants. */
export function durationOf(ms: number | null, language: string): string {
  if (ms === null) return "";
  const unit = ms < SIZES.second ? "millisecond" : ms < SIZES.minute ? "second" : "minute";
  const style = { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language, style).format(ms / SIZES[unit]);
}

/** A time between two runs, in the largest unit that it is a whole number of. */
export function everyOf(ms: number, language: string): string {
  const unit = (["day", "hour", "minute"] as const).find((one) => ms % SIZES[one] === 0) ?? "second";
  const said = new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(ms / SIZES[unit]);
  return said.replace(/(\d)(?=\p{Script=Han})/u, "$1 ");
}
