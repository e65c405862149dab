import { AppError } from "../errors.ts";

/** Returns the date of an instant in a time zone: `2026-01-06`. */
export function dayOf(ms: number, timeZone: string): string {
  return createDayFormat(timeZone).format(ms);
}

/** Returns the first instant of a day in a time zone. */
export function startOfDay(day: string, timeZone: string): number {
  const noon = Date.parse(`${day}T12:00:00Z`);
  if (Number.isNaN(noon)) throw new AppError("bad_request", `'${day}' is not a day`);
  const format = createDayFormat(timeZone);
  // Searches the first quarter of an hour of the date, because a day does not always begin at midnight where clocks change.
  let at = noon - 36 * 3_600_000;
  while (format.format(at) < day) at += 900_000;
  return at;
}

function createDayFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" });
}
