import { parley, type Shapes } from "../../shared/api/client.ts";
import type { Page } from "../../shared/api/list-pages.ts";
import { getValue } from "../../shared/forms/merge-patch.ts";

export type Device = Shapes["PushSubscription"];

export const notifications = {
  getStatus: () => parley.get("/api/push/status"),
  listDevices: (page: Page) => parley.get("/api/push/subscriptions", { query: page }),
  remove: (id: string) => parley.post("/api/push/unsubscribe", { body: { id } }),
  test: () => parley.post("/api/push/test", { body: {} }),
  isContentHidden: async () => getValue(await parley.get("/api/settings"), "push.hide_content") === true,
  setContentHidden: (hide_content: boolean) => parley.put("/api/settings", { body: { push: { hide_content } } }),
};

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Headless)?Chrome\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
];

/** Returns the name of a device such as `Firefox · Windows`; its shortened user agent if neither is recognized. */
export function toDeviceName(userAgent: string): string {
  const names = [BROWSERS, SYSTEMS].map((names) => names.find(([pattern]) => pattern.test(userAgent))?.[1]);
  const knownNames = names.filter((name) => name !== undefined);
  return knownNames.length > 0 ? knownNames.join(" · ") : userAgent.slice(0, 60);
}
