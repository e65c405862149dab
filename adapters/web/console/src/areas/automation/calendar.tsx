import { Badge, Group, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { everyOf } from "../../shared/i18n/durations.ts";
import { Loaded } from "../../shared/ui/common.tsx";
import { Empty } from "../../shared/ui/empty.tsx";
import { automation } from "./api.ts";
import automationCss from "./automation.module.css";
import { byDay, type Stretch } from "./calendar-days.ts";
import { useTexts } from "./texts.ts";

const DAYS = 7;
const MOST = 6;

/** What comes when, day by day, in the reader's own time zone. */
export function Calendar() {
  const { t, language } = useTexts();
  const found = useQuery({ queryKey: ["task", "calendar"], queryFn: () => automation.calendar(DAYS) });
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const day = new Intl.DateTimeFormat(language, { weekday: "long", month: "long", day: "numeric" });
  return (
    <>
      <Text size="sm" c="dimmed" mb="md">
        {t("calendarHint", { zone })}
      </Text>
      <Loaded query={found}>
        {({ items }) => {
          const days = byDay(items);
          if (days.length === 0)
            return <Empty icon="calendar" title={t("nothingPlanned")} hint={t("nothingPlannedHint")} />;
          const shown = days.map(([start, entries]) => (
            <section key={start} className={automationCss.calendarDay} data-testid="calendar-day">
              <Title order={2} size="h5">
                {day.format(start)}
              </Title>
              {entries.map(({ id, name, kind, stretches }) => (
                <div key={id} className={automationCss.calendarEntry}>
                  <Text size="sm" fw={500}>
                    {kind === "heartbeat" ? t("kind_heartbeat") : name}
                  </Text>
                  <Stretches all={stretches} />
                </div>
              ))}
            </section>
          ));
          return (
            <>
              {shown}
              {items.some(({ more }) => more) && (
                <Text size="sm" c="dimmed">
                  {t("firstTimes")}
                </Text>
              )}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

/** The times of a day; those that come often as how often they come, and from when to when. */
function Stretches({ all }: { readonly all: readonly Stretch[] }) {
  const { t, language } = useTexts();
  const time = new Intl.DateTimeFormat(language, { timeStyle: "short" });
  const left = all.slice(MOST).reduce((sum, { count }) => sum + count, 0);
  return (
    <Group gap="xs">
      {all.slice(0, MOST).map(({ from, to, count, everyMs }) => (
        <Badge key={from.getTime()} variant="light" data-testid="calendar-time">
          {count === 1
            ? time.format(from)
            : `${t("everyTime", { time: everyOf(everyMs, language) })} · ${time.formatRange(from, to)}`}
        </Badge>
      ))}
      {left > 0 && (
        <Text size="xs" c="dimmed">
          {t("andMore", { count: String(left) })}
        </Text>
      )}
    </Group>
  );
}
