import { Group, SegmentedControl, Switch, Text, Title, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { parley } from "../../shared/api/client.ts";
import { type GatewayEvent, gateway } from "../../shared/api/gateway.ts";
import eventListCss from "../../shared/styles/event-list.module.css";
import textCss from "../../shared/styles/text.module.css";
import { toStepColor, useStepLabel } from "../../shared/trace/step-texts.ts";
import { useTexts as useTraceTexts } from "../../shared/trace/texts.ts";
import { readFacts } from "../../shared/trace/trace-facts.ts";
import { formatError } from "../../shared/ui/common.tsx";
import { LoadMore } from "../../shared/ui/table/load-more.tsx";
import { useFirstItems } from "../../shared/ui/table/use-paged-list.ts";
import { useChannelName } from "../../shared/ui/text/use-channel-name.ts";
import { useSessionName } from "../../shared/ui/text/use-session-name.ts";
import { ChannelSelect } from "./channel-select.tsx";
import { isProblem, mergeEvents, PROBLEM_QUERIES } from "./event-rows.ts";
import { useTexts } from "./texts.ts";
import { useGatewayEvents } from "./use-gateway-events.ts";

const PAGE_SIZE = 30;
const POLL_MS = 5_000;
const ALL_QUERIES = [{}] as const;
type EventFilter = "all" | "problems";

/** Live and stored gateway events, newest first. */
export function EventList({ openTrace }: { readonly openTrace: (traceId: string) => void }) {
  const { t } = useTexts();
  const [filter, setFilter] = useState<EventFilter>("all");
  const [channelId, setChannelId] = useState("");
  const [isPaused, setPaused] = useState(false);
  const live = useGatewayEvents(isPaused);
  const queries = filter === "problems" ? PROBLEM_QUERIES : ALL_QUERIES;
  const stored = useQuery({
    queryKey: ["gateway", "events", filter, channelId],
    queryFn: async () => {
      const params = { ...(channelId && { channel_id: channelId }), limit: 200 };
      const responses = await Promise.all(queries.map((one) => gateway.listEvents({ ...one, ...params })));
      return responses.flatMap(({ items }) => items);
    },
    // Live rows are dropped at a high rate, and those from before this page opened are missing, so stored ones are polled.
    refetchInterval: isPaused ? false : POLL_MS,
    // A paused list does not move, so only a missing first response is still fetched.
    enabled: ({ state }) => !isPaused || state.data === undefined,
    retry: false,
  });
  const events = useMemo(
    () =>
      mergeEvents(
        live,
        stored.data ?? [],
        (one) => (filter === "all" || isProblem(one)) && (channelId === "" || one.channel_id === channelId),
      ),
    [live, stored.data, filter, channelId],
  );
  const visibleEvents = useFirstItems(events, PAGE_SIZE);
  const names = useRecentSessionNames();
  return (
    <section aria-labelledby="events">
      <Group justify="space-between" mt="xl" mb="xs" gap="xs">
        <Title order={2} size="h4" id="events">
          {t("happening")}
        </Title>
        <Group gap="sm">
          <ChannelSelect channelId={channelId} onChange={setChannelId} testId="events-channel" />
          <Switch
            size="sm"
            label={t("live")}
            checked={!isPaused}
            onChange={({ currentTarget }) => setPaused(!currentTarget.checked)}
            data-testid="events-live"
          />
          <SegmentedControl
            size="xs"
            value={filter}
            onChange={setFilter}
            data={[
              { value: "all", label: t("all") },
              { value: "problems", label: t("problems") },
            ]}
          />
        </Group>
      </Group>
      {stored.isError && (
        <Text size="sm" c="dimmed" mb="xs">
          {t("noHistory")} ({formatError(stored.error, t)})
        </Text>
      )}
      {events.length === 0 ? (
        <Text c="dimmed" size="sm">
          {t("nothingHappened")}
        </Text>
      ) : (
        <div className={eventListCss.lines}>
          {visibleEvents.data.items.map((event) => (
            <EventRow key={event.id} event={event} names={names} openTrace={openTrace} />
          ))}
        </div>
      )}
      <LoadMore list={visibleEvents} />
    </section>
  );
}

interface EventRowProps {
  readonly event: GatewayEvent;
  readonly names: ReadonlyMap<string, string>;
  readonly openTrace: (traceId: string) => void;
}

/** Names of the most recent console conversations by id. */
function useRecentSessionNames(): ReadonlyMap<string, string> {
  const sessionName = useSessionName();
  const { data } = useQuery({
    queryKey: ["session", "names"],
    queryFn: () => parley.get("/api/sessions", { query: { channel_id: "web", limit: 100 } }),
  });
  return new Map((data?.items ?? []).map((session) => [session.id, sessionName(session)]));
}

function EventRow({ event, names, openTrace }: EventRowProps) {
  const { language } = useTexts();
  const step = useStepLabel();
  const channelName = useChannelName();
  const texts = useTraceTexts();
  const { trace_id, status, level, channel_id, conversation_id, error, metadata, created_at } = event;
  const time = new Intl.DateTimeFormat(language, { timeStyle: "medium" });
  const sentence = error || (readFacts(metadata, texts).sentence ?? String(metadata.message ?? ""));
  const sessionName = conversation_id && (names.get(conversation_id) ?? conversation_id);
  const place = [channel_id && channelName(channel_id), sessionName].filter(Boolean).join(" · ");
  return (
    <UnstyledButton className={eventListCss.event} onClick={() => openTrace(trace_id)} data-testid="gateway-event">
      <span className={textCss.meta}>{time.format(new Date(created_at))}</span>
      <Text
        span
        size="sm"
        fw={500}
        {...(isProblem(event) && { c: `var(--mantine-color-${toStepColor(status, level)}-light-color)` })}
      >
        {step(status)}
      </Text>
      <span className={textCss.meta}>{place}</span>
      <Text span size="sm" c={error ? "red" : "dimmed"}>
        {sentence}
      </Text>
    </UnstyledButton>
  );
}
