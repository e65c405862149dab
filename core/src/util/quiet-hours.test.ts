import { describe, expect, it } from "vitest";
import { findQuietEnd, isQuiet } from "./quiet-hours.ts";

const at = (iso: string) => Date.parse(iso);

describe("quiet hours", () => {
  it("are those of the zone's own clock, also over midnight, without their end", () => {
    const isQuietAt = (iso: string) => isQuiet("22:00-07:30", "Asia/Shanghai", at(iso));
    expect(isQuietAt("2026-05-01T13:59:59Z")).toBe(false);
    expect(isQuietAt("2026-05-01T14:00:00Z")).toBe(true);
    expect(isQuietAt("2026-05-01T23:29:00Z")).toBe(true);
    expect(isQuietAt("2026-05-01T23:30:00Z")).toBe(false);
  });

  it("follow a clock that jumps", () => {
    // In Berlin the clock goes from 02:00 to 03:00, and in autumn from 03:00 back to 02:00.
    const isQuietAt = (iso: string) => isQuiet("02:30-03:30", "Europe/Berlin", at(iso));
    expect(isQuietAt("2027-03-28T00:59:00Z")).toBe(false);
    expect(isQuietAt("2027-03-28T01:00:00Z")).toBe(true);
    expect(isQuietAt("2027-03-28T01:30:00Z")).toBe(false);
    expect(isQuietAt("2026-10-25T00:45:00Z")).toBe(true);
    expect(isQuietAt("2026-10-25T01:15:00Z")).toBe(false);
    expect(isQuietAt("2026-10-25T01:45:00Z")).toBe(true);
  });

  it("are never when none are set, or when they are empty", () => {
    expect(isQuiet("", "UTC", at("2026-05-01T00:00:00Z"))).toBe(false);
    expect(isQuiet("08:00-08:00", "UTC", at("2026-05-01T08:00:00Z"))).toBe(false);
  });

  it("end at their end, also over midnight and when the clock jumps meanwhile", () => {
    const findEnd = (hours: string, zone: string, iso: string) =>
      new Date(findQuietEnd(hours, zone, at(iso))).toISOString();
    expect(findEnd("22:00-07:30", "Asia/Shanghai", "2026-05-01T15:10:20.500Z")).toBe("2026-05-01T23:30:00.000Z");
    expect(findEnd("22:00-07:30", "Asia/Shanghai", "2026-05-01T13:00:00.500Z")).toBe("2026-05-01T13:00:00.500Z");
    // A night in Berlin that is an hour shorter, and one that is an hour longer.
    expect(findEnd("22:00-07:00", "Europe/Berlin", "2027-03-27T22:00:00Z")).toBe("2027-03-28T05:00:00.000Z");
    expect(findEnd("22:00-07:00", "Europe/Berlin", "2026-10-24T21:00:00Z")).toBe("2026-10-25T06:00:00.000Z");
    // 02:30 does not exist on this day: the clock goes from 02:00 to 03:00.
    expect(findEnd("01:00-02:30", "Europe/Berlin", "2027-03-28T00:30:00Z")).toBe("2027-03-28T01:00:00.000Z");
  });
});
