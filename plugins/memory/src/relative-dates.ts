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

/** A day, a month or a year that a text means. */
interface Meant {
  readonly day: Date;
  readonly of: "day" | "week" | "month" | "year";
}
interface Rule {
  readonly pattern: RegExp;
  meant(found: readonly (string | undefined)[], today: Date): Meant;
}

const plus = (today: Date, days: number): Meant => ({ day: new Date(today.getTime() + days * DAY_MS), of: "day" });
const weeks = (today: Date, count: number): Meant => ({ ...plus(today, count * 7), of: "week" });
const months = (today: Date, count: number): Meant => ({
  day: new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + count, 1)),
  of: "month",
});
const years = (today: Date, count: number): Meant => ({
  day: new Date(Date.UTC(today.getUTCFullYear() + count, 0, 1)),
  of: "year",
});
const countOf = (word = "") => NUMBERS[word.toLowerCase()] ?? Number(word);

/** The weekday of the week that is `weeksAway` from this one; weeks begin on Monday. */
function weekday(today: Date, wanted: number, weeksAway: number): Meant {
  const monday = (today.getUTCDay() + 6) % 7;
  return plus(today, ((wanted + 6) % 7) - monday + weeksAway * 7);
}

const away = (today: Date, unit: string, count: number): Meant => {
  if (/^day|天|日/.test(unit)) return plus(today, Math.round(count));
  if (/^week|周|星期|礼拜/.test(unit)) return weeks(today, count);
  if (/^month|月/.test(unit)) return months(today, Math.round(count));
  return years(today, Math.round(count));
};

const NUMBER = "(\\d{1,3}|a|an|one|two|three|four|five|six|seven|eight|nine|ten)";
const WEEKDAY = `(${DAYS.join("|")})`;
const NUMBER_ZH = "(\\d{1,3}|[一两二三四五六七八九十半])";

/** From the most particular to the least: what one rule took, no other one does. */
const RULES: readonly Rule[] = [
  { pattern: /\b(?:the )?day before yesterday\b/giu, meant: (_, today) => plus(today, -2) },
  { pattern: /\b(?:the )?day after tomorrow\b/giu, meant: (_, today) => plus(today, 2) },
  {
    pattern: /\b(?:yesterday(?: (?:morning|afternoon|evening|night))?|last night)\b/giu,
    meant: (_, today) => plus(today, -1),
  },
  { pattern: /\btomorrow(?: (?:morning|afternoon|evening|night))?\b/giu, meant: (_, today) => plus(today, 1) },
  {
    pattern: /\b(?:today|tonight|this (?:morning|afternoon|evening))\b/giu,
    meant: (_, today) => plus(today, 0),
  },
  {
    pattern: new RegExp(`\\b${NUMBER} (day|week|month|year)s? ago\\b`, "giu"),
    meant: ([, number, unit = ""], today) => away(today, unit.toLowerCase(), -countOf(number)),
  },
  {
    pattern: new RegExp(`\\bin ${NUMBER} (day|week|month|year)s?\\b`, "giu"),
    meant: ([, number, unit = ""], today) => away(today, unit.toLowerCase(), countOf(number)),
  },
  {
    pattern: new RegExp(`\\b(?:on )?(last|next|this) ${WEEKDAY}\\b`, "giu"),
    meant([, which = "", name = ""], today) {
      const wanted = DAYS.indexOf(name.toLowerCase());
      const way = which.toLowerCase();
      const here = weekday(today, wanted, 0);
      if (way === "this") return here;
      // "Last Friday" is the one before today, "next Friday" the one of the week that comes.
      if (way === "next") return weekday(today, wanted, 1);
      return here.day < today ? here : weekday(today, wanted, -1);
    },
  },
  {
    pattern: /\b(last|next) (week|month|year)\b/giu,
    meant: ([, which = "", unit = ""], today) =>
      away(today, unit.toLowerCase(), which.toLowerCase() === "next" ? 1 : -1),
  },
  { pattern: /大前[天日]/gu, meant: (_, today) => plus(today, -3) },
  { pattern: /前[天日](?:早上|上午|中午|下午|晚上)?/gu, meant: (_, today) => plus(today, -2) },
  { pattern: /昨[天日晚](?:早上|上午|中午|下午|晚上)?/gu, meant: (_, today) => plus(today, -1) },
  { pattern: /今[天日晚早](?:早上|上午|中午|下午|晚上)?/gu, meant: (_, today) => plus(today, 0) },
  { pattern: /大后[天日]/gu, meant: (_, today) => plus(today, 3) },
  { pattern: /后天(?:早上|上午|中午|下午|晚上)?/gu, meant: (_, today) => plus(today, 2) },
  { pattern: /明[天日晚早](?:早上|上午|中午|下午|晚上)?/gu, meant: (_, today) => plus(today, 1) },
  {
    pattern: new RegExp(`${NUMBER_ZH}(?:个)?(天|日|周|星期|礼拜|月|年)(?:之|以)?(前|后)`, "gu"),
    meant: ([, number, unit = "", way], today) => away(today, unit, (way === "前" ? -1 : 1) * countOf(number)),
  },
  {
    pattern: /(上上|上|这|本|下下|下)(?:个)?(?:周|星期|礼拜)([一二三四五六日天])/gu,
    meant([, which = "", name = ""], today) {
      const wanted = name === "天" ? 0 : DAYS_ZH.indexOf(name);
      const ways: Readonly<Record<string, number>> = { 上上: -2, 上: -1, 下: 1, 下下: 2 };
      return weekday(today, wanted, ways[which] ?? 0);
    },
  },
  {
    pattern: /(上|下)(?:个)?(周|星期|礼拜|月)(?!\p{Nd}|[一二三四五六日天])/gu,
    meant: ([, which, unit = ""], today) => away(today, unit, which === "上" ? -1 : 1),
  },
  { pattern: /前年/gu, meant: (_, today) => years(today, -2) },
  { pattern: /去年/gu, meant: (_, today) => years(today, -1) },
  { pattern: /今年/gu, meant: (_, today) => years(today, 0) },
  { pattern: /明年/gu, meant: (_, today) => years(today, 1) },
];

