/** Browsers by pattern; the first match counts, because browsers also name the ones before them. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|Opera)\//, "Opera"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bMicroMessenger\//, "WeChat"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|HeadlessChrome|Chromium)\//, "Chrome"],
  [/\bVersion\/[\d.]+.*\bSafari\//, "Safari"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];
const MAX_CHARS = 60;

/** Returns the browser and the system that a `User-Agent` names; for a program, its own name. */
export function toDeviceName(userAgent: string | undefined): string | null {
  if (!userAgent) return null;
  const named = (names: typeof BROWSERS) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const known = [named(BROWSERS), named(SYSTEMS)].filter((name) => name !== undefined);
  if (known.length > 0) return known.join(" · ");
  return /^[\w.-]+/.exec(userAgent)?.[0].slice(0, MAX_CHARS) ?? null;
}
