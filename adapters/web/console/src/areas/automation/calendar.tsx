import { Badge, Group, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Loaded } from "../../shared/ui/common.tsx";
import { Empty } from "../../shared/ui/empty.tsx";
import { automation, type PlannedTimes } from "./api.ts";
import automationCss from "./automation.module.css";
import { useTexts } from "./texts.ts";

const DAYS = 7;
const MOST = 6;

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly kind: PlannedTimes["kind"];
  readonly times: readonly Date[];
}

/** What comes when, day by day, in the reader's own time zone. */
export function Calendar() {
  const { t, language } = useTexts();
  const found = useQuery({ queryKey: ["task", "calendar"], queryFn: () => automation.calendar(DAYS) });
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const day = new Intl.DateTimeFormat(language, { weekday: "long", month: "long", day: "numeric" });
  const time = new Intl.DateTimeFormat(language, { timeStyle: "short" });
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
              {entries.map(({ id, name, kind, times }) => (
                <div key={id} className={automationCss.calendarEntry}>
                  <Text size="sm" fw={500}>
                    {kind === "heartbeat" ? t("kind_heartbeat") : name}
                  </Text>
                  <Group gap="xs">
                    {times.slice(0, MOST).map((at) => (
                      <Badge key={at.getTime()} variant="light">
                        {time.format(at)}
                      </Badge>
                    ))}
                    {times.length > MOST && (
                      <Text size="xs" c="dimmed">
                        {t("andMore", { count: String(times.length - MOST) })}
                      </Text>
                    )}
                  </Group>
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

/** Days as the reader's clock has them, the next first. */
function byDay(items: readonly PlannedTimes[]): readonly (readonly [number, readonly Entry[]])[] {
  const days = new Map<number, Map<string, Entry>>();
  for (const { id, name, kind, times } of items) {
    for (const text of times) {
      const at = new Date(text);
      const start = new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();
      const entries = days.get(start) ?? new Map<string, Entry>();
      days.set(start, entries);
      const before = entries.get(id);
      entries.set(id, { id, name, kind, times: [...(before?.times ?? []), at] });
    }
  }
  const first = ({ times }: Entry) => times[0]?.getTime() ?? 0;
  return [...days]
    .sort(([a], [b]) => a - b)
    .map(([start, entries]) => [start, [...entries.values()].sort((a, b) => first(a) - first(b))] as const);
}
