const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const MONTH =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
const DATE = new RegExp(
  [
    "(\\d{4})[-/.](\\d{1,2})(?:[-/.](\\d{1,2}))?(?!\\d)",
    "(?:(\\d{4})\\s*年\\s*)?(\\d{1,2})\\s*月(?:\\s*(\\d{1,2})\\s*[日号號])?",
    `\\b${MONTH}\\b\\.?\\s+(\\d{1,2})(?:st|nd|rd|th)?(?!\\d)(?:,?\\s+(\\d{4})(?!\\d))?`,
    `(?<!\\d)(\\d{1,2})(?:st|nd|rd|th)?(?:\\s+of)?\\s+${MONTH}\\b\\.?(?:,?\\s+(\\d{4})(?!\\d))?`,
    `\\b${MONTH}\\b\\.?,?\\s+(\\d{4})(?!\\d)`,
  ].join("|"),
  "gi",
);

export interface DateMatch {
  readonly at: number;
  readonly length: number;
  /** Language-independent date terms: `d20230507`, `d0507`, `m202305`. */
  readonly terms: readonly string[];
}

/** Finds the days and months that a text names. */
export function* findDates(text: string): Generator<DateMatch> {
  if (!/\d/.test(text)) return;
  for (const found of text.matchAll(DATE)) {
    const [whole, y1, m1, d1, y2, m2, d2, m3, d3, y3, d4, m4, y4, m5, y5] = found;
    const year = Number(y1 ?? y2 ?? y3 ?? y4 ?? y5 ?? 0);
    const named = m3 ?? m4 ?? m5;
    const month = named ? MONTHS.indexOf(named.slice(0, 3).toLowerCase()) + 1 : Number(m1 ?? m2);
    const day = Number(d1 ?? d2 ?? d3 ?? d4 ?? 0);
    if (month < 1 || month > 12 || day > 31) continue;
    const terms = dateTerms(year, month, day);
    if (terms.length > 0) yield { at: found.index, length: whole.length, terms };
  }
}

/** Returns the search terms of a day, or of a month when `day` is 0; `year` 0 stands for any year. */
export function dateTerms(year: number, month: number, day: number): readonly string[] {
  const two = (value: number) => String(value).padStart(2, "0");
  return [
    ...(year && day ? [`d${year}${two(month)}${two(day)}`] : []),
    ...(day ? [`d${two(month)}${two(day)}`] : []),
    ...(year ? [`m${year}${two(month)}`] : []),
  ];
}
