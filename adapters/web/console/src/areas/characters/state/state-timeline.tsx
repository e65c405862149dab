import { Badge, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { parley, type Shapes } from "../../../shared/api/client.ts";
import { formatMood } from "../../../shared/i18n/moods.ts";
import { formatTime, Loaded } from "../../../shared/ui/common.tsx";
import { useTexts } from "../texts.ts";
import { LineChart } from "./line-chart.tsx";
import { RELATIONSHIP_COLORS, RELATIONSHIP_FIELDS } from "./state-fields.ts";
import stateTimelineCss from "./state-timeline.module.css";

/** A state in the timeline; imported JSON of any shape. */
type StateSnapshot = Pick<Shapes["TimelineEntry"], "state" | "relationship">;

interface StateTimelineProps {
  readonly characterId: string;
  readonly sessionId: string;
}

/** The newest states, at most 100: a chart of energy and relationship, and the moods with their times. */
export function StateTimeline({ characterId, sessionId }: StateTimelineProps) {
  const { t, language } = useTexts();
  const entries = useQuery({
    queryKey: ["timeline", sessionId, characterId],
    queryFn: () =>
      parley.get("/api/sessions/{session_id}/runtime-timeline", {
        path: { session_id: sessionId },
        query: { character_id: characterId, order: "desc", limit: 100 },
      }),
  });
  return (
    <section aria-label={t("overTime")}>
      <Title order={2} size="h5" mt="lg" mb="xs">
        {t("overTime")}
      </Title>
      <Loaded query={entries}>
        {({ items }) => {
          if (items.length === 0) {
            return (
              <Text size="sm" c="dimmed">
                {t("noTimeline")}
              </Text>
            );
          }
          const past = items.toReversed().map(({ id, timestamp, state, relationship }) => ({
            id,
            at: formatTime(timestamp, language),
            snapshot: { state, relationship },
          }));
          const toSeries = (name: string, color: string, getValue: (snapshot: StateSnapshot) => unknown) => ({
            name,
            color,
            values: past.map(({ snapshot }) => toNumber(getValue(snapshot))),
          });
          return (
            <>
              <LineChart
                label={t("overTime")}
                ends={[past[0]?.at ?? "", past.at(-1)?.at ?? ""]}
                labels={past.map(({ at, snapshot }) =>
                  [at, formatMood(String(snapshot.state.mood ?? ""))].filter(Boolean).join(" · "),
                )}
                series={[
                  toSeries(t("energy"), "var(--mantine-color-orange-6)", ({ state }) => state.energy),
                  ...RELATIONSHIP_FIELDS.map((name) =>
                    toSeries(t(name), toCssColor(RELATIONSHIP_COLORS[name]), ({ relationship }) => relationship[name]),
                  ),
                ]}
              />
              <ol className={stateTimelineCss.moods} aria-label={t("timeline")}>
                {past.toReversed().map(({ id, at, snapshot }) => (
                  <li key={id} data-testid="timeline-entry">
                    <Badge variant="light">{formatMood(String(snapshot.state.mood ?? "–"))}</Badge>{" "}
                    <Text span size="xs" c="dimmed">
                      {at}
                    </Text>
                  </li>
                ))}
              </ol>
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

function toNumber(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** Converts a Mantine colour such as `pink.6` to CSS. */
function toCssColor(color: string): string {
  return `var(--mantine-color-${color.replace(".", "-")})`;
}
