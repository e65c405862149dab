import { dayOf } from "@parley/core";

const DAY_MS = 86_400_000;
const DAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const DAYS_ZH = "日一二三四五六";
const NUMBERS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  一: 1,
  两: 2,
  二: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
  十: 10,
  半: 0.5,
};

/** A day that a text refers to, or the week, month or year that contains it. */
interface ResolvedDate {
  readonly day: Date;
  readonly unit: "day" | "week" | "month" | "year";
}
interface DateRule {
  readonly pattern: RegExp;
  resolve(found: readonly (string | undefined)[], today: Date): ResolvedDate;
}

const addDays = (today: Date, days: number): ResolvedDate => ({
  day: new Date(today.getTime() + days * DAY_MS),
  unit: "day",
});
const addWeeks = (today: Date, count: number): ResolvedDate => ({ ...addDays(today, count * 7), unit: "week" });
const addMonths = (today: Date, count: number): ResolvedDate => ({
  day: new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + count, 1)),
  unit: "month",
});
const addYears = (today: Date, count: number): ResolvedDate => ({
  day: new Date(Date.UTC(today.getUTCFullYear() + count, 0, 1)),
  unit: "year",
});
const parseCount = (word = "") => NUMBERS[word.toLowerCase()] ?? Number(word);

/** Returns a weekday in the week that is `weeksAway` from this one; weeks begin on Monday. */
function resolveWeekday(today: Date, dayOfWeek: number, weeksAway: number): ResolvedDate {
  const monday = (today.getUTCDay() + 6) % 7;
  return addDays(today, ((dayOfWeek + 6) % 7) - monday + weeksAway * 7);
}

const addUnits = (today: Date, unit: string, count: number): ResolvedDate => {
  if (/^day|天|日/.test(unit)) return addDays(today, Math.round(count));
  if (/^week|周|星期|礼拜/.test(unit)) return addWeeks(today, count);
  if (/^month|月/.test(unit)) return addMonths(today, Math.round(count));
  return addYears(today, Math.round(count));
};

const NUMBER = "(\\d{1,3}|a|an|one|two|three|four|five|six|seven|eight|nine|ten)";
const WEEKDAY = `(${DAYS.join("|")})`;
const NUMBER_ZH = "(\\d{1,3}|[一两二三四五六七八九十半])";

