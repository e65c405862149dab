import { dayOf, type FollowUp, startOfDay } from "@parley/core";
import { replaceRelativeDates } from "./relative-dates.ts";
import { extractSincereSentences } from "./sincere-sentences.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MAX_FOLLOW_UPS = 3;
const MAX_READ_CHARS = 8_000;
const MAX_TEXT_CHARS = 300;
/** An announcement sooner than this is still being talked about. */
const MIN_AHEAD_MS = 30 * MINUTE_MS;
const MAX_AHEAD_MS = 366 * DAY_MS;
const EVENT_MINUTES = 120;
const EVENING_MINUTES = 19 * 60;
const MORNING_MINUTES = 9 * 60;
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const WEEKDAYS_ZH = "日一二三四五六";

const REMINDER = /\bremind me\b|提醒我/iu;
const ANNOUNCEMENT =
  /\b(?:interview|exam|test|appointment|meeting|date|surgery|operation|dentist|doctor|flight|trip|wedding|birthday|presentation|match|concert|audition|deadline|I'll tell you|I will tell you|I'll let you know)\b|面试|考试|约会|预约|手术|看病|看医生|复查|出差|旅行|航班|婚礼|生日|演讲|比赛|开会|会议|演出|搬家|告诉你/iu;
const WEEKDAY = new RegExp(`\\b(${WEEKDAYS.join("|")})\\b|(?:周|星期|礼拜)([一二三四五六日天])`, "iu");
const DATE = /(\d{4})(?:-|年)(\d{1,2})(?:-|月)(\d{1,2})(?:日(?!那周))?/u;
const TIME =
  /\bat (\d{1,2})(?::(\d{2}))?\s*([ap]m)?\b|(上午|早上|中午|下午|晚上)?\s*(\d{1,2})(?:点|时|[:：](?=\d{2}))(半|\d{1,2})?/iu;

/** Finds what a message announces with a date, without a model, in English and Chinese. */
export function findFollowUps(text: string, writtenMs: number, timeZone: string): readonly FollowUp[] {
  return extractSincereSentences(text.slice(0, MAX_READ_CHARS))
    .flatMap(({ text: sentence }) => {
      const isReminder = REMINDER.test(sentence);
      const day = isReminder || ANNOUNCEMENT.test(sentence) ? findDay(sentence, writtenMs, timeZone) : undefined;
      if (day === undefined) return [];
      const minutes = findMinutes(sentence);
      const allDay = isReminder ? MORNING_MINUTES : EVENING_MINUTES;
      const at = minutes === undefined ? allDay : minutes + (isReminder ? 0 : EVENT_MINUTES);
      return [{ text: sentence.slice(0, MAX_TEXT_CHARS), atMs: startOfDay(day, timeZone) + at * MINUTE_MS }];
    })
    .filter(({ atMs }) => isAhead(atMs, writtenMs))
    .slice(0, MAX_FOLLOW_UPS);
}

/** Converts what a model found: `at` is a local time, such as `2026-03-11T12:00`. */
export function toFollowUps(
  found: readonly { readonly text: string; readonly at: string }[],
  writtenMs: number,
  timeZone: string,
): readonly FollowUp[] {
  return found
    .flatMap(({ text, at }) => {
      const [day = "", time = ""] = at.split("T");
      const [hours = 0, minutes = 0] = time.split(":").map(Number);
      if (Number.isNaN(Date.parse(`${day}T12:00:00Z`))) return [];
      return [{ text, atMs: startOfDay(day, timeZone) + (hours * 60 + minutes) * MINUTE_MS }];
    })
    .filter(({ atMs }) => isAhead(atMs, writtenMs))
    .slice(0, MAX_FOLLOW_UPS);
}

function isAhead(atMs: number, writtenMs: number): boolean {
  return atMs >= writtenMs + MIN_AHEAD_MS && atMs <= writtenMs + MAX_AHEAD_MS;
}

/** Returns the day that a sentence names: a date, a word such as "tomorrow", or the next such weekday. */
function findDay(sentence: string, writtenMs: number, timeZone: string): string | undefined {
  const dated = replaceRelativeDates(sentence, writtenMs, timeZone);
  const [, year, month = "", day = ""] = DATE.exec(dated) ?? [];
  if (year !== undefined) {
    const found = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
    return Number.isNaN(Date.parse(`${found}T12:00:00Z`)) ? undefined : found;
  }
  const [, english, chinese = ""] = WEEKDAY.exec(dated) ?? [];
  const wanted = english ? WEEKDAYS.indexOf(english.toLowerCase()) : WEEKDAYS_ZH.indexOf(chinese.replace("天", "日"));
  if (!english && chinese === "") return undefined;
  const today = new Date(`${dayOf(writtenMs, timeZone)}T12:00:00Z`);
  const daysAhead = (wanted - today.getUTCDay() + 7) % 7 || 7;
  return new Date(today.getTime() + daysAhead * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the minutes of the day that a sentence names. */
function findMinutes(sentence: string): number | undefined {
  const found = TIME.exec(sentence);
  if (!found) return undefined;
  const [, hour, minute = "0", half, part = "", hourZh, minuteZh = "0"] = found;
  const hours = Number(hour ?? hourZh);
  const minutes = minuteZh === "半" ? 30 : Number(hour === undefined ? minuteZh : minute);
  if (hours > 23 || minutes > 59) return undefined;
  const isAfternoon =
    half?.toLowerCase() === "pm" || part === "下午" || part === "晚上" || (part === "中午" && hours < 11);
  const isMidnight = half?.toLowerCase() === "am" && hours === 12;
  return (isMidnight ? 0 : hours + (isAfternoon && hours < 12 ? 12 : 0)) * 60 + minutes;
}
