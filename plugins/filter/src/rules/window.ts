import Joi from "@hapi/joi";
import { PATTERN_MESSAGES, reportProblem, toSchemaError, withPattern } from "@parley/core";
import { filterTexts } from "../texts.ts";

export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
const DAY_MS = 86_400_000;

/** Time window of a rule in local time; a missing field sets no limit. */
export interface RuleWindow {
  /** First day, `YYYY-MM-DD`. */
  readonly from?: string;
  /** Last day, `YYYY-MM-DD`. */
  readonly until?: string;
  readonly days?: readonly (typeof WEEKDAYS)[number][];
  /** Start as `HH:MM`, set together with `end`. An `end` that is not later than the start is on the next day. */
  readonly start?: string;
  readonly end?: string;
}

const day = withPattern(Joi.string(), /^\d{4}-\d\d-\d\d$/, {
  en: "must be a day like 2026-01-06",
  zh: "须为日期，例如 2026-01-06",
}).custom((text: string, { error }) => (isValidDay(text) ? text : error("any.invalid")));
const time = withPattern(Joi.string(), /^([01]\d|2[0-3]):[0-5]\d$/, {
  en: "must be a time like 09:30",
  zh: "须为时间，例如 09:30",
});

export const ruleWindow = Joi.object<RuleWindow>({
  from: day.description("The first day, YYYY-MM-DD"),
  until: day.description("The last day, YYYY-MM-DD"),
  days: Joi.array()
    .items(Joi.string().valid(...WEEKDAYS))
    .min(1)
    .unique(),
  start: time.description("HH:MM in the time zone of the settings"),
  end: time.description("HH:MM; not later than the start: of the next day"),
}).custom((window: RuleWindow, helpers) => {
  const wrong = findProblem(window);
  return wrong === undefined ? window : reportProblem(filterTexts.error("bad_request", wrong), helpers);
});

function findProblem({ from, until, days, start, end }: RuleWindow) {
  if ((from ?? until ?? days ?? start ?? end) === undefined) return "window_empty";
  if ((start === undefined) !== (end === undefined)) return "window_half";
  return from !== undefined && until !== undefined && until < from ? "window_ends_before" : undefined;
}

/** Parses a window; undefined for none. Throws `bad_request` when it is invalid. */
export function parseWindow(written: unknown): RuleWindow | undefined {
  if (written === undefined || written === null) return undefined;
  const { value, error } = ruleWindow.validate(written, { messages: PATTERN_MESSAGES });
  if (error) throw toSchemaError(error, undefined, "window");
  return value;
}

interface CalendarDay {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly weekday: (typeof WEEKDAYS)[number] | undefined;
}

/** Local date and time. */
export interface WallTime {
  readonly today: CalendarDay;
  readonly yesterday: CalendarDay;
  /** `HH:MM`. */
  readonly time: string;
}

export function toWallTime(instantMs: number, timeZone: string): WallTime {
  // The Swedish format of dates and times is that of ISO 8601.
  const shown = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });
  const [date = "", time = ""] = shown.format(instantMs).split(" ");
  const today = Date.parse(date);
  return { today: toDay(today), yesterday: toDay(today - DAY_MS), time };
}

function toDay(ms: number): CalendarDay {
  const date = new Date(ms);
  return { date: date.toISOString().slice(0, 10), weekday: WEEKDAYS[(date.getUTCDay() + 6) % 7] };
}

/** True when the window is open at that time. A part after midnight belongs to the day on which it began. */
export function isOpen(window: RuleWindow, { today, yesterday, time }: WallTime): boolean {
  const { start, end } = window;
  if (start === undefined || end === undefined) return includesDay(window, today);
  if (start < end) return start <= time && time < end && includesDay(window, today);
  return (start <= time && includesDay(window, today)) || (time < end && includesDay(window, yesterday));
}

function includesDay({ from = "", until = "9999-12-31", days }: RuleWindow, { date, weekday }: CalendarDay): boolean {
  return from <= date && date <= until && (days === undefined || days.some((one) => one === weekday));
}

function isValidDay(text: string): boolean {
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
