import Joi from "@hapi/joi";
import { type Clock, type Settings, TIME_ZONE, type Tool, tool } from "@parley/core";
import { toolsTexts } from "../texts.ts";

interface DateTimeArgs {
  readonly timezone?: string;
}

/** Creates the tool for the current time, which models cannot know. */
export function createDateTimeTool(clock: Clock, settings: () => Settings): Tool {
  return tool<DateTimeArgs>({
    name: "get_date_time",
    help: {
      en: "The current date, time and weekday, optionally in a time zone.",
      zh: "当前日期、时间和星期，可指定时区。",
    },
    purpose: "The date, the time and the day of the week, in the time zone of this service or in another one.",
    args: Joi.object({ timezone: Joi.string().trim().max(64).description("Such as Europe/Berlin") }),
    scope: "gateway.read",
    risk: "read",
    audience: ["ai"],
    group: "time_and_web",
    async run({ timezone = settings().get(TIME_ZONE) }) {
      const now = new Date(clock.now());
      try {
        const parts = new Intl.DateTimeFormat("en-CA", {
          timeZone: timezone,
          dateStyle: "short",
          timeStyle: "medium",
          hour12: false,
        }).formatToParts(now);
        const of = (...types: readonly string[]) =>
          types.map((type) => parts.find((part) => part.type === type)?.value);
        return {
          date: of("year", "month", "day").join("-"),
          time: of("hour", "minute", "second").join(":"),
          weekday: new Intl.DateTimeFormat("en", { timeZone: timezone, weekday: "long" }).format(now),
          timezone,
          utc: now.toISOString(),
        };
      } catch (error) {
        if (error instanceof RangeError)
          throw toolsTexts.error("bad_request", "no_timezone", { timezone }, { field: "timezone" });
        throw error;
      }
    },
  });
}
