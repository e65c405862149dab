import { Badge, Group, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { formatInterval } from "../../../shared/i18n/format-duration.ts";
import { Loaded } from "../../../shared/ui/common.tsx";
import { Empty } from "../../../shared/ui/page/empty.tsx";
import { automation } from "../api.ts";
import automationCss from "../automation.module.css";
import { useTexts } from "../texts.ts";
import { groupByDay, type RunSeries } from "./runs-by-day.ts";

const DAYS = 7;
const MAX_ENTRIES = 6;

/** A calendar of upcoming runs by day, in the reader's time zone. */
export function Calendar() {
  const { t, language } = useTexts();
  const query = useQuery({ queryKey: ["task", "calendar"], queryFn: () => automation.listPlannedTimes(DAYS) });
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const day = new Intl.DateTimeFormat(language, { weekday: "long", month: "long", day: "numeric" });
  return (
    <>
      <Text size="sm" c="dimmed" mb="md">
        {t("calendarHint", { zone })}
      </Text>
      <Loaded query={query}>
        {({ items }) => {
          const days = groupByDay(items);
          if (days.length === 0)
            return <Empty icon="calendar" title={t("nothingPlanned")} hint={t("nothingPlannedHint")} />;
          const sections = days.map(([start, entries]) => (
            <section key={start} className={automationCss.calendarDay} data-testid="calendar-day">
              <Title order={2} size="h5">
                {day.format(start)}
              </Title>
              {entries.map(({ id, name, kind, series }) => (
                <div key={id} className={automationCss.calendarEntry}>
                  <Text size="sm" fw={500}>
                    {kind === "heartbeat" ? t("kind_heartbeat") : name}
                  </Text>
                  <RunTimes series={series} />
                </div>
              ))}
            </section>
          ));
          return (
            <>
              {sections}
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

/** The times of a day; frequent ones as an interval with its range. */
function RunTimes({ series }: { readonly series: readonly RunSeries[] }) {
  const { t, language } = useTexts();
  const time = new Intl.DateTimeFormat(language, { timeStyle: "short" });
  const hiddenCount = series.slice(MAX_ENTRIES).reduce((sum, { count }) => sum + count, 0);
  return (
    <Group gap="xs">
      {series.slice(0, MAX_ENTRIES).map(({ from, to, count, everyMs }) => (
        <Badge key={from.getTime()} variant="light" data-testid="calendar-time">
          {count === 1
            ? time.format(from)
            : `${t("everyTime", { time: formatInterval(everyMs, language) })} · ${time.formatRange(from, to)}`}
        </Badge>
      ))}
      {hiddenCount > 0 && (
        <Text size="xs" c="dimmed">
          {t("andMore", { count: String(hiddenCount) })}
        </Text>
      )}
    </Group>
  );
}