/** Whether a text names a time that is counted from when it was said. */
export function hasRelativeDate(text: string): boolean {
  return RULES.some(({ pattern }) => text.search(pattern) !== -1);
}

/** The text with "yesterday", "last week", "昨天" said as dates: what was meant when it was said, in that time zone. */
export function withDates(text: string, saidAt: number, timeZone: string): string {
  const today = new Date(`${dayOf(saidAt, timeZone)}T00:00:00Z`);
  const taken: { readonly at: number; readonly end: number; readonly date: string }[] = [];
  for (const { pattern, meant } of RULES) {
    for (const found of text.matchAll(pattern)) {
      const [at, end] = [found.index, found.index + found[0].length];
      if (taken.some((one) => at < one.end && end > one.at)) continue;
      const before = text.slice(0, at);
      taken.push({ at, end, date: written(meant(found, today), /\p{Script=Han}/u.test(found[0]), before) });
    }
  }
  let said = text;
  for (const { at, end, date } of taken.toSorted((a, b) => b.at - a.at))
    said = said.slice(0, at) + date + said.slice(end);
  return said;
}

function written({ day, of }: Meant, isChinese: boolean, before: string): string {
  const [year, month, date] = [day.getUTCFullYear(), day.getUTCMonth() + 1, day.getUTCDate()];
  if (isChinese) {
    if (of === "year") return `${year}年`;
    if (of === "month") return `${year}年${month}月`;
    return `${year}年${month}月${date}日${of === "week" ? "那周" : ""}`;
  }
  const iso = day.toISOString().slice(0, 10);
  // "since last year" and "until tomorrow" have their word already.
  const hasWord = /\b(?:since|until|till|by|from|before|after|on|in|of|for)\s+$/iu.test(before);
  const word = (said: string) => (hasWord ? "" : said);
  if (of === "year") return `${word("in ")}${year}`;
  if (of === "month") return `${word("in ")}${iso.slice(0, 7)}`;
  return of === "week" ? `${word("in ")}the week of ${iso}` : `${word("on ")}${iso}`;
}