/** Rules from the most specific to the most general; text that one matched is not matched again. */
const RULES: readonly DateRule[] = [
  { pattern: /\b(?:the )?day before yesterday\b/giu, resolve: (_, today) => addDays(today, -2) },
  { pattern: /\b(?:the )?day after tomorrow\b/giu, resolve: (_, today) => addDays(today, 2) },
  {
    pattern: /\b(?:yesterday(?: (?:morning|afternoon|evening|night))?|last night)\b/giu,
    resolve: (_, today) => addDays(today, -1),
  },
  { pattern: /\btomorrow(?: (?:morning|afternoon|evening|night))?\b/giu, resolve: (_, today) => addDays(today, 1) },
  { pattern: /\b(?:today|tonight|this (?:morning|afternoon|evening))\b/giu, resolve: (_, today) => addDays(today, 0) },
  {
    pattern: new RegExp(`\\b${NUMBER} (day|week|month|year)s? ago\\b`, "giu"),
    resolve: ([, number, unit = ""], today) => addUnits(today, unit.toLowerCase(), -parseCount(number)),
  },
  {
    pattern: new RegExp(`\\bin ${NUMBER} (day|week|month|year)s?\\b`, "giu"),
    resolve: ([, number, unit = ""], today) => addUnits(today, unit.toLowerCase(), parseCount(number)),
  },
  {
    pattern: new RegExp(`\\b(?:on )?(last|next|this) ${WEEKDAY}\\b`, "giu"),
    resolve([, which = "", name = ""], today) {
      const wanted = DAYS.indexOf(name.toLowerCase());
      const way = which.toLowerCase();
      const here = resolveWeekday(today, wanted, 0);
      if (way === "this") return here;
      // "Last Friday" is the Friday before today; "next Friday" is in the next week.
      if (way === "next") return resolveWeekday(today, wanted, 1);
      return here.day < today ? here : resolveWeekday(today, wanted, -1);
    },
  },
  {
    pattern: /\b(last|next) (week|month|year)\b/giu,
    resolve: ([, which = "", unit = ""], today) =>
      addUnits(today, unit.toLowerCase(), which.toLowerCase() === "next" ? 1 : -1),
  },
  { pattern: /大前[天日]/gu, resolve: (_, today) => addDays(today, -3) },
  { pattern: /前[天日](?:早上|上午|中午|下午|晚上)?/gu, resolve: (_, today) => addDays(today, -2) },
  { pattern: /昨[天日晚](?:早上|上午|中午|下午|晚上)?/gu, resolve: (_, today) => addDays(today, -1) },
  { pattern: /今[天日晚早](?:早上|上午|中午|下午|晚上)?/gu, resolve: (_, today) => addDays(today, 0) },
  { pattern: /大后[天日]/gu, resolve: (_, today) => addDays(today, 3) },
  { pattern: /后天(?:早上|上午|中午|下午|晚上)?/gu, resolve: (_, today) => addDays(today, 2) },
  { pattern: /明[天日晚早](?:早上|上午|中午|下午|晚上)?/gu, resolve: (_, today) => addDays(today, 1) },
  {
    pattern: new RegExp(`${NUMBER_ZH}(?:个)?(天|日|周|星期|礼拜|月|年)(?:之|以)?(前|后)`, "gu"),
    resolve: ([, number, unit = "", way], today) => addUnits(today, unit, (way === "前" ? -1 : 1) * parseCount(number)),
  },
  {
    pattern: /(上上|上|这|本|下下|下)(?:个)?(?:周|星期|礼拜)([一二三四五六日天])/gu,
    resolve([, which = "", name = ""], today) {
      const wanted = name === "天" ? 0 : DAYS_ZH.indexOf(name);
      const ways: Readonly<Record<string, number>> = { 上上: -2, 上: -1, 下: 1, 下下: 2 };
      return resolveWeekday(today, wanted, ways[which] ?? 0);
    },
  },
  {
    pattern: /(上|下)(?:个)?(周|星期|礼拜|月)(?!\p{Nd}|[一二三四五六日天])/gu,
    resolve: ([, which, unit = ""], today) => addUnits(today, unit, which === "上" ? -1 : 1),
  },
  { pattern: /前年/gu, resolve: (_, today) => addYears(today, -2) },
  { pattern: /去年/gu, resolve: (_, today) => addYears(today, -1) },
  { pattern: /今年/gu, resolve: (_, today) => addYears(today, 0) },
  { pattern: /明年/gu, resolve: (_, today) => addYears(today, 1) },
];

export function hasRelativeDate(text: string): boolean {
  return RULES.some(({ pattern }) => text.search(pattern) !== -1);
}

/** Replaces relative dates such as "yesterday", "last week", "昨天" by dates, relative to the time of the message in the time zone. */
export function replaceRelativeDates(text: string, writtenMs: number, timeZone: string): string {
  const today = new Date(`${dayOf(writtenMs, timeZone)}T00:00:00Z`);
  const replacements: { readonly at: number; readonly end: number; readonly date: string }[] = [];
  for (const { pattern, resolve: meant } of RULES) {
    for (const found of text.matchAll(pattern)) {
      const [at, end] = [found.index, found.index + found[0].length];
      if (replacements.some((one) => at < one.end && end > one.at)) continue;
      const before = text.slice(0, at);
      replacements.push({ at, end, date: formatDate(meant(found, today), /\p{Script=Han}/u.test(found[0]), before) });
    }
  }
  let result = text;
  for (const { at, end, date } of replacements.toSorted((a, b) => b.at - a.at))
    result = result.slice(0, at) + date + result.slice(end);
  return result;
}

function formatDate({ day, unit: of }: ResolvedDate, isChinese: boolean, before: string): string {
  const [year, month, date] = [day.getUTCFullYear(), day.getUTCMonth() + 1, day.getUTCDate()];
  if (isChinese) {
    if (of === "year") return `${year}年`;
    if (of === "month") return `${year}年${month}月`;
    return `${year}年${month}月${date}日${of === "week" ? "那周" : ""}`;
  }
  const iso = day.toISOString().slice(0, 10);
  // "since last year" and "until tomorrow" already have a preposition.
  const hasWord = /\b(?:since|until|till|by|from|before|after|on|in|of|for)\s+$/iu.test(before);
  const word = (toWord: string) => (hasWord ? "" : toWord);
  if (of === "year") return `${word("in ")}${year}`;
  if (of === "month") return `${word("in ")}${iso.slice(0, 7)}`;
  return of === "week" ? `${word("in ")}the week of ${iso}` : `${word("on ")}${iso}`;
}
