import { Group, SegmentedControl, Switch, Text, Title, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { parley } from "../../shared/api/client.ts";
import { type GatewayEvent, gateway } from "../../shared/api/gateway.ts";
import eventListCss from "../../shared/styles/event-list.module.css";
import textCss from "../../shared/styles/text.module.css";
import { stepColor, useStepText } from "../../shared/trace/step-texts.ts";
import { useTexts as useTraceTexts } from "../../shared/trace/texts.ts";
import { factsOf, sentenceOf, withReason } from "../../shared/trace/trace-facts.ts";
import { reasonOf } from "../../shared/ui/common.tsx";
import { ShowMore, useLonger } from "../../shared/ui/show-more.tsx";
import { useShownName } from "../../shared/ui/shown-name.ts";
import { useChannelName } from "../../shared/ui/use-channel-name.ts";
import { ChannelChoice } from "./channel-choice.tsx";
import { isProblem, joined, merged, PROBLEMS } from "./gateway-rows.ts";
import { useTexts } from "./texts.ts";
import { useGatewayEvents } from "./use-gateway-events.ts";

const STEP = 30;
const OFTEN = 5_000;
const ALL = [{}] as const;
type Shown = "all" | "problems";

/** What happens to messages, as it happens; before that what is stored. */
export function GatewayEvents({ open }: { readonly open: (traceId: string) => void }) {
  const { t } = useTexts();
  const [shown, setShown] = useState<Shown>("all");
  const [channel, setChannel] = useState("");
  const [isPaused, setPaused] = useState(false);
  const longer = useLonger(STEP);
  const live = useGatewayEvents(isPaused);
  const asked = shown === "problems" ? PROBLEMS : ALL;
  const stored = useQuery({
    queryKey: ["gateway", "events", shown, channel],
    queryFn: async () =>
      joined(
        (
          await Promise.all(
            asked.map((one) => gateway.events({ ...one, ...(channel && { channel_id: channel }), limit: 200 })),
          )
        ).map(({ items }) => items),
      ),
    // Live rows are left out when they come too fast, and none came before this page was there.
    refetchInterval: isPaused ? false : OFTEN,
    // What is read stays in place; only what was not read yet is still fetched.
    enabled: ({ state }) => !isPaused || state.data === undefined,
    retry: false,
  });
  const events = useMemo(
    () =>
      merged(live, stored.data ?? [])
        .filter((one) => shown === "all" || isProblem(one))
        .filter(({ channel_id }) => channel === "" || channel_id === channel),
    [live, stored.data, shown, channel],
  );
  const seen = events.slice(0, longer.limit);
  const names = useRecentNames();
  return (
    <section aria-labelledby="events">
      <Group justify="space-between" mt="xl" mb="xs" gap="xs">
        <Title order={2} size="h4" id="events">
          {t("happening")}
        </Title>
        <Group gap="sm">
          <ChannelChoice channel={channel} put={setChannel} testId="events-channel" />
          <Switch
            size="sm"
            label={t("live")}
            checked={!isPaused}
            onChange={({ currentTarget }) => setPaused(!currentTarget.checked)}
            data-testid="events-live"
          />
          <SegmentedControl
            size="xs"
            value={shown}
            onChange={(value) => setShown(value as Shown)}
            data={[
              { value: "all", label: t("all") },
              { value: "problems", label: t("problems") },
            ]}
          />
        </Group>
      </Group>
      {stored.isError && (
        <Text size="sm" c="dimmed" mb="xs">
          {t("noHistory")} ({reasonOf(stored.error, t)})
        </Text>
      )}
      {events.length === 0 ? (
        <Text c="dimmed" size="sm">
          {t("nothingHappened")}
        </Text>
      ) : (
        <div className={eventListCss.lines}>
          {seen.map((event) => (
            <EventRow key={event.id} event={event} names={names} open={open} />
          ))}
        </div>
      )}
      <ShowMore {...longer} shown={seen.length} total={events.length} />
    </section>
  );
}

interface EventRowProps {
  readonly event: GatewayEvent;
  readonly names: ReadonlyMap<string, string>;
  readonly open: (traceId: string) => void;
}

/** What the conversations of the console are called that were held last. */
function useRecentNames(): ReadonlyMap<string, string> {
  const shown = useShownName();
  const { data } = useQuery({
    queryKey: ["session", "names"],
    queryFn: () => parley.get("/api/sessions", { query: { channel_id: "web", limit: 100 } }),
  });
  return new Map((data?.items ?? []).map((session) => [session.id, shown(session)]));
}

function EventRow({ event, names, open }: EventRowProps) {
  const { language } = useTexts();
  const step = useStepText();
  const channel = useChannelName();
  const texts = useTraceTexts();
  const { trace_id, status, level, channel_id, conversation_id, error, metadata, created_at } = event;
  const time = new Intl.DateTimeFormat(language, { timeStyle: "medium" });
  const isChinese = language.startsWith("zh");
  const reasoned = (text: string) => (isChinese ? withReason(text, metadata) : text);
  const message = reasoned(String(metadata.message ?? ""));
  const said = error ? reasoned(error) : sentenceOf(factsOf(metadata, texts), message, isChinese);
  const place = [channel_id && channel(channel_id), conversation_id && (names.get(conversation_id) ?? conversation_id)]
    .filter(Boolean)
    .join(" · ");
  return (
    <UnstyledButton className={eventListCss.event} onClick={() => open(trace_id)} data-testid="gateway-event">
      <span className={textCss.meta}>{time.format(new Date(created_at))}</span>
      <Text
        span
        size="sm"
        fw={500}
        {...(isProblem(event) && { c: `var(--mantine-color-${stepColor(status, level)}-light-color)` })}
      >
        {step(status)}
      </Text>
      <span className={textCss.meta}>{place}</span>
      <Text span size="sm" c={error ? "red" : "dimmed"}>
        {said}
      </Text>
    </UnstyledButton>
  );
}
